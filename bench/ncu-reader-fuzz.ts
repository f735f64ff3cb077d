/**
 * Damages profiles in every way that files get damaged and reads them: no crash, no hang, and no number that is not
 * in an intact row of its launch. Prints Markdown. `node .bench/bench/ncu-reader-fuzz.js [FILES] [SEED]`
 */
import { availableParallelism, cpus } from 'node:os';
import { performance } from 'node:perf_hooks';
import process from 'node:process';

import { PawlError } from '../src/model/pawl-error.ts';
import { parseNcuProfile } from '../src/profile/ncu/ncu-profile.ts';
import { decodeNcuContent } from '../src/profile/ncu/ncu-text.ts';
import { Xoshiro128 } from '../src/stats/index.ts';
import { fuzzCorpus } from './ncu-fuzz/corpus.ts';
import { mutate } from './ncu-fuzz/mutate.ts';
import { violations } from './ncu-fuzz/oracle.ts';

const files = Number(process.argv[2] ?? 100_000);
const seed = Number(process.argv[3] ?? 1);
const corpus = fuzzCorpus('test/fixtures/ncu');
const random = new Xoshiro128(seed);
const counts = { read: 0, withProblems: 0, refused: 0, crashed: 0, wrong: 0, numbers: 0 };
let slowest_ms = 0;
let read_ms = 0;

for (let at = 0; at < files; at++) {
  const { bytes, how } = mutate(corpus, random);
  const started_ms = performance.now();
  try {
    const content = decodeNcuContent(bytes);
    if (content.kind !== 'text') {
      counts.refused += 1;
      continue;
    }
    const profile = parseNcuProfile(content.text);
    const took_ms = performance.now() - started_ms;
    slowest_ms = Math.max(slowest_ms, took_ms);
    read_ms += took_ms;
    counts.read += 1;
    if (profile.problems.length > 0) counts.withProblems += 1;
    counts.numbers += profile.launches.reduce((sum, { metrics }) => sum + metrics.size, 0);
    const wrong = violations(content.text, profile);
    if (wrong.length > 0) {
      counts.wrong += 1;
      console.error(`file ${at} (${how.join(', ')}): ${wrong.slice(0, 3).join('\n  ')}`);
    }
  } catch (error) {
    if (error instanceof PawlError) counts.refused += 1;
    else {
      counts.crashed += 1;
      console.error(`file ${at} (${how.join(', ')}): ${String((error as Error).stack)}`);
    }
  }
}

const whole = (value: number): string => value.toLocaleString('en-US');
console.log(`# Reading damaged profiles

${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} CPUs, Node ${process.versions.node}; ${new Date().toISOString()}; \`npx tsc -p tsconfig.bench.json && node .bench/bench/ncu-reader-fuzz.js ${files} ${seed}\`.

${whole(files)} files, each one to four times damaged from ${corpus.length} exports (bytes changed, removed and put in; lines cut, broken, doubled, dropped; fields and columns removed, added, swapped; numbers and units mangled; separators, quotes and decimal marks swapped; files cut off, joined, re-encoded). Every number of every result is looked for, by a second reader that shares no parsing code, in the intact rows of its launch and column.

| what | figure |
|---|--:|
| read, in whole or in part | ${whole(counts.read)} |
| of these with something left out and said | ${whole(counts.withProblems)} |
| refused with a reason | ${whole(counts.refused)} |
| numbers checked | ${whole(counts.numbers)} |
| files with a number that is in no intact row | ${whole(counts.wrong)} |
| crashes | ${whole(counts.crashed)} |
| mean and longest time to read a file | ${(read_ms / Math.max(1, counts.read)).toFixed(2)} ms, ${slowest_ms.toFixed(0)} ms |`);
process.exitCode = counts.wrong + counts.crashed > 0 ? 1 : 0;
