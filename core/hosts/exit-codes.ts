import type { ErrorCode } from '../contract/index.ts';

/** What an exit code of `footnote` means; printed by --help. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  nothingFound: 3,
  someUnreadable: 4,
  library: 5,
  missing: 6,
  cancelled: 130,
} as const;

export const EXIT_HELP = `Exit codes:
  0    done
  1    something went wrong (the message says what)
  2    the command was not understood
  3    nothing was found, or there is no library yet
  4    imported, but some files could not be read
  5    the library is busy, damaged or too new
  6    something Footnote needs is not there (see footnote doctor)
  130  stopped by Ctrl-C; an import goes on at the next start`;

export function exitCodeOf(code: ErrorCode): number {
  switch (code) {
    case 'BAD_REQUEST':
      return EXIT.usage;
    case 'LIBRARY_BUSY':
    case 'LIBRARY_TOO_NEW':
    case 'LIBRARY_UNREADABLE':
      return EXIT.library;
    case 'FFMPEG_MISSING':
    case 'FACE_MODEL_MISSING':
    case 'MODEL_MISSING':
    case 'MODEL_UNREACHABLE':
      return EXIT.missing;
    case 'NOT_FOUND':
      return EXIT.nothingFound;
    case 'CANCELLED':
      return EXIT.cancelled;
    default:
      return EXIT.failed;
  }
}
