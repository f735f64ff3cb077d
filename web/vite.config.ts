import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vite';

import { PROFILE_FIGURE_STYLE } from '../src/report/svg/profile-figure-style.ts';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative addresses: the same files are served below any path, and put into one file by `pawl report --html`.
  base: './',
  // The look of the figures that reports and the dashboard share.
  plugins: [
    {
      name: 'figures',
      resolveId: (id) => (id === 'virtual:figures.css' ? '\0figures.css' : undefined),
      load: (id) => (id === '\0figures.css' ? PROFILE_FIGURE_STYLE : undefined),
    },
  ],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    // The first ones that have light-dark(): made into older CSS it would follow the system and not the page's choice.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: false,
    // Nothing becomes a data: address by itself: a server's policy need not allow them.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 250,
  },
  // For `npx vite web`, beside a `pawl serve`.
  server: { proxy: { '/api': 'http://127.0.0.1:7557' } },
});
