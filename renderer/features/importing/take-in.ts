/** One file that a person dropped or chose, with its path inside what was dropped ("DCIM/100GOPRO/GX010042.MP4"). */
export type OfferedFile = { file: File; name: string };

/** What a person dropped or chose: the top-level things, and every file in them once asked for. */
export type Offered = {
  /** Top-level files, and folders as the browser shows them (a File without content). */
  top: File[];
  /** All files, folders walked. */
  files: () => Promise<OfferedFile[]>;
};

export type TakeInProgress = {
  files: number;
  doneFiles: number;
  bytes: number;
  doneBytes: number;
  name: string;
};
export type TakeIn = (
  offered: Offered,
  onProgress: (progress: TakeInProgress) => void,
  signal: AbortSignal,
) => Promise<string[]>;

/** The desktop's way: the files stay where they are and the engine is given their paths. */
export function takePaths(offered: Offered, pathForFile: (file: File) => string): string[] {
  return offered.top.map(pathForFile).filter((path) => path !== '');
}

/**
 * The browser's way: a page is never told a path, so the bytes are copied into the library's inbox.
 * @throws Error when the host refuses a file; nothing is imported then
 */
export const takeUploads: TakeIn = async (offered, onProgress, signal) => {
  const files = apart(await offered.files());
  const batch = crypto.randomUUID();
  const all = files.reduce((sum, { file }) => sum + file.size, 0);
  const paths: string[] = [];
  let before = 0;
  for (const [index, { file, name }] of files.entries()) {
    const tell = (sent: number) =>
      onProgress({ files: files.length, doneFiles: index, bytes: all, doneBytes: before + sent, name });
    tell(0);
    paths.push(await upload(`/upload/${batch}?name=${encodeURIComponent(name)}`, file, tell, signal));
    before += file.size;
  }
  return paths;
};

/** Two files chosen from different folders may share a name; the later one gets a folder of its own. */
export function apart(files: OfferedFile[]): OfferedFile[] {
  const taken = new Set<string>();
  return files.map(({ file, name }) => {
    let free = name;
    for (let n = 2; taken.has(free); n += 1) free = `${n}/${name}`;
    taken.add(free);
    return { file, name: free };
  });
}

/** XMLHttpRequest and not fetch: only it tells how much of a body has been sent. */
function upload(
  url: string,
  file: File,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    request.open('POST', url);
    request.responseType = 'json';
    request.upload.addEventListener('progress', (event) => onSent(event.loaded));
    request.addEventListener('loadend', () => {
      signal.removeEventListener('abort', stop);
      const reply: unknown = request.response;
      if (signal.aborted) reject(signal.reason);
      else if (request.status === 200 && hasPath(reply)) resolve(reply.path);
      else reject(new UploadFailed(file.name, request.status));
    });
    signal.addEventListener('abort', stop, { once: true });
    request.send(file);
  });
}

function hasPath(reply: unknown): reply is { path: string } {
  return typeof reply === 'object' && reply !== null && 'path' in reply && typeof reply.path === 'string';
}

/** A file the host did not take. `status` is the HTTP status, 0 when the host could not be reached. */
export class UploadFailed extends Error {
  readonly fileName: string;
  readonly status: number;

  constructor(fileName: string, status: number) {
    super(`${fileName} was not taken (${status}).`);
    this.name = 'UploadFailed';
    this.fileName = fileName;
    this.status = status;
  }
}

/** What lies in a drop. Must be called inside the drop event: the browser empties the transfer afterwards. */
export function offeredByDrop(transfer: DataTransfer): Offered {
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  const top = [...transfer.files];
  return {
    top,
    files: async () => {
      if (entries.length === 0) return top.map((file) => ({ file, name: file.name }));
      const found = await Promise.all(entries.map(walk));
      return found.flat();
    },
  };
}

/** What a file input holds. */
export function offeredByInput(list: FileList): Offered {
  const top = [...list];
  return {
    top,
    files: async () => top.map((file) => ({ file, name: file.webkitRelativePath || file.name })),
  };
}

async function walk(entry: FileSystemEntry): Promise<OfferedFile[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ file, name: entry.fullPath.replace(/^\//, '') }];
  }
  if (!isFolder(entry)) return [];
  const reader = entry.createReader();
  const found: OfferedFile[] = [];
  for (;;) {
    // A reader gives at most 100 entries at a time and an empty list at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return found;
    for (const child of some) found.push(...(await walk(child)));
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
