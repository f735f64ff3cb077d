import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vite';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative addresses: the same files are served below any path, and put into one file by `pawl report --html`.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    modulePreload: false,
    // Nothing becomes a data: address by itself: a server's policy need not allow them.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 200,
  },
  // For `npx vite web`, beside a `pawl serve`.
  server: { proxy: { '/api': 'http://127.0.0.1:7557' } },
});
