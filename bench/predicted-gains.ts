/**
 * What rules promise beside what a mended kernel saved: `predicted-gains FOLDER`, where FOLDER is what
 * docs/results/h200/lines/pages.tar.xz holds (what `bench/h200/lines/collect.sh` packs, without ncu's own reports). For
 * every planted fault the faulty version's raw page is diagnosed; what the finding about the fault promises is held
 * against the times of both versions. Prints Markdown.
 *
 * Where FOLDER has raw pages alone (raw.tar.xz), rules at lines say nothing.
 *
 * `predicted-gains FOLDER PAIRS` does the same for published versions: FOLDER is what `bench/h200/public-pairs.sh` packs,
 * PAIRS is `bench/h200/public-pairs/pairs.tsv`. A step that saves less than 3 % is shown and left out of the mean.
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

function launchesOf(stem: string): readonly LaunchProfile[] {
  const file = join(folder, 'csv', `${stem}.raw.csv`);
  if (!existsSync(file)) return [];
  return parseNcuProfile(readFileSync(file, 'utf8'), basename(file)).launches;
}

/** Of each launch that `stem` names; none where the pack has no source page of it. */
function linesOf(stem: string): readonly HotLines[] {
  const page = join(folder, 'csv', `${stem}.sass.csv`);
  const code = join(folder, 'code', `${stem}.cubin`);
  if (!existsSync(page) || !existsSync(code)) return [];
  const sources = { nameOf: (file: string) => basename(file), lineOf: () => undefined };
  return capturedLines(readFileSync(page, 'utf8'), [readFileSync(code)]).map((captured) =>
    hotLines(captured.table, captured.lines, sources),
  );
}

const durationOf = ({ metrics }: LaunchProfile): number | undefined =>
  metrics.get('gpu__time_duration.sum')?.value;

function pairOf(
  name: string,
  planted: string,
  {
    faulty,
    mended,
    hot,
  }: Record<'faulty' | 'mended', LaunchProfile | undefined> & { hot: HotLines | undefined },
): Pair[] {
  if (faulty === undefined || mended === undefined) return [];
  const [before, after] = [durationOf(faulty), durationOf(mended)];
  if (before === undefined || after === undefined) return [];
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
    const [faulty] = launchesOf(`faulty.${stem}`);
    const [mended] = launchesOf(`mended.${stem}`);
    const [hot] = linesOf(`faulty.${stem}`);
    return pairOf(stem, planted, { faulty, mended, hot });
  });
}

/** Versions that one program launched one after the other, compared as a list of steps says. */
function published(list: string): Pair[] {
  const steps = readFileSync(list, 'utf8').split('\n');
  return steps.flatMap((line): Pair[] => {
    const [family = '', before, after] = line.split('\t');
    const order = join(folder, 'csv', `${family}.versions`);
    if (line.startsWith('#') || after === undefined || !existsSync(order)) return [];
    const names = readFileSync(order, 'utf8').trim().split('\n');
    const [from, to] = [names.indexOf(`${family} ${before}`), names.indexOf(`${family} ${after}`)];
    const launches = launchesOf(family);
    if (launches.length !== names.length) throw new Error(`${family}: not a launch for each version`);
    // ncu prints the source page of each launch twice in a row, where a report has several.
    const hot = linesOf(family);
    const each = hot.length / names.length;
    return pairOf(`${family} ${before} → ${after}`, '', {
      faulty: launches[from],
      mended: launches[to],
      hot: Number.isInteger(each) ? hot[from * each] : undefined,
    });
  });
}

/** Of what is promised and what was saved, in points: how many pairs, their mean difference, and the promise's lean. */
function errorOf(found: readonly (readonly [number, number])[]): string {
  const mean = (of: (promised: number, saved: number) => number): string =>
    (found.reduce((sum, [promised, saved]) => sum + of(promised, saved), 0) / found.length).toFixed(1);
  const off = mean((promised, saved) => Math.abs(promised - saved));
  return `${found.length} pairs, off by ${off} points on average, ${mean((promised, saved) => promised - saved)} with the sign`;
}

const promised = (
  of: readonly Pair[],
  pick: (one: Pair) => Finding | undefined,
): (readonly [number, number])[] =>
  of.flatMap((one) => {
    const finding = pick(one);
    return finding === undefined ? [] : [[finding.expected_gain_pct, one.saved] as const];
  });

const list = argv[3];
const all = list === undefined ? pairs() : published(list);
/** What a change must save to be one that a promise is held against. */
const LEAST_PCT = 3;
const number = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(0));
const columns: readonly (readonly [string, (one: Pair) => string])[] = [
  [list === undefined ? 'kernel' : 'step', (one) => one.name],
  ['planted', (one) => one.planted],
  ['saved, %', (one) => number(one.saved)],
  ['first finding', (one) => one.first?.rule ?? '–'],
  ['promises, %', (one) => number(one.first?.expected_gain_pct)],
  ['finding about the fault promises, %', (one) => number(one.own?.expected_gain_pct)],
];
const shown = list === undefined ? columns : columns.filter(([name]) => !/planted|fault/u.test(name));
stdout.write(
  `${table(
    shown.map(([name]) => name),
    all.map((one) => shown.map(([, of]) => of(one))),
  ).join('\n')}\n`,
);
if (list === undefined) {
  stdout.write(`\nThe finding about the fault: ${errorOf(promised(all, ({ own }) => own))}.\n`);
  stdout.write(`The first finding, whatever it is about: ${errorOf(promised(all, ({ first }) => first))}.\n`);
} else {
  const faster = all.filter(({ saved }) => saved >= LEAST_PCT);
  stdout.write(`\nOf ${all.length} steps, ${faster.length} save at least ${LEAST_PCT} %. `);
  // A version of which nothing is found promises nothing.
  const found = faster.map(({ first, saved }) => [first?.expected_gain_pct ?? 0, saved] as const);
  stdout.write(`The first finding: ${errorOf(found)}.\n`);
}
