import { app, type BrowserWindow } from 'electron';

/**
 * Makes this the only running app for its person: a second start brings the first one's window to the front.
 * @returns false when another one is running already; this one then has to quit
 */
export function becomeSingleInstance(currentWindow: () => BrowserWindow | null): boolean {
  if (!app.requestSingleInstanceLock()) return false;
  app.on('second-instance', () => {
    const window = currentWindow();
    if (window?.isMinimized()) window.restore();
    window?.focus();
  });
  return true;
}
