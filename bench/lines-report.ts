/**
 * How often hot lines name the line of a planted fault, from what bench/h200/lines/collect.sh packed. Prints Markdown.
 * `npx tsc -p tsconfig.bench.json && node .bench/bench/lines-report.js FOLDER…`, where each FOLDER is an unpacked
 * `planted`; of a kernel in several, the last counts.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import type { HotLines, SourcePlace } from '../src/model/profile/hot-lines.ts';
import { diagnosisOf } from '../src/profile/diagnosis-of.ts';
import type { CapturedLines } from '../src/profile/lines/code-lines.ts';
import { capturedLines } from '../src/profile/lines/captured-lines.ts';
import { compareLines, type LinesSide } from '../src/profile/lines/compare-lines.ts';
import { kernelWithLines } from '../src/profile/lines/findings-at-lines.ts';
import { followLines } from '../src/profile/lines/follow-lines.ts';
import { hotLines } from '../src/profile/lines/hot-lines.ts';
import { SourceFiles } from '../src/profile/lines/source-text.ts';
import { parseNcuProfile } from '../src/profile/ncu/ncu-profile.ts';
import { causeText, findingLineText } from '../src/report/text/line-text.ts';

const VERSIONS = ['faulty', 'mended'] as const;
type Version = (typeof VERSIONS)[number];

/** Lines this near to the fault's count as it. */
const NEAR = 2;
/** The comment that every faulty version begins with is no fault. */
const ADDED_LINES = 3;
/** All kernels of Triton stand in one file, each within so many lines of its fault. */
const SAME_KERNEL = 5;
/** A mended kernel that is not faster by this much has no regression to explain. */
const LEAST_SLOWER = 1.02;
/** Kernels whose fault stands in a header. */
const FAULT_FILES: Readonly<Record<string, string>> = {
  'header-row-sum': 'row-sum.cuh',
  'tile-functor-slow': 'smooth.hpp',
  'tile-swizzle': 'swizzle.hpp',
  'tile-gemm-double': 'gemm.hpp',
};
const HELPER: Readonly<Record<string, string>> = { inlined_helper: 'helper_sine' };

interface Fault {
  readonly file: string;
  readonly line: number;
  readonly kind: string;
}

interface Side extends Required<LinesSide> {
  readonly finding: string | undefined;
}

interface Planted {
  readonly name: string;
  readonly language: string;
  readonly fault: Fault;
  readonly faulty: Side;
  readonly mended: Side | undefined;
}

const found = new Map<string, Planted>();
for (const folder of process.argv.slice(2)) for (const one of readFolder(folder)) found.set(one.name, one);
const planted = [...found.values()].toSorted((one, other) => one.name.localeCompare(other.name));

function readFolder(folder: string): Planted[] {
  const faults = readFileSync(join(folder, 'faults.tsv'), 'utf8')
    .trim()
    .split('\n')
    .map((row): Fault => {
      const [file = '', line = '', kind = ''] = row.split('\t');
      return { file, line: Number(line), kind };
    });
  const names = readdirSync(join(folder, 'csv')).flatMap(
    (file) => /^faulty\.(.+)\.sass\.csv$/u.exec(file)?.[1] ?? [],
  );
  const programs = names.filter((name) => existsSync(join(folder, 'faulty', `${name}.cu`)));
  const language = (name: string): string => (name.startsWith('tile-') ? 'templates' : 'CUDA C++');
  return [
    ...programs.map((name) => ({
      name,
      language: language(name),
      fault: faults.find(({ file }) => file === (FAULT_FILES[name] ?? `${name}.cu`))!,
      faulty: sidesOf(folder, 'faulty', name)[0]!,
      mended: sidesOf(folder, 'mended', name)[0],
    })),
    ...tritonOf(folder, faults),
  ];
}

function tritonOf(folder: string, faults: readonly Fault[]): Planted[] {
  const mended = sidesOf(folder, 'mended', 'triton');
  const text = readFileSync(join(folder, 'faulty', 'planted.py'), 'utf8').split('\n');
  return sidesOf(folder, 'faulty', 'triton').map((faulty) => {
    const { kernel } = faulty.captured.table;
    const begins = text.findIndex((line) => line.startsWith(`def ${HELPER[kernel] ?? kernel}(`)) + 1;
    const fault = faults.find(({ file, line }) => file === 'planted.py' && line > begins)!;
    const before = mended.find((one) => one.captured.table.kernel === kernel);
    return { name: `triton ${kernel}`, language: 'Triton', fault, faulty, mended: before };
  });
}

