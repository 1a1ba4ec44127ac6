import { join } from 'node:path';
import { app, type BrowserWindow, dialog } from 'electron';
import { registerSchemes, serveInterface } from './app-protocol.ts';
import { EngineProcess } from './engine-process.ts';
import { serveMedia } from './media-protocol.ts';
import { handOverPorts } from './port-handover.ts';
import { readShellArgs } from './shell-args.ts';
import { becomeSingleInstance } from './single-instance.ts';
import { guardContents, openWindow } from './window.ts';

/** Boot list of the desktop app: one step a line, the window last. */
const built = join(app.getAppPath(), 'dist');
const preload = join(built, 'electron', 'preload.cjs');
let window: BrowserWindow | null = null;
const currentWindow = () => window;

function showWindow(): void {
  if (window) return;
  window = openWindow(preload);
  window.once('closed', () => {
    window = null;
  });
}

function boot(): void {
  const engine = new EngineProcess({
    entries: {
      engine: join(built, 'electron', 'engine.mjs'),
      models: join(built, 'electron', 'models.mjs'),
      perception: join(built, 'electron', 'perception.mjs'),
    },
    library: readShellArgs(process.argv).library,
    onReady: () => ports.renew(),
    onRefused: (message) => {
      dialog.showErrorBox('Footnote cannot open its library', message);
      app.quit();
    },
  });
  const ports = handOverPorts(currentWindow, () => engine.openPort());
  guardContents();
  serveInterface(join(built, 'renderer'));
  serveMedia((mediaId) => engine.mediaFile(mediaId));
  app.on('window-all-closed', () => {
    // On macOS an app stays until it is quit.
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('activate', showWindow);
  let closed = false;
  app.on('will-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    void engine.stop().then(() => {
      closed = true;
      app.quit();
    });
  });
  engine.start();
  showWindow();
}

registerSchemes();
if (becomeSingleInstance(currentWindow)) void app.whenReady().then(boot);
else app.quit();
