import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RPCHandler } from '@orpc/server/ws';
import send from 'send';
import { WebSocketServer } from 'ws';
import { toFootnoteError } from '../contract/errors.ts';
import type { Engine } from '../engine/engine.ts';
import { Access } from './access.ts';
import { receiveUpload } from './upload.ts';

/** Nothing but our own files, and no inline code: what footage says can never become script. */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const INTERFACE_DIR = fileURLToPath(new URL('../../dist/renderer', import.meta.url));
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

export interface Serving {
  /** Address that opens the interface once. */
  newUrl(): string;
  port: number;
  close(): Promise<void>;
}

function plainAnswer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}

function sendFile(request: IncomingMessage, response: ServerResponse, path: string, type?: string): void {
  // Both parts of the path are ours (library or interface folder), never the request's.
  send(request, encodeURIComponent(path.slice(dirname(path).length + 1)), {
    root: dirname(path),
    index: false,
    dotfiles: 'allow',
    cacheControl: false,
  })
    .on('headers', (res: ServerResponse) => {
      if (type) res.setHeader('Content-Type', type);
      res.setHeader('Cache-Control', 'private, no-cache');
    })
    .on('error', (error: { status?: number }) => plainAnswer(response, error.status ?? 500, 'Not found.'))
    .pipe(response);
}

/**
 * Serves the interface, the contract over a WebSocket and media by id, on 127.0.0.1 only.
 * @param port 0 for any free one
 */
export async function serve(engine: Engine, { port = 0 }: { port?: number } = {}): Promise<Serving> {
  const server: Server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const actualPort = (server.address() as AddressInfo).port;
  const access = new Access(actualPort);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('Content-Security-Policy', CSP);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    if (!access.hostAllowed(request))
      return plainAnswer(response, 421, 'This server answers to its own address only.');
    const url = new URL(request.url ?? '/', `http://127.0.0.1:${actualPort}`);
    const token = url.searchParams.get('token');
    if (url.pathname === '/' && token !== null) {
      const cookie = access.redeem(token);
      if (!cookie && !access.signedIn(request)) {
        return plainAnswer(
          response,
          403,
          'This address was used already. Press Enter where Footnote runs, and open the new one.',
        );
      }
      response.writeHead(303, { Location: '/', ...(cookie ? { 'Set-Cookie': cookie } : {}) }).end();
      return;
    }
    if (!access.signedIn(request)) {
      return plainAnswer(
        response,
        401,
        'Open the address that Footnote printed. Press Enter where it runs for a new one.',
      );
    }
    if (url.pathname.startsWith('/upload/')) return upload(request, response, url);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return plainAnswer(response, 405, 'Not allowed.');
    if (url.pathname.startsWith('/media/')) {
      const file = await engine.mediaFile(url.pathname.slice('/media/'.length));
      if (!file) return plainAnswer(response, 404, 'Not found.');
      return sendFile(request, response, file.path, file.type);
    }
    send(request, url.pathname === '/' ? '/index.html' : url.pathname, {
      root: INTERFACE_DIR,
      dotfiles: 'deny',
      cacheControl: false,
    })
      .on('headers', (res: ServerResponse) => res.setHeader('Cache-Control', 'no-cache'))
      .on('error', (error: { status?: number }) => plainAnswer(response, error.status ?? 404, 'Not found.'))
      .on('directory', () => plainAnswer(response, 404, 'Not found.'))
      .pipe(response);
  }

  async function upload(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    if (request.method !== 'POST') return plainAnswer(response, 405, 'Not allowed.');
    if (!access.originAllowed(request))
      return plainAnswer(response, 403, 'Only the interface may hand over files.');
    const path = await receiveUpload(
      engine.library.inboxDir,
      url.pathname.slice('/upload/'.length),
      url.searchParams.get('name') ?? '',
      request,
    );
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ path }));
  }

  server.on('request', (request, response) => {
    handle(request, response).catch((error) => {
      const known = toFootnoteError(error);
      const status = known.code === 'BAD_REQUEST' ? 400 : known.code === 'DISK_FULL' ? 507 : 500;
      if (response.headersSent) response.destroy();
      else plainAnswer(response, status, known.message);
      request.resume();
    });
  });

  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const rpc = new RPCHandler(engine.router);
  sockets.on('connection', (socket) => {
    // A broken or oversized frame ends its connection; the interface connects anew.
    socket.on('error', () => socket.terminate());
    void rpc.upgrade(socket);
  });
  server.on('upgrade', (request, socket, head) => {
    const allowed =
      request.url === '/rpc' &&
      access.hostAllowed(request) &&
      request.headers.origin !== undefined &&
      access.originAllowed(request) &&
      access.signedIn(request);
    if (!allowed) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client, request));
  });

  return {
    port: actualPort,
    newUrl: () => `http://127.0.0.1:${actualPort}/?token=${access.issueToken()}`,
    async close() {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
