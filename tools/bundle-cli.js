/**
 * Bundles the command line into dist/cli, after tsc has compiled src/ to dist/ for programs.
 *
 *   node tools/bundle-cli.js
 *
 * A command then opens some ten files where it opened hundreds. `bench/startup.ts` measures what that saves.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { rolldown } from 'rolldown';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const cli = join(root, 'dist/cli');

/** A module of GROUPS. */
const sourceOf = (module) => join(root, 'src', `${module}.ts`);

/** What stays a package: native modules, and drivers that few need. */
const EXTERNAL = ['libsql', 'pg', 'pg-native', 'pg-cloudflare'];

const ENTRIES = {
  main: 'src/cli/main.ts',
  // A thread is a file of its own, which is looked for beside the file that starts it.
  'heartbeat-thread': 'src/tune/study/heartbeat-thread.ts',
};

/**
 * What is loaded together is one file: to open a file costs Node more than to read a few thousand bytes that are not
 * needed (docs/results/startup.md). The first group that has a module keeps it, with all that it imports.
 */
const GROUPS = [
  // Nearly every command needs these, and none of them imports a package.
  {
    name: 'common',
    modules: [
      'cli/exit-codes',
      'cli/report-failure',
      'cli/run-action',
      'config/find-config',
      'config/try-settings',
      'judge/judge-policy',
      'model/text/change-pct',
      'model/text/change-text',
      'model/defined',
      'model/text/did-you-mean',
      'model/text/moment',
      'os/named-failure',
      'model/history/run-kinds',
      'model/problem/variant-text',
      'model/judge/verdict',
      'model/version',
      'os/canonical-json',
      'os/migrate-tables',
      'os/postgres',
      'os/run-context',
      'os/write-durably',
      'report/text/comparison-text',
    ],
  },
  { name: 'commander', modules: ['cli/options'] },
  { name: 'stats', modules: ['stats/adjust-p', 'stats/binomial', 'stats/level-shifts'] },
  // What every question to a history needs.
  { name: 'store', modules: ['workflows/history'] },
  { name: 'history', modules: ['cli/history', 'report/terminal/history-terminal'] },
  { name: 'trend', modules: ['cli/trend', 'report/terminal/trend-terminal', 'workflows/trend'] },
];

const unknown = GROUPS.flatMap(({ modules }) => modules).filter((module) => !existsSync(sourceOf(module)));
if (unknown.length > 0) throw new Error(`GROUPS has modules that are not there: ${unknown.join(', ')}`);

await rm(cli, { recursive: true, force: true });
const build = await rolldown({
  cwd: root,
  input: ENTRIES,
  platform: 'node',
  external: [/^node:/, ...builtinModules, ...EXTERNAL],
  transform: { target: 'node20' },
  onLog: (level, log) => {
    if (level === 'warn') throw new Error(log.message);
  },
});
await build.write({
  dir: cli,
  format: 'esm',
  entryFileNames: '[name].js',
  // All in one folder: some code finds files relative to its own.
  chunkFileNames: '[name]-[hash].js',
  codeSplitting: {
    groups: GROUPS.map(({ name, modules }, index) => ({
      name,
      test: (id) => modules.some((module) => id === sourceOf(module)),
      priority: GROUPS.length - index,
    })),
  },
  minify: true,
  comments: { legal: true, annotation: false, jsdoc: false },
  // For src/cli/source-places.ts, which names files and lines of src/; their text is not needed for that.
  sourcemap: 'hidden',
  sourcemapExcludeSources: true,
});
await build.close();

// Pawl's own lessons, read and checked now and not each time that they are listed.
const text = await readFile(join(root, 'method/lessons.yaml'), 'utf8');
const { parseLessons } = await import(pathToFileURL(join(root, 'dist/learn/lessons/parse-lessons.js')).href);
const lessons = parseLessons(text, 'method/lessons.yaml');
const of = createHash('sha256').update(text).digest('hex');
await writeFile(join(root, 'dist/lessons.json'), JSON.stringify({ of, lessons }));

// For `man pawl`, where npm installs it.
const page = execFileSync(process.execPath, [join(cli, 'main.js'), 'man']);
await writeFile(join(root, 'dist/pawl.1'), page);
