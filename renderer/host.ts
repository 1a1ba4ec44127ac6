import type { Client } from './client.ts';
import { connectClient } from './client.ts';
import type { ConnectionState } from './connection/reconnecting-link.ts';
import { portSession, socketSession } from './connection/sessions.ts';
import type { Offered, TakeIn } from './features/importing/take-in.ts';
import { takePaths, takeUploads } from './features/importing/take-in.ts';

/** What the desktop shell's preload offers to the page. */
export type DesktopBridge = {
  /** Asks for a port to the engine; it arrives as a window message. */
  port?: () => void;
  /** The real path of a dropped or chosen file. */
  pathForFile: (file: File) => string;
  /** What stands before a media id, "footnote-media://media/" for one. */
  mediaBase?: string;
};

declare global {
  interface Window {
    footnote?: DesktopBridge;
  }
}

/** Where this page runs: how it reaches the engine, media and the files people drop. */
export type Host = {
  kind: 'browser' | 'desktop';
  client: Client;
  onConnection: (listener: (state: ConnectionState) => void) => () => void;
  /** URL of a keyframe or clip. */
  mediaUrl: (mediaId: string) => string;
  /** Turns what was dropped or chosen into paths that the engine can read. */
  takeIn: TakeIn;
};

const DESKTOP_MEDIA_BASE = 'footnote-media://media/';

/** The desktop window. */
function desktopHost(page: Window, bridge: DesktopBridge): Host {
  const { client, onState } = connectClient(portSession(page, () => bridge.port?.()));
  const base = bridge.mediaBase ?? DESKTOP_MEDIA_BASE;
  return {
    kind: 'desktop',
    client,
    onConnection: onState,
    mediaUrl: (id) => base + id,
    takeIn: async (offered: Offered) => takePaths(offered, bridge.pathForFile),
  };
}

/** A browser tab at a host's own address. */
function browserHost(page: Window): Host {
  const url = new URL('/rpc', page.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const { client, onState } = connectClient(socketSession(url.href));
  return {
    kind: 'browser',
    client,
    onConnection: onState,
    mediaUrl: (id) => `/media/${id}`,
    takeIn: takeUploads,
  };
}

/** The host this page was opened by. */
export function findHost(page: Window): Host {
  return page.footnote ? desktopHost(page, page.footnote) : browserHost(page);
}
