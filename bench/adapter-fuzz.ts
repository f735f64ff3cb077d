/**
 * Damages other tools' files in every way that files get damaged and imports them: no crash, no hang, no time that is
 * not in the file; and changes single numbers: times must follow, and nothing else may move them. Prints Markdown.
 * `node .bench/bench/adapter-fuzz.js [FILES] [SEED]`
 */
import { availableParallelism, cpus } from 'node:os';
import { performance } from 'node:perf_hooks';
import process from 'node:process';

import { PawlError } from '../src/model/pawl-error.ts';
import { nextBelow, Xoshiro128 } from '../src/stats/index.ts';
import { adapterCorpus, readFuzzFile } from './adapter-fuzz/corpus.ts';
import { mutate } from './adapter-fuzz/mutate.ts';
import { changeNumber, wronglyTaken } from './adapter-fuzz/numbers.ts';
import { timesOf, violations } from './adapter-fuzz/oracle.ts';

const files = Number(process.argv[2] ?? 50_000);
const seed = Number(process.argv[3] ?? 1);
const corpus = adapterCorpus('test/fixtures/adapters');
const random = new Xoshiro128(seed);
const counts = {
  read: 0,
  withNotes: 0,
  refused: 0,
  crashed: 0,
  wrong: 0,
  times: 0,
  changed: 0,
  changedTimes: 0,
  taken: 0,
};
let slowest_ms = 0;

function say(at: number, how: readonly string[], what: string): void {
  console.error(`file ${at} (${how.join(', ')}): ${what}`);
}

for (let at = 0; at < files; at++) {
  // Every fourth file has one number changed and is otherwise intact.
  if (at % 4 === 0) {
    const original = corpus[nextBelow(random, corpus.length)]!;
    const change = changeNumber(original, random);
    if (change !== undefined) {
      counts.changed += 1;
      if (change.isTime) counts.changedTimes += 1;
      const wrong = wronglyTaken(original, change);
      if (wrong !== undefined) {
        counts.taken += 1;
        say(at, [original.name], wrong);
      }
      continue;
    }
  }
  const { file, how } = mutate(corpus, random);
  const started_ms = performance.now();
  try {
    const reading = readFuzzFile(file);
    slowest_ms = Math.max(slowest_ms, performance.now() - started_ms);
    counts.read += 1;
    if (reading.notes.some(({ kind }) => kind !== 'unit')) counts.withNotes += 1;
    counts.times += timesOf(reading.measurements).length;
    const wrong = violations(file, reading);
    if (wrong.length > 0) {
      counts.wrong += 1;
      say(at, how, wrong.slice(0, 3).join('\n  '));
    }
  } catch (error) {
    slowest_ms = Math.max(slowest_ms, performance.now() - started_ms);
    if (error instanceof PawlError) counts.refused += 1;
    else {
      counts.crashed += 1;
      say(at, how, String((error as Error).stack));
    }
  }
}

const whole = (value: number): string => value.toLocaleString('en-US');
console.log(`# Importing damaged files

${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} CPUs, Node ${process.versions.node}; ${new Date().toISOString()}; \`npx tsc -p tsconfig.bench.json && node .bench/bench/adapter-fuzz.js ${files} ${seed}\`.

${whole(files)} files out of ${corpus.length}, of ten formats. Three in four were damaged one to three times: bits, pieces and lines changed, lost and doubled; numbers replaced, negated and scaled; places of the JSON removed, renamed, wrapped, doubled and replaced, also by hostile text; files cut off, joined and re-encoded; companion files damaged, exchanged and lost. Every time of every result is looked for among all numbers in the file, by a pattern that shares no code with the readers. One in four was left intact but for one number: a time, by a list written by hand, must change the result or be refused; any other number must change no time.

| what | figure |
|---|--:|
| damaged files read, in whole or in part | ${whole(counts.read)} |
| of these with something left out or doubted, and said | ${whole(counts.withNotes)} |
| refused with a reason | ${whole(counts.refused)} |
| times checked | ${whole(counts.times)} |
| files with a time that is not in the file, or is no time | ${whole(counts.wrong)} |
| numbers changed, of these times | ${whole(counts.changed)}, ${whole(counts.changedTimes)} |
| changed numbers taken wrongly | ${whole(counts.taken)} |
| crashes | ${whole(counts.crashed)} |
| longest time to read a file | ${slowest_ms.toFixed(0)} ms |`);
process.exitCode = counts.wrong + counts.crashed + counts.taken > 0 ? 1 : 0;
