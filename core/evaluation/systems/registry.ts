/** Every system that can be measured. One line registers one; the order is that of tables and of pairs. */
import { FootnoteError } from '../../contract/index.ts';
import { bm25 } from './bm25.ts';
import { egorag } from './egorag.ts';
import { em2mem, em2memVariants } from './em2mem.ts';
import { aligned, flat, fourChannels } from './flat.ts';
import { memlife } from './memlife.ts';
import { ours, oursVariants } from './ours.ts';
import { recap } from './recap.ts';
import type { CreateSystem, System, SystemContext } from './system.ts';
import { worldmm } from './worldmm.ts';

const REGISTERED: Readonly<Record<string, CreateSystem>> = {
  ours,
  memlife,
  em2mem,
  flat,
  bm25,
  'rrf-4': fourChannels,
  'aligned-30s': aligned,
  egorag,
  'video-recap': recap,
  worldmm,
};

export const SYSTEM_NAMES: readonly string[] = Object.keys(REGISTERED);

/** Systems with a part left out or another added: run when named, not with all the others. */
const VARIANTS: Readonly<Record<string, CreateSystem>> = { ...oursVariants, ...em2memVariants };

/**
 * The named systems and variants in the order named; all systems without names.
 * @throws FootnoteError BAD_REQUEST for a name that is not registered, or none at all
 */
export function createSystems(names: readonly string[] | null, context: SystemContext): System[] {
  const wanted = [...new Set(names ?? SYSTEM_NAMES)];
  const all = { ...REGISTERED, ...VARIANTS };
  const unknown = wanted.find((name) => !Object.hasOwn(all, name));
  if (unknown !== undefined || wanted.length === 0)
    throw new FootnoteError(
      'BAD_REQUEST',
      `There is no system "${(unknown ?? '').slice(0, 40)}". Systems: ${SYSTEM_NAMES.join(', ')}; variants: ${Object.keys(VARIANTS).join(', ')}.`,
    );
  return wanted.map((name) => all[name]!(context));
}
