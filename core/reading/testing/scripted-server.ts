/** A language server for tests: real HTTP and streaming, replies from a script. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  model: string;
  messages: { role: string; content: string }[];
}

export interface ScriptedServer {
  address: string;
  /** Every request that came, as sent. */
  asked: Asked[];
  close(): Promise<void>;
}

/** @param reply what the model says to a request; 'hang' never ends, 'break' cuts the reply off, a number is a status */
export async function startScriptedServer(
  reply: (asked: Asked, turn: number) => string | number,
): Promise<ScriptedServer> {
  const asked: Asked[] = [];
  const server: Server = createServer(async (request, response) => {
    if (request.url === '/v1/models') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data: [{ id: 'scripted' }] }));
      return;
    }
    const body = JSON.parse(await read(request)) as Asked;
    asked.push(body);
    const said = reply(body, asked.length);
    if (typeof said === 'number') {
      response.statusCode = said;
      if (said === 302) response.setHeader('location', 'http://127.0.0.1:9/elsewhere');
      response.end();
      return;
    }
    response.setHeader('content-type', 'text/event-stream');
    const send = (value: unknown) => response.write(`data: ${JSON.stringify(value)}\n\n`);
    for (const piece of said.match(/[\s\S]{1,7}/g) ?? []) send({ choices: [{ delta: { content: piece } }] });
    if (said === 'hang') return;
    if (said === 'break') {
      response.destroy();
      return;
    }
    send({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 10 } });
    response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/v1`,
    asked,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}