function sidesOf(folder: string, version: Version, name: string): Side[] {
  const stem = join(folder, 'csv', `${version}.${name}`);
  if (!existsSync(`${stem}.sass.csv`) || !existsSync(`${stem}.raw.csv`)) return [];
  const isCode = (file: string): boolean =>
    name === 'triton' ? file.startsWith(`${version}.triton.`) : file === `${version}.${name}.cubin`;
  const code = readdirSync(join(folder, 'code')).filter((file) => file.endsWith('.cubin') && isCode(file));
  const page = readFileSync(`${stem}.sass.csv`, 'utf8');
  const all = capturedLines(
    page,
    code.map((file) => readFileSync(join(folder, 'code', file))),
  );
  const profile = parseNcuProfile(readFileSync(`${stem}.raw.csv`, 'utf8'), name);
  const sources = new SourceFiles(join(folder, version));
  return all.map((captured: CapturedLines, index) => {
    const hot = hotLines(captured.table, captured.lines, sources);
    const kernel = diagnosisOf({ launches: [profile.launches[index]!], problems: [] }).kernels[0]!;
    const finding = kernelWithLines(kernel, hot).findings.find(({ lines }) => lines !== undefined);
    const at = finding?.lines?.[0];
    return {
      hot,
      captured,
      sources,
      duration_us: kernel.duration_us ?? 0,
      finding: at === undefined ? undefined : `${finding?.rule} at ${findingLineText(at)}`,
    };
  });
}

function isNear({ file, line }: SourcePlace, fault: Fault): boolean {
  return file.endsWith(fault.file) && Math.abs(line - fault.line) <= NEAR;
}

/** From 1; 0 where no line of the profile is near the fault, nor a call that one was inlined through. */
function rankOf({ hot, fault }: { readonly hot: HotLines; readonly fault: Fault }): number {
  return (
    hot.lines.findIndex(
      (line) => isNear(line, fault) || (line.inlined_into ?? []).some((caller) => isNear(caller, fault)),
    ) + 1
  );
}

const rows = planted.map((one) => {
  const { name, language, fault, faulty, mended } = one;
  const rank = rankOf({ hot: faulty.hot, fault });
  const first = faulty.hot.lines[0]!;
  const sum = faulty.hot.lines.reduce((total, { share_pct }) => total + share_pct, 0);
  return { name, language, fault, rank, first, sum, samples: faulty.hot.samples, faulty, mended };
});

const regressions = rows.flatMap(({ name, language, fault, faulty, mended }) => {
  if (mended === undefined || faulty.duration_us < mended.duration_us * LEAST_SLOWER) return [];
  const { cause } = compareLines(mended, faulty);
  const texts = [mended, faulty].map(({ sources }) => cause && sources.linesOf(cause.file));
  const isOfFault =
    cause !== undefined &&
    cause.line > ADDED_LINES &&
    (language !== 'Triton' || Math.abs(cause.line - fault.line) <= SAME_KERNEL);
  const isChanged =
    isOfFault &&
    texts[0] !== undefined &&
    texts[1] !== undefined &&
    !followLines(texts[0], texts[1]).beforeOf.has(cause.line);
  return [{ name, before: mended.duration_us, after: faulty.duration_us, cause, isChanged }];
});

const percent = (part: number, whole: number): string =>
  `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
/** Folders of the machine that it was collected on are nobody's business. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\/\S*\/(?=[\w.-]+:\d)/gu, '');
const hits = rows.filter(({ rank }) => rank === 1).length;
const named = regressions.filter(({ isChanged }) => isChanged).length;
const farthest = Math.max(...rows.map(({ sum }) => Math.abs(sum - 100)));
const languages = [...new Set(rows.map(({ language }) => language))];

console.log(`| | | aim |
|---|--:|--:|
| planted faults profiled | ${rows.length} (${languages.map((language) => `${language} ${rows.filter((row) => row.language === language).length}`).join(', ')}) | 50 |
| the fault's line (± ${NEAR}) comes first | ${hits} of ${rows.length}, ${percent(hits, rows.length)} | 90 % |
| regressions (mended → faulty, slower by 2 % or more) | ${regressions.length} | |
| the changed line is named | ${named} of ${regressions.length}, ${percent(named, regressions.length)} | 95 % |
| shares of all lines differ from 100 % by at most | ${farthest.toFixed(3)} % | 2 % |

| kernel | planted | place | first line | share | samples |
|---|---|--:|---|--:|--:|
${rows.map(({ name, fault, rank, first, samples }) => `| ${name} | ${fault.kind} at ${fault.file}:${fault.line} | ${rank === 0 ? 'none' : rank} | \`${cell(`${first.file.split('/').slice(-1).join('')}:${first.line}`)}\` | ${first.share_pct.toFixed(0)} % | ${samples} |`).join('\n')}

| regression | before | after | what is named |
|---|--:|--:|---|
${regressions.map(({ name, before, after, cause, isChanged }) => `| ${name} | ${before.toFixed(1)} µs | ${after.toFixed(1)} µs | ${isChanged ? '' : '**no changed line:** '}${cell(cause === undefined ? 'nothing' : causeText(cause))} |`).join('\n')}

| kernel | first finding that has a line |
|---|---|
${rows.map(({ name, faulty }) => `| ${name} | ${cell(faulty.finding ?? '')} |`).join('\n')}`);
