/** Every system that can be measured. One line registers one; the order is that of tables and of pairs. */
import { FootnoteError } from '../../contract/index.ts';
import { bm25 } from './bm25.ts';
import { egorag } from './egorag.ts';
import { aligned, flat, fourChannels } from './flat.ts';
import { memlife } from './memlife.ts';
import { recap } from './recap.ts';
import type { CreateSystem, System, SystemContext } from './system.ts';
import { worldmm } from './worldmm.ts';

const REGISTERED: Readonly<Record<string, CreateSystem>> = {
  memlife,
  flat,
  bm25,
  'rrf-4': fourChannels,
  'aligned-30s': aligned,
  egorag,
  'video-recap': recap,
  worldmm,
};

export const SYSTEM_NAMES: readonly string[] = Object.keys(REGISTERED);

/**
 * The named systems in the order named; all of them without names.
 * @throws FootnoteError BAD_REQUEST for a name that is not registered, or none at all
 */
export function createSystems(names: readonly string[] | null, context: SystemContext): System[] {
  const wanted = [...new Set(names ?? SYSTEM_NAMES)];
  const unknown = wanted.find((name) => !SYSTEM_NAMES.includes(name));
  if (unknown !== undefined || wanted.length === 0)
    throw new FootnoteError(
      'BAD_REQUEST',
      `There is no system "${(unknown ?? '').slice(0, 40)}". Systems: ${SYSTEM_NAMES.join(', ')}.`,
    );
  return wanted.map((name) => REGISTERED[name]!(context));
}
