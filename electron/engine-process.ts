import { MessageChannelMain, type MessagePortMain, type UtilityProcess, utilityProcess } from 'electron';
import type { FromEngine, ToEngine } from './messages.ts';
import { RelayedChildren } from './relayed-children.ts';
import { Restarts } from './restarts.ts';

export interface EngineProcessOptions {
  /** Built entries: engine, models and perception. */
  entries: { engine: string; models: string; perception: string };
  /** Library folder; null for the default one. */
  library: string | null;
  /** The engine is up (again): whoever had a port needs a new one. */
  onReady(): void;
  /** The engine cannot start, and starting it again would not help. */
  onRefused(message: string): void;
}

/** What the engine may take to close its store before it is ended, ms. */
const CLOSING_MS = 5000;

/** The engine in a process of its own: started, started again when it dies, and ended with the app. */
export class EngineProcess {
  readonly #options: EngineProcessOptions;
  readonly #restarts = new Restarts();
  #process: UtilityProcess | null = null;
  #ready = false;
  #quitting = false;
  #requests = new Map<number, (file: { path: string; type: string } | null) => void>();
  #lastRequest = 0;

  constructor(options: EngineProcessOptions) {
    this.#options = options;
  }

  start(): void {
    const { entries, library } = this.#options;
    const started = performance.now();
    const child = utilityProcess.fork(entries.engine, library ? ['--library', library] : [], {
      serviceName: 'Footnote engine',
      stdio: 'inherit',
    });
    const children = new RelayedChildren(
      (entry) =>
        utilityProcess.fork(entries[entry], [], { serviceName: `Footnote ${entry}`, stdio: 'ignore' }),
      (message) => child.postMessage(message),
    );
    this.#process = child;
    child.on('message', (message: FromEngine) => {
      children.receive(message);
      this.#receive(message);
    });
    child.once('exit', () => {
      children.endAll();
      this.#process = null;
      this.#ready = false;
      for (const answer of this.#requests.values()) answer(null);
      this.#requests.clear();
      if (this.#quitting) return;
      setTimeout(
        () => {
          if (!this.#quitting) this.start();
        },
        this.#restarts.after(performance.now() - started),
      );
    });
  }

  /** One end of a new channel to the engine; null while it is not up. */
  openPort(): MessagePortMain | null {
    if (!this.#process || !this.#ready) return null;
    const { port1, port2 } = new MessageChannelMain();
    const connect: ToEngine = { type: 'connect' };
    this.#process.postMessage(connect, [port1]);
    return port2;
  }

  /** File of a media id; null when there is none, or the engine is not up. */
  mediaFile(mediaId: string): Promise<{ path: string; type: string } | null> {
    const child = this.#process;
    if (!child || !this.#ready) return Promise.resolve(null);
    return new Promise((resolve) => {
      const request = ++this.#lastRequest;
      this.#requests.set(request, resolve);
      const ask: ToEngine = { type: 'media', request, mediaId };
      child.postMessage(ask);
    });
  }

  /** Lets the engine close its library; ends it when that takes too long. */
  async stop(): Promise<void> {
    this.#quitting = true;
    const child = this.#process;
    if (!child) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const late = setTimeout(() => child.kill(), CLOSING_MS);
    const quit: ToEngine = { type: 'quit' };
    child.postMessage(quit);
    await ended;
    clearTimeout(late);
  }

  #receive(message: FromEngine): void {
    if (message.type === 'ready') {
      this.#ready = true;
      this.#options.onReady();
    } else if (message.type === 'refused') {
      this.#quitting = true;
      this.#options.onRefused(message.message);
    } else if (message.type === 'media') {
      this.#requests.get(message.request)?.(message.file);
      this.#requests.delete(message.request);
    }
  }
}
