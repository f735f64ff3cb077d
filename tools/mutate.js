/**
 * Mutation testing: changes one place of a room at a time and looks whether a test of that room notices.
 *
 *   node tools/mutate.js [--rooms judge,ratchet] [--sample 0.25] [--seed 1] [--slow-ms 60] [--name pattern] [test files]
 *
 * The mutants live in what vitest loads, never in the files. A run that is stopped goes on from its journal, in
 * .pawl/mutate/; after a change to a test file only its tests are run again.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process, { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { startVitest } from 'vitest/node';

import { withMutants } from './mutate/find-mutants.js';
import { readJournal } from './mutate/journal.js';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rooms: { type: 'string', default: 'judge,ratchet,correctness,stats' },
    sample: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    'slow-ms': { type: 'string', default: '60' },
    name: { type: 'string' },
  },
});
/** These compile or start processes: too slow to be run a thousand times. */
const TOO_SLOW = ['update-baseline', 'verify-history', 'base-judge/judge-changes'];
const rooms = options.rooms.split(',');
const sha = (text) => createHash('sha256').update(text).digest('hex');

const files = rooms.flatMap((room) => filesUnder(`src/${room}`));
const all = [];
const mutated = new Map();
for (const path of files) {
  const idOf = (mutant) => {
    const key = `${mutant.path}:${mutant.line}:${mutant.column} ${mutant.change}`;
    all.push({ ...mutant, id: all.length, key, room: path.split('/')[1] });
    return all.length - 1;
  };
  mutated.set(join(root, path), withMutants(path, readFileSync(join(root, path), 'utf8'), idOf));
}
// By a hash of the place, so that a larger sample holds the smaller one.
const share = (key) => Number.parseInt(sha(`${options.seed} ${key}`).slice(0, 8), 16) / 2 ** 32;
const mutants = all.filter(({ key }) => share(key) < Number(options.sample));

const folder = join(root, '.pawl/mutate');
mkdirSync(folder, { recursive: true });
const sources = files.map((path) => readFileSync(join(root, path), 'utf8')).join('');
const journal = join(folder, `${sha(sources).slice(0, 12)}.jsonl`);
const tests = rooms.flatMap((room) => filesUnder(`test/${room}`));
const versions = Object.fromEntries(
  tests.map((path) => [path, sha(readFileSync(join(root, path))).slice(0, 12)]),
);
env.PAWL_MUTATE_PLAN = join(folder, 'plan.json');
writeFileSync(
  env.PAWL_MUTATE_PLAN,
  JSON.stringify({ mutants, count: all.length, journal, versions, slow_ms: Number(options['slow-ms']) }),
);
console.log(`${mutants.length} of ${all.length} mutants, journal ${journal}`);

await startVitest(
  'test',
  positionals.length > 0 ? positionals : rooms.map((room) => `test/${room}/`),
  {
    root,
    watch: false,
    // Its projects have options of their own, which would win.
    config: false,
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/global-setup.ts',
    setupFiles: 'test/each-file.ts',
    hookTimeout: 240_000,
    exclude: TOO_SLOW.map((name) => `test/*/${name}.test.ts`),
    pool: 'forks',
    maxWorkers: 1,
    isolate: false,
    retry: 0,
    testNamePattern: options.name,
    runner: join(root, 'tools/mutate/mutation-runner.js'),
    disableConsoleIntercept: true,
    // A test counts each run of itself, and is as long as its mutants are many.
    testTimeout: 0,
    reporters: [{ onTestRunEnd: printReport }],
  },
  {
    plugins: [
      {
        name: 'mutants',
        enforce: 'pre',
        transform: (_, id) => mutated.get(id) && { code: mutated.get(id), map: null },
      },
    ],
  },
);

function printReport(modules) {
  const unsound = modules.flatMap((module) => [...module.children.allTests('failed')]);
  for (const test of unsound) console.log(`failed without a mutant: ${test.fullName}`);
  for (const error of modules.flatMap((module) => module.errors()))
    console.log(`failed to load: ${error.message}`);
  const found = readJournal(journal, versions);
  const survivors = [...found.lived.values()];
  const stateOf = ({ key }) => {
    if (found.killed.has(key)) return 'killed';
    if (survivors.some((keys) => keys.has(key))) return 'survived';
    if (found.slow.has(key)) return 'slow';
    return found.loaded.has(key) ? 'at load' : 'not reached';
  };
  const lines = [];
  for (const room of rooms) {
    const count = { killed: 0, survived: 0, slow: 0, 'at load': 0, 'not reached': 0 };
    for (const mutant of mutants.filter((each) => each.room === room)) {
      const state = stateOf(mutant);
      count[state] += 1;
      if (state !== 'killed') lines.push(`${state}: ${mutant.key}`);
    }
    const score = ((100 * count.killed) / (count.killed + count.survived)).toFixed(1);
    console.log(`${room}: ${score} % of the reached are killed`, JSON.stringify(count));
  }
  const report = join(folder, 'survivors.txt');
  writeFileSync(report, `${lines.join('\n')}\n`);
  console.log(`what was not killed: ${report}`);
  if (unsound.length > 0) process.exitCode = 1;
}

function filesUnder(path) {
  const names = readdirSync(join(root, path), { recursive: true }).map(String);
  return names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${path}/${name}`)
    .sort();
}
