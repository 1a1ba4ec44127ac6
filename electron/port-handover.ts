import { type BrowserWindow, ipcMain, type MessagePortMain } from 'electron';
import { APP_ORIGIN, PORT_CHANNEL } from './addresses.ts';

/**
 * Hands the window ports to the engine: when its page asks, and unasked when the engine was started again.
 * @param openPort a new port, or null while the engine is not up; a page that asked then gets one from `renew`
 */
export function handOverPorts(
  currentWindow: () => BrowserWindow | null,
  openPort: () => MessagePortMain | null,
): { renew(): void } {
  function give(): void {
    const port = openPort();
    if (port) currentWindow()?.webContents.postMessage(PORT_CHANNEL, null, [port]);
  }
  ipcMain.on(PORT_CHANNEL, (event) => {
    const ours = event.sender === currentWindow()?.webContents && event.senderFrame?.origin === APP_ORIGIN;
    if (ours) give();
  });
  return { renew: give };
}
