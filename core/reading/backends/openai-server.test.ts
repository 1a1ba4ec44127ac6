import { afterEach, describe, expect, it } from 'vitest';
import { type ScriptedServer, startScriptedServer } from '../testing/scripted-server.ts';
import { serverAddress } from './loopback.ts';
import { createServerBackend, serverModels } from './openai-server.ts';

let server: ScriptedServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

describe('where a language server may be', () => {
  it.each(['http://127.0.0.1:11434/v1', 'http://localhost:1234/v1', 'http://[::1]:8080/v1'])(
    '%s is this computer',
    (address) => {
      expect(serverAddress(address).href).toContain(new URL(address).port);
    },
  );
  it.each([
    'http://example.org/v1',
    'http://127.0.0.1.example.org/v1',
    'http://localhost.example.org/v1',
    'http://192.168.1.20:11434/v1',
    'http://0.0.0.0:11434/v1',
    'file:///etc/passwd',
    'http://user:secret@127.0.0.1/v1',
    'not an address',
  ])('%s is refused', (address) => {
    expect(() => serverAddress(address)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
  });
  it('may be a host the person allowed by name, and no other', () => {
    expect(serverAddress('http://box.local:11434/v1', ['box.local']).hostname).toBe('box.local');
    expect(() => serverAddress('http://box.local.evil.org/v1', ['box.local'])).toThrow();
  });
});

describe('a language server', () => {
  it('streams its reply, and pictures go only to a model that looks', async () => {
    server = await startScriptedServer(() => 'ANSWER: zażółć gęślą jaźń');
    const pieces: string[] = [];
    const messages = [{ role: 'user', text: 'look', frames: [Uint8Array.of(1, 2)] }] as const;
    const blind = createServerBackend({ address: server.address, model: 'm' });
    const reply = await blind.chat(messages, { maxTokens: 9, onText: (piece) => pieces.push(piece) });
    expect(reply).toEqual({ text: 'ANSWER: zażółć gęślą jaźń', promptTokens: 100, replyTokens: 10 });
    expect(pieces.join('')).toBe(reply.text);
    expect(server.asked[0]?.messages[0]?.content).toBe('look');
    const seeing = createServerBackend({ address: server.address, model: 'm', looks: true });
    await seeing.chat(messages, { maxTokens: 9 });
    expect(JSON.stringify(server.asked[1]?.messages[0]?.content)).toContain('data:image/jpeg;base64,AQI=');
  });

  it('names what is wrong: not there, no such model, redirected elsewhere', async () => {
    const absent = createServerBackend({ address: 'http://127.0.0.1:9/v1', model: 'm' });
    await expect(absent.chat([{ role: 'user', text: 'hi' }], { maxTokens: 1 })).rejects.toMatchObject({
      code: 'MODEL_MISSING',
    });
    let status = 404;
    server = await startScriptedServer(() => status);
    const there = createServerBackend({ address: server.address, model: 'm' });
    await expect(there.chat([{ role: 'user', text: 'hi' }], { maxTokens: 1 })).rejects.toMatchObject({
      code: 'MODEL_MISSING',
      message: expect.stringContaining('does not have m'),
    });
    status = 302;
    await expect(there.chat([{ role: 'user', text: 'hi' }], { maxTokens: 1 })).rejects.toMatchObject({
      code: 'MODEL_MISSING',
    });
  });

  it('lists its models, and none where nobody answers', async () => {
    server = await startScriptedServer(() => '');
    expect(await serverModels(server.address)).toEqual(['scripted']);
    expect(await serverModels('http://127.0.0.1:9/v1')).toEqual([]);
  });
});
