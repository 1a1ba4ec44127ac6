/** What the shell was told on its command line. */
export interface ShellArgs {
  /** Library folder; null for the default one. */
  library: string | null;
}

/**
 * Reads "--library DIR" or "--library=DIR"; everything else belongs to Chromium.
 * @param argv the process's arguments
 */
export function readShellArgs(argv: readonly string[]): ShellArgs {
  const at = argv.findIndex((arg) => arg === '--library' || arg.startsWith('--library='));
  if (at < 0) return { library: null };
  const arg = argv[at]!;
  const value = arg.includes('=') ? arg.slice(arg.indexOf('=') + 1) : (argv[at + 1] ?? '');
  return { library: value || null };
}
