/**
 * Every sampler on every recorded space of a folder (docs/results/samplers.md):
 *
 *     npx tsc -p tsconfig.bench.json
 *     node .bench/bench/samplers.js [DIR] [--generated 0] [--hidden 0] [--seeds 100] [--budgets 120,220] [--jobs CPUS]
 *       [--samplers model,tpe] [--ablations] [--out .bench/samplers]
 *
 * Writes OUT.jsonl, a line a search, as it goes: searches in it are not run again. Prints Markdown and writes OUT.json.
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { ABLATIONS, CONTENDERS } from './samplers/contenders.ts';
import { HIDDEN_RULES } from './samplers/hidden-rule-space.ts';
import { report } from './samplers/report.ts';
import { runSearches } from './samplers/run-searches.ts';
import { jobKey } from './samplers/search-job.ts';
import type { SearchJob, SearchResult } from './samplers/search-job.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    generated: { type: 'string', default: '0' },
    hidden: { type: 'string', default: '0' },
    seeds: { type: 'string', default: '100' },
    budgets: { type: 'string', default: '120,220' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    samplers: { type: 'string', multiple: true },
    only: { type: 'string', default: '' },
    ablations: { type: 'boolean', default: false },
    out: { type: 'string', default: '.bench/samplers' },
  },
});

const budgets = values.budgets.split(',').map(Number);
const trials = Math.max(...budgets);
const directory = positionals[0];
const spaces = [
  ...(directory === undefined ? [] : readdirSync(directory).sort())
    .filter((name) => name.endsWith('.json') && new RegExp(values.only, 'u').test(name))
    .map((name) => join(directory!, name)),
  ...Array.from({ length: Number(values.generated) }, (_, index) => `generated:${index + 1}`),
  ...Object.keys(HIDDEN_RULES).flatMap((rule) =>
    Array.from({ length: Number(values.hidden) }, (_, index) => `${rule}:${index + 1}`),
  ),
];
const samplers = [
  // The settings of a `model{…}` have commas of their own.
  ...(values.samplers?.flatMap((text) => (text.includes('{') ? [text] : text.split(','))) ?? CONTENDERS),
  ...(values.ablations ? Object.keys(ABLATIONS) : []),
];
const jobs = Array.from({ length: Number(values.seeds) }, (_, seed) =>
  samplers.flatMap((sampler) =>
    spaces.map((space): SearchJob => ({ space, sampler, seed: seed + 1, trials })),
  ),
).flat();

const log = `${values.out}.jsonl`;
mkdirSync(dirname(log), { recursive: true });
const known = new Map(readLog(log).map((result) => [jobKey(result), result]));
const missing = jobs.filter((job) => !known.has(jobKey(job)));
await runSearches(missing, Number(values.jobs), (result, done) => {
  known.set(jobKey(result), result);
  appendFileSync(log, `${JSON.stringify(result)}\n`);
  if (process.stderr.isTTY) process.stderr.write(`\r${done}/${missing.length} searches`);
});
const { markdown, summary } = await report(
  jobs.map((job) => known.get(jobKey(job))!),
  budgets,
);
writeFileSync(`${values.out}.json`, `${JSON.stringify(summary, undefined, 2)}\n`);
console.log(markdown);

/** A run that was stopped may have left half a line. */
function readLog(file: string): SearchResult[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as SearchResult);
}
