import { ModelError } from '../../../models/errors.ts';
import { type ErrorCode, FootnoteError, toFootnoteError } from '../../contract/errors.ts';

const CODES: Partial<Record<ModelError['code'], ErrorCode>> = {
  'unknown-model': 'NOT_FOUND',
  'not-installed': 'MODEL_MISSING',
  'no-space': 'DISK_FULL',
  unreachable: 'MODEL_UNREACHABLE',
};

/** Added where hosts could not be reached: the ways on. */
const WAYS_ON = 'Try again when this computer is online, or name a folder on it that has the model.';

/**
 * What went wrong with a model as the contract says it: the sentence stays, `data.reason` is the model's own code.
 * @param data figures and hosts that the caller knows
 */
export function modelFailure(error: unknown, data: Record<string, unknown> = {}): FootnoteError {
  if (!(error instanceof ModelError)) return toFootnoteError(error, 'MODEL_FAILED');
  const code = CODES[error.code] ?? 'MODEL_FAILED';
  const hosts = Array.isArray(data.hosts) ? data.hosts.length : 0;
  const message = code === 'MODEL_UNREACHABLE' && hosts > 0 ? `${error.message} ${WAYS_ON}` : error.message;
  return new FootnoteError(code, message, { ...data, reason: error.code }, { cause: error });
}
