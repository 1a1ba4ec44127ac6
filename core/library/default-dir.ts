import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the library lies unless told otherwise: FOOTNOTE_LIBRARY, else the platform's folder for application data. */
export function defaultLibraryDir(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  if (env.FOOTNOTE_LIBRARY) return env.FOOTNOTE_LIBRARY;
  if (platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Footnote');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Footnote');
  return join(env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'footnote');
}
