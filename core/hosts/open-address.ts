import { spawn } from 'node:child_process';

/** Opens an address in the person's browser, if the system has a way; never waits for it, never fails. */
export function openAddress(url: string): void {
  const [command, args] =
    process.platform === 'darwin'
      ? (['open', [url]] as const)
      : process.platform === 'win32'
        ? // The empty title keeps start from taking the address for one.
          (['cmd', ['/c', 'start', '""', url.replaceAll('&', '^&')]] as const)
        : (['xdg-open', [url]] as const);
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
