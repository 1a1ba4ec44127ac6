import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  // The same files are served by a local host and by the desktop shell's protocol.
  base: './',
  build: {
    outDir: here('../dist/renderer'),
    emptyOutDir: true,
    // Inlined pictures would be data: addresses, which the page's content security policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { input: [here('index.html'), here('gallery.html')] },
  },
});
