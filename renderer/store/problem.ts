import { ORPCError } from '@orpc/client';
import { ERROR_CODES, type ErrorCode } from '../../core/contract/errors.ts';
import { ConnectionLost } from '../connection/reconnecting-link.ts';

export type ProblemCode = ErrorCode | 'CONNECTION_LOST';

/** Something that went wrong, as the interface keeps it: the code decides the sentence, the detail is the engine's own. */
export type Problem = { code: ProblemCode; detail: string | null };

const CODES: ReadonlySet<string> = new Set(ERROR_CODES);

function isErrorCode(code: string): code is ErrorCode {
  return CODES.has(code);
}

/** Turns whatever a call threw into a problem. */
export function toProblem(error: unknown): Problem {
  if (error instanceof ConnectionLost) return { code: 'CONNECTION_LOST', detail: null };
  if (error instanceof ORPCError) {
    const code: string = error.code;
    return isErrorCode(code) ? { code, detail: error.message } : { code: 'INTERNAL', detail: null };
  }
  // What a person aborts never comes here: this abort is the transport's, for calls cut off with their connection.
  if (error instanceof Error && error.name === 'AbortError') return { code: 'CONNECTION_LOST', detail: null };
  return { code: 'INTERNAL', detail: null };
}
