import { readFile, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Bundles the desktop app's own code into dist/electron. Packages stay outside: their native parts must be found in
 * node_modules, and the packaged app brings those. Usage: node electron/build.mjs [FOLDER], a folder inside the project.
 */
const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const outdir = resolve(process.argv[2] ?? join(root, 'dist', 'electron'));
/** From the bundles back to the root of the project, or of the packaged app. */
const ROOT_FROM_BUNDLE = `${relative(outdir, root).split(sep).join('/')}/`;

/**
 * In a bundle every source would believe that it lies beside the bundle. Each keeps its own place instead, so that the
 * data files and packages it looks for beside itself are found, here and in the packaged app.
 */
const keepPlaces = {
  name: 'keep-places',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (path.includes(`${sep}node_modules${sep}`) || !source.includes('import.meta.url')) return null;
      const place = JSON.stringify(relative(root, path).split(sep).join('/'));
      const contents = source
        .replaceAll('import.meta.url', `new URL(${place}, __appRoot).href`)
        .replaceAll('import.meta.resolve(', '__resolveFromApp(');
      return { contents, loader: 'ts' };
    });
  },
};

const banner = {
  js: [
    "import { createRequire as __createRequire } from 'node:module';",
    "import { pathToFileURL as __toUrl } from 'node:url';",
    // In a packaged app, files that native code reads (weights, ffmpeg) lie beside the archive, not in it.
    `const __appRoot = new URL('${ROOT_FROM_BUNDLE}', import.meta.url.replace('/app.asar/', '/app.asar.unpacked/'));`,
    'const __resolveFromApp = (name) => __toUrl(__createRequire(__appRoot).resolve(name)).href;',
  ].join('\n'),
};

const common = {
  bundle: true,
  outdir,
  platform: 'node',
  // Node 22 is what the pinned Electron has inside at the least.
  target: 'node22',
  packages: 'external',
  sourcemap: false,
  legalComments: 'none',
  logLevel: 'warning',
};

await rm(outdir, { recursive: true, force: true });
await build({
  ...common,
  format: 'esm',
  // What a process loads at first use stays a file of its own; in one bundle its packages would be loaded at every start.
  splitting: true,
  chunkNames: 'part-[name]-[hash]',
  outExtension: { '.js': '.mjs' },
  entryPoints: {
    engine: join(root, 'electron', 'engine-entry.ts'),
    models: join(root, 'models', 'process.ts'),
    perception: join(root, 'core', 'perception', 'process.ts'),
  },
  plugins: [keepPlaces],
  banner,
});
await build({
  ...common,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  entryPoints: {
    main: join(root, 'electron', 'main.ts'),
    preload: join(root, 'electron', 'preload.ts'),
  },
});
process.stdout.write(`Built ${relative(root, outdir)}.\n`);
