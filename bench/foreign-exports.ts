/**
 * What diagnosis makes of exports that others published: reads every CSV below a folder and prints, for each kind of
 * file, how often a limiter was named and how often without the data to name it. The exports are not in this
 * repository; docs/results/foreign-data.md says where they are.
 *
 *     node .bench/bench/foreign-exports.js FOLDER
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { argv, stdout } from 'node:process';

import type { LaunchProfile } from '../src/model/profile/profile.ts';
import { diagnose } from '../src/profile/diagnose.ts';
import { parseNcuProfile } from '../src/profile/ncu/ncu-profile.ts';

/** By the names of metrics alone, so that it does not share the rules' idea of what is needed. */
const MEMORY =
  /^(?:gpu__compute_memory_throughput|gpu__dram_throughput|dram__throughput|lts__throughput|l1tex__throughput)/u;
const ALL_MEMORY = [
  /^gpu__compute_memory_throughput/u,
  /dram__?throughput/u,
  /^lts__throughput/u,
  /^l1tex__throughput/u,
];
const SM = /^sm__(?:throughput|instruction_throughput|pipe|inst_executed_pipe|issue_active|inst_issued)/u;
const ACCESSES = /sectors_global|bytes_per_sector|inst_executed_op_branch_pct|sectors_per_request/u;

interface Tally {
  files: number;
  refused: number;
  launches: number;
  named: number;
  /** Named although no metric of one side is in the file. */
  withoutSide: number;
  /** Named although only a part of the levels of memory is. */
  partOfMemory: number;
  done: number;
  /** "Nothing to fix" although nothing about access patterns is in the file. */
  doneBlind: number;
  readonly limiters: Map<string, number>;
  readonly rules: Map<string, number>;
}

const has = (launch: LaunchProfile, pattern: RegExp): boolean =>
  [...launch.metrics.keys()].some((name) => pattern.test(name));

const count = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

function tally(into: Tally, launch: LaunchProfile): void {
  const { limiter, findings } = diagnose(launch);
  into.launches += 1;
  count(into.limiters, limiter);
  for (const { rule } of findings) count(into.rules, rule);
  if (limiter !== 'none') {
    into.named += 1;
    if (!has(launch, MEMORY) || !has(launch, SM)) into.withoutSide += 1;
    else if (
      !has(launch, /^gpu__compute_memory_throughput/u) &&
      !ALL_MEMORY.slice(1).every((one) => has(launch, one))
    )
      into.partOfMemory += 1;
  }
  if (findings.some(({ rule }) => rule === 'at-limit')) {
    into.done += 1;
    if (['dram', 'l2', 'l1-shared'].includes(limiter) && !has(launch, ACCESSES)) into.doneBlind += 1;
  }
}

const [, , folder] = argv;
if (folder === undefined) throw new Error('usage: foreign-exports.js FOLDER');
const kinds = new Map<string, Tally>();
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !entry.name.endsWith('.csv')) continue;
  const path = join(entry.parentPath, entry.name);
  const kind = relative(folder, path).replaceAll(/\d{4,}[\w-]*\.(?:[\w-]+\.)?\d{4}\.|\d{4,}[\w-]*\./gu, '');
  const into = kinds.get(kind) ?? {
    files: 0,
    refused: 0,
    launches: 0,
    named: 0,
    withoutSide: 0,
    partOfMemory: 0,
    done: 0,
    doneBlind: 0,
    limiters: new Map(),
    rules: new Map(),
  };
  kinds.set(kind, into);
  into.files += 1;
  try {
    for (const launch of parseNcuProfile(readFileSync(path, 'utf8')).launches) tally(into, launch);
  } catch {
    into.refused += 1;
  }
}

const listed = (counts: Map<string, number>): string =>
  [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, times]) => `${name} ${times}`)
    .join(', ') || '–';
stdout.write(
  '| export | files | launches | limiter named | without one side | with part of memory | "nothing to fix" | of these blind | limiters | findings |\n|---|--:|--:|--:|--:|--:|--:|--:|---|---|\n',
);
for (const [kind, one] of [...kinds].toSorted(([a], [b]) => a.localeCompare(b))) {
  const { files, launches, named, withoutSide, partOfMemory, done, doneBlind, limiters, rules } = one;
  stdout.write(
    `| ${kind} | ${files} | ${launches} | ${named} | ${withoutSide} | ${partOfMemory} | ${done} | ${doneBlind} | ${listed(limiters)} | ${listed(rules)} |\n`,
  );
}
