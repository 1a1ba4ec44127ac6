/**
 * The few system calls a WebAssembly command-line program needs to read its arguments and write files, all in memory:
 * it sees nothing of the computer. Names, numbers and layouts are those of WASI preview 1. Node's own node:wasi is not
 * used: it is experimental, says so on every start, and its native calls took the process down on Node 20.
 */

/** What is used of the global WebAssembly, which Node's types leave out. */
interface WasmApi {
  compile(bytes: Uint8Array): Promise<WasmProgram>;
  instantiate(
    program: WasmProgram,
    imports: Record<string, Record<string, (...args: never[]) => number>>,
  ): Promise<{ exports: { memory: { buffer: ArrayBuffer }; _start: () => void } }>;
}
export interface WasmProgram {
  readonly [Symbol.toStringTag]: string;
}
const wasm = (globalThis as unknown as { WebAssembly: WasmApi }).WebAssembly;

export function compileProgram(bytes: Uint8Array): Promise<WasmProgram> {
  return wasm.compile(bytes);
}

/** Thrown out of the program by its own exit. */
class ProgramExit extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

const OK = 0;
const BAD_FILE = 8;
const NO_ENTRY = 44;
const NOT_SUPPORTED = 58;
/** The one folder the program is given; 0 to 2 are its standard streams. */
const FOLDER_FD = 3;
const FOLDER = '/out';
const TYPE_DIRECTORY = 3;
const TYPE_FILE = 4;
const TYPE_CHARACTER = 2;
const CREATE = 1;
const TRUNCATE = 8;

interface OpenFile {
  name: string;
  at: number;
}

class MemoryFile {
  #bytes = new Uint8Array(1 << 16);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  clear(): void {
    this.#size = 0;
  }

  write(at: number, data: Uint8Array): void {
    const end = at + data.length;
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(end, this.#bytes.length * 2));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(data, at);
    this.#size = Math.max(this.#size, end);
  }

  contents(from = 0, to = this.#size): Uint8Array {
    return this.#bytes.slice(from, Math.min(to, this.#size));
  }
}

/**
 * Runs a program to its end.
 * @param args what it sees as its command line, its own name first; files it may write lie under /out
 * @returns its exit code and the files it wrote, by name
 */
export async function runInMemory(
  program: WasmProgram,
  args: readonly string[],
): Promise<{ code: number; files: Map<string, Uint8Array> }> {
  const files = new Map<string, MemoryFile>();
  const open = new Map<number, OpenFile>();
  let nextFd = FOLDER_FD + 1;
  let memory: { buffer: ArrayBuffer };
  const view = () => new DataView(memory.buffer);
  const bytes = (at: number, length: number) => new Uint8Array(memory.buffer, at, length);
  const text = (at: number, length: number) => new TextDecoder().decode(bytes(at, length).slice());
  const argv = args.map((arg) => new TextEncoder().encode(`${arg}\0`));

  /** The pieces of an I/O vector. */
  const pieces = (at: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({
      at: view().getUint32(at + i * 8, true),
      length: view().getUint32(at + i * 8 + 4, true),
    }));

  const calls = {
    args_sizes_get(count: number, size: number) {
      view().setUint32(count, argv.length, true);
      view().setUint32(
        size,
        argv.reduce((sum, a) => sum + a.length, 0),
        true,
      );
      return OK;
    },
    args_get(pointers: number, buffer: number) {
      let at = buffer;
      argv.forEach((arg, i) => {
        view().setUint32(pointers + i * 4, at, true);
        bytes(at, arg.length).set(arg);
        at += arg.length;
      });
      return OK;
    },
    // A fixed clock: the same text gives the same sound.
    clock_time_get(_id: number, _precision: bigint, at: number) {
      view().setBigUint64(at, 0n, true);
      return OK;
    },
    fd_close(fd: number) {
      return open.delete(fd) ? OK : BAD_FILE;
    },
    fd_fdstat_get(fd: number, at: number) {
      const type =
        fd === FOLDER_FD ? TYPE_DIRECTORY : open.has(fd) ? TYPE_FILE : fd < FOLDER_FD ? TYPE_CHARACTER : 0;
      if (type === 0) return BAD_FILE;
      bytes(at, 24).fill(0);
      view().setUint8(at, type);
      const everyRight = 0xff_ff_ff_ffn;
      view().setBigUint64(at + 8, everyRight, true);
      view().setBigUint64(at + 16, everyRight, true);
      return OK;
    },
    fd_fdstat_set_flags: () => NOT_SUPPORTED,
    fd_prestat_get(fd: number, at: number) {
      if (fd !== FOLDER_FD) return BAD_FILE;
      view().setUint32(at, 0, true);
      view().setUint32(at + 4, FOLDER.length, true);
      return OK;
    },
    fd_prestat_dir_name(fd: number, at: number, length: number) {
      if (fd !== FOLDER_FD) return BAD_FILE;
      bytes(at, length).set(new TextEncoder().encode(FOLDER).subarray(0, length));
      return OK;
    },
    path_open(
      _folder: number,
      _lookup: number,
      path: number,
      length: number,
      openFlags: number,
      _rights: bigint,
      _inherited: bigint,
      _flags: number,
      result: number,
    ) {
      const name = text(path, length);
      const known = files.get(name);
      if (!known && !(openFlags & CREATE)) return NO_ENTRY;
      if (!known) files.set(name, new MemoryFile());
      else if (openFlags & TRUNCATE) known.clear();
      const fd = nextFd++;
      open.set(fd, { name, at: 0 });
      view().setUint32(result, fd, true);
      return OK;
    },
    fd_read(fd: number, vector: number, count: number, result: number) {
      const file = open.get(fd);
      if (!file) return BAD_FILE;
      let read = 0;
      for (const piece of pieces(vector, count)) {
        const data = files.get(file.name)!.contents(file.at, file.at + piece.length);
        bytes(piece.at, data.length).set(data);
        file.at += data.length;
        read += data.length;
      }
      view().setUint32(result, read, true);
      return OK;
    },
    fd_write(fd: number, vector: number, count: number, result: number) {
      const file = open.get(fd);
      if (!file && (fd < 1 || fd >= FOLDER_FD)) return BAD_FILE;
      let written = 0;
      for (const piece of pieces(vector, count)) {
        if (file) {
          files.get(file.name)!.write(file.at, bytes(piece.at, piece.length));
          file.at += piece.length;
        }
        written += piece.length;
      }
      view().setUint32(result, written, true);
      return OK;
    },
    fd_seek(fd: number, offset: bigint, whence: number, result: number) {
      const file = open.get(fd);
      if (!file) return BAD_FILE;
      const from = [0, file.at, files.get(file.name)!.size][whence] ?? 0;
      file.at = Math.max(0, from + Number(offset));
      view().setBigUint64(result, BigInt(file.at), true);
      return OK;
    },
    proc_exit(code: number) {
      throw new ProgramExit(code);
    },
  };

  const instance = await wasm.instantiate(program, { wasi_snapshot_preview1: calls });
  memory = instance.exports.memory;
  let code = 0;
  try {
    instance.exports._start();
  } catch (error) {
    if (!(error instanceof ProgramExit)) throw error;
    code = error.code;
  }
  return { code, files: new Map([...files].map(([name, file]) => [name, file.contents()])) };
}
