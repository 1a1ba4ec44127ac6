import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import type { Session } from './reconnecting-link.ts';

/** Word the desktop preload sends with the port that leads to the engine. */
export const PORT_MESSAGE = 'footnote:port';
const CONNECT_TIMEOUT_MS = 8000;

/** Opens the WebSocket of the host that served this page; its cookie says who we are. */
export function socketSession(url: string): () => Promise<Session> {
  return () =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(url);
      const late = setTimeout(() => socket.close(), CONNECT_TIMEOUT_MS);
      const closed = new Promise<void>((end) => {
        socket.addEventListener('close', () => {
          clearTimeout(late);
          reject(new Error('The host did not take the connection.'));
          end();
        });
      });
      socket.addEventListener('open', () => {
        clearTimeout(late);
        resolve({ link: new SocketLink({ websocket: socket }), closed });
      });
    });
}

/**
 * Takes the port that the desktop preload hands over. The shell sends another one whenever the engine was started again,
 * which ends the session before it.
 * @param ask asks the shell for a port; called once for each session wanted
 */
export function portSession(page: Window, ask: () => void): () => Promise<Session> {
  let arrived: MessagePort | null = null;
  let deliver: ((port: MessagePort) => void) | null = null;
  let endCurrent: (() => void) | null = null;
  page.addEventListener('message', (event) => {
    const port = event.ports[0];
    if (event.source !== page || event.data !== PORT_MESSAGE || !port) return;
    if (deliver) {
      deliver(port);
      deliver = null;
      return;
    }
    arrived = port;
    endCurrent?.();
  });

  const next = () =>
    new Promise<MessagePort>((resolve, reject) => {
      if (arrived) {
        resolve(arrived);
        arrived = null;
        return;
      }
      const late = setTimeout(() => {
        deliver = null;
        reject(new Error('The shell handed over no port.'));
      }, CONNECT_TIMEOUT_MS);
      deliver = (port) => {
        clearTimeout(late);
        resolve(port);
      };
      ask();
    });

  return async () => {
    const port = await next();
    const closed = new Promise<void>((end) => {
      endCurrent = end;
      port.addEventListener('close', () => end());
    });
    const link = new PortLink({ port });
    port.start();
    return { link, closed };
  };
}
