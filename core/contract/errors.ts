/**
 * Error codes that cross a process boundary. The interface owns the sentence a person reads; the engine owns the code
 * and the data. Only `message` survives some transports, so a code is always carried in oRPC's own `code` field.
 */
export const ERROR_CODES = [
  'BAD_REQUEST',
  'NOT_FOUND',
  'LIBRARY_BUSY',
  'LIBRARY_TOO_NEW',
  'LIBRARY_UNREADABLE',
  'DISK_FULL',
  'FFMPEG_MISSING',
  'FILE_MISSING',
  'FILE_EMPTY',
  'FILE_UNFINISHED',
  'FILE_UNREADABLE',
  'FILE_NO_PICTURE',
  'FILE_NOT_FOOTAGE',
  'FACE_MODEL_MISSING',
  'MODEL_MISSING',
  'MODEL_UNREACHABLE',
  'MODEL_FAILED',
  'PERCEPTION_FAILED',
  'CANCELLED',
  'INTERNAL',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** The one error class of the engine: a code to decide on, a sentence for people, data for detail. */
export class FootnoteError extends Error {
  readonly code: ErrorCode;
  readonly data: Record<string, unknown>;

  /**
   * @param code what kind of failure; the interface and exit codes decide on it
   * @param message what happened and what to do, in plain words; never footage content
   * @param data detail for the interface (ids, sizes); must be JSON-serialisable
   */
  constructor(code: ErrorCode, message: string, data: Record<string, unknown> = {}, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FootnoteError';
    this.code = code;
    this.data = data;
  }
}

/** Wraps anything thrown into a FootnoteError, keeping one that already is. */
export function toFootnoteError(error: unknown, fallback: ErrorCode = 'INTERNAL'): FootnoteError {
  if (error instanceof FootnoteError) return error;
  const cause = error instanceof Error ? error : new Error(String(error));
  const systemCode = (cause as Error & { code?: unknown }).code;
  if (systemCode === 'ENOSPC') {
    return new FootnoteError('DISK_FULL', 'The disk is full. Free some space, then resume.', {}, { cause });
  }
  return new FootnoteError(fallback, cause.message, {}, { cause });
}
