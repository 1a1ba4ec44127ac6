import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { MEDIA_BASE, PORT_CHANNEL } from './addresses.ts';

/** All that the page gets from the shell: a port to the engine, where media lies, and the paths of dropped files. */
contextBridge.exposeInMainWorld('footnote', {
  port: () => ipcRenderer.send(PORT_CHANNEL),
  pathForFile: (file: File) => webUtils.getPathForFile(file),
  mediaBase: MEDIA_BASE,
});

ipcRenderer.on(PORT_CHANNEL, (event) => {
  window.postMessage(PORT_CHANNEL, window.location.origin, [...event.ports]);
});
