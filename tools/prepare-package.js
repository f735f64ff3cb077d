/**
 * What npm runs before it packs or installs Pawl from its sources.
 *
 *   node tools/prepare-package.js build   builds where nothing is built yet (`prepare`: a git address, a fresh clone)
 *   node tools/prepare-package.js check   refuses a package that is incomplete (`prepack`)
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { argv, env, exit, stderr } from 'node:process';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** Files that some command fails without, or that package.json names. */
const NEEDED = [
  'bin/pawl',
  'dist/cli/main.js',
  'dist/cli/heartbeat-thread.js',
  'dist/index.js',
  'dist/index.d.ts',
  'dist/stats/index.js',
  'dist/stats/index.d.ts',
  'dist/lessons.json',
  'dist/pawl.1',
  'docs/schemas/pawl-yaml.json',
  'method/gates.yaml',
  'method/lessons.yaml',
  'runner/include/pawl_kernel.h',
  'runner/python',
  'runner/src',
  'web/dist/index.html',
  'web/dist/assets',
];

async function missing() {
  const absent = NEEDED.filter((file) => !existsSync(join(root, file)));
  // A page without its script and styles is an empty page.
  const assets = existsSync(join(root, 'web/dist/assets'))
    ? await readdir(join(root, 'web/dist/assets'))
    : [];
  for (const ending of ['.js', '.css']) {
    if (!assets.some((name) => name.endsWith(ending))) absent.push(`web/dist/assets/*${ending}`);
  }
  return absent;
}

const absent = await missing();
if (argv[2] === 'build') {
  // `make` installs first and builds then by itself. Without the packages for development there is nothing to build with.
  const canBuild = existsSync(join(root, 'node_modules/rolldown'));
  if (absent.length > 0 && canBuild && env.PAWL_PREPARE !== 'no') {
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 2, 2] });
  }
} else if (absent.length > 0) {
  stderr.write(`This package is incomplete: ${absent.join(', ')} missing.\n  → run: make build\n`);
  exit(1);
}
