/**
 * What rules promise beside what a mended kernel saved: `predicted-gains FOLDER`, where FOLDER is what
 * docs/results/h200/lines/pages.tar.xz holds (what `bench/h200/lines/collect.sh` packs, without ncu's own reports). For
 * every planted fault the faulty version's raw page is diagnosed; what the finding about the fault promises is held
 * against the times of both versions. Prints Markdown.
 *
 * Where FOLDER has raw pages alone (raw.tar.xz), rules at lines say nothing.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { argv, stdout } from 'node:process';

import type { Finding } from '../src/model/profile/diagnosis.ts';
import type { HotLines } from '../src/model/profile/hot-lines.ts';
import type { LaunchProfile } from '../src/model/profile/profile.ts';
import { diagnose } from '../src/profile/diagnose.ts';
import { capturedLines } from '../src/profile/lines/captured-lines.ts';
import { kernelWithLines } from '../src/profile/lines/findings-at-lines.ts';
import { hotLines } from '../src/profile/lines/hot-lines.ts';
import { parseNcuProfile } from '../src/profile/ncu/ncu-profile.ts';
import { table } from './gate-quality/markdown.ts';

interface Pair {
  readonly name: string;
  readonly planted: string;
  readonly first: Finding | undefined;
  /** The finding about the planted fault. */
  readonly own: Finding | undefined;
  /** Percent of the faulty version's time that the mended one saves. */
  readonly saved: number;
}

/** Of what was planted under the name of one rule, some is another one's since. */
const ALSO_ABOUT: Readonly<Record<string, string>> = {
  'register-spill': 'local-arrays',
  'slow-instruction': 'slow-arithmetic',
};

const folder = argv[2] ?? '.';

function launchesOf(version: string, stem: string): readonly LaunchProfile[] {
  const file = join(folder, 'csv', `${version}.${stem}.raw.csv`);
  if (!existsSync(file)) return [];
  return parseNcuProfile(readFileSync(file, 'utf8'), basename(file)).launches;
}

/** Undefined where the pack has no source page of it. */
function linesOf(version: string, stem: string): HotLines | undefined {
  const page = join(folder, 'csv', `${version}.${stem}.sass.csv`);
  const code = join(folder, 'code', `${version}.${stem}.cubin`);
  if (!existsSync(page) || !existsSync(code)) return undefined;
  const [captured] = capturedLines(readFileSync(page, 'utf8'), [readFileSync(code)]);
  const sources = { nameOf: (file: string) => basename(file), lineOf: () => undefined };
  return captured && hotLines(captured.table, captured.lines, sources);
}

const durationOf = ({ metrics }: LaunchProfile): number | undefined =>
  metrics.get('gpu__time_duration.sum')?.value;

function pairOf(name: string, planted: string, faulty: LaunchProfile, mended: LaunchProfile): Pair[] {
  const [before, after] = [durationOf(faulty), durationOf(mended)];
  if (before === undefined || after === undefined) return [];
  const hot = linesOf('faulty', name);
  const diagnosis = diagnose(faulty);
  const { findings } = hot === undefined ? diagnosis : kernelWithLines(diagnosis, hot);
  const own = findings.find(({ rule }) => rule === planted || ALSO_ABOUT[planted] === rule);
  return [{ name, planted, first: findings[0], own, saved: 100 * (1 - after / before) }];
}

/** Of one file each, and of Triton's kernels, which are launches of one. */
function pairs(): Pair[] {
  const faults = readFileSync(join(folder, 'faults.tsv'), 'utf8').trim().split('\n');
  return faults.flatMap((line): Pair[] => {
    const [file = '', , planted = ''] = line.split('\t');
    const stem = file.replace(/\.\w+$/u, '');
    const [faulty] = launchesOf('faulty', stem);
    const [mended] = launchesOf('mended', stem);
    return faulty === undefined || mended === undefined ? [] : pairOf(stem, planted, faulty, mended);
  });
}

/** Of what is promised and what was saved, in points: how many pairs, their mean difference, and the promise's lean. */
function errorOf(found: readonly (readonly [number, number])[]): string {
  const mean = (of: (promised: number, saved: number) => number): string =>
    (found.reduce((sum, [promised, saved]) => sum + of(promised, saved), 0) / found.length).toFixed(1);
  const off = mean((promised, saved) => Math.abs(promised - saved));
  return `${found.length} pairs, off by ${off} points on average, ${mean((promised, saved) => promised - saved)} with the sign`;
}

const promised = (pick: (one: Pair) => Finding | undefined): (readonly [number, number])[] =>
  all.flatMap((one) => {
    const finding = pick(one);
    return finding === undefined ? [] : [[finding.expected_gain_pct, one.saved] as const];
  });

const all = pairs();
const number = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(0));
stdout.write(
  `${table(
    ['kernel', 'planted', 'saved, %', 'first finding', 'promises, %', 'finding about the fault promises, %'],
    all.map((one) => [
      one.name,
      one.planted,
      number(one.saved),
      one.first?.rule ?? '–',
      number(one.first?.expected_gain_pct),
      number(one.own?.expected_gain_pct),
    ]),
  ).join('\n')}\n`,
);
stdout.write(`\nThe finding about the fault: ${errorOf(promised(({ own }) => own))}.\n`);
stdout.write(`The first finding, whatever it is about: ${errorOf(promised(({ first }) => first))}.\n`);
