import { app, BrowserWindow, session } from 'electron';
import { APP_ORIGIN } from './addresses.ts';

/** Denies everything a page could ask the system for, and every way out of the interface. Must run before any window. */
export function guardContents(): void {
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.defaultSession.setPermissionCheckHandler(() => false);
  session.defaultSession.setDevicePermissionHandler(() => false);
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-navigate', (event) => event.preventDefault());
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
  });
}

/**
 * Opens the window on the interface, shown once there is something to see.
 * @param preload path of the built preload script
 */
export function openWindow(preload: string): BrowserWindow {
  const window = new BrowserWindow({
    title: 'Footnote',
    width: 1280,
    height: 860,
    minWidth: 480,
    minHeight: 480,
    show: false,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
    },
  });
  window.once('ready-to-show', () => window.show());
  void window.loadURL(`${APP_ORIGIN}/`);
  return window;
}
