/** `pawl diagnose`: what a profile of Nsight Compute says limits a kernel, and what changed between two. */
import { basename } from 'node:path';

import { defined } from '../model/defined.ts';
import type { Diagnosis } from '../model/profile/diagnosis.ts';
import type { HotLines } from '../model/profile/hot-lines.ts';
import { omit } from '../model/omit.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { LaunchProfile, Profile } from '../model/profile/profile.ts';
import { compareProfiles } from '../profile/compare-profiles.ts';
import { diagnosisOf } from '../profile/diagnosis-of.ts';
import { exportedLines, linesOfLaunches } from '../profile/lines/export-lines.ts';
import { withLines } from '../profile/lines/findings-at-lines.ts';
import { SourceFiles } from '../profile/lines/source-text.ts';
import { readNcuExport, readNcuSourcePage, SOURCE_COMMAND } from '../profile/ncu/ncu-file.ts';
import { pairLaunches } from '../profile/pair-launches.ts';
import type { PageSource } from './runs/profile/write-profile-page.ts';
import type { ProcessContext } from '../os/run-context.ts';

/** A profile of Nsight Compute, and which of its launches to look at. */
export interface DiagnoseOptions extends Partial<Pick<ProcessContext, 'signal' | 'env'>> {
  /** A CSV that ncu printed, or an `.ncu-rep`, which needs ncu. */
  readonly file: string;
  /** Only the launch with this number (ncu's `ID`). */
  readonly launch?: number;
  /** Only kernels whose name this matches. */
  readonly kernel?: RegExp;
  /** The source page of the same report, if it is a separate file. */
  readonly source?: string;
  /** Also draw it: a page (.html), a block for a comment (.md) or a picture (.svg, .png). */
  readonly out?: string;
}

/**
 * Reads a profile of Nsight Compute, and returns what limits each launch and what to fix first.
 *
 * @throws {PawlError} of kind `usage` if the file does not exist or has no such launch; `bad-data` if it is not a
 * profile that can be read
 * @example
 * ```ts
 * import { diagnoseFile } from 'pawl';
 *
 * const { kernels } = await diagnoseFile({ file: 'rep.csv' });
 * for (const { name, limiter, findings } of kernels) console.log(name, limiter, findings[0]?.fix);
 * ```
 */
export async function diagnoseFile(options: DiagnoseOptions): Promise<Diagnosis> {
  const read = await readSelected(options.file, options);
  const { launches, problems, hot } = read;
  const drawn = launches.map((launch, index) => Object.assign({ launch }, defined({ lines: hot?.[index] })));
  await draw([options.file], drawn, problems, options);
  return withHotLines(diagnosisOf(read), read);
}

/**
 * Compares two profiles launch by launch: what changed, and why. `kernels` of the answer are those of the second file.
 *
 * @throws {PawlError} as `diagnoseFile` does, and `usage` if the two have no kernel in common
 */
export async function compareProfileFiles(
  before: string,
  { file: after, ...options }: DiagnoseOptions,
): Promise<Diagnosis> {
  const was = await readSelected(before, omit(options, 'source'));
  const is = await readSelected(after, options);
  const pairs = pairLaunches(was.launches, is.launches);
  const problems = [...was.problems, ...is.problems];
  const linesOf = (launch: LaunchProfile) => defined({ lines: is.hot?.[is.launches.indexOf(launch)] });
  const drawn = pairs.map(([one, other]) => ({ before: one, launch: other, ...linesOf(other) }));
  await draw([before, after], drawn, problems, options);
  const comparisons = pairs.map(([one, other]) => compareProfiles(one, other));
  return withHotLines(diagnosisOf({ launches: is.launches, problems }, { comparisons }), is);
}

/** The drawing is loaded when it is asked for: the answer in the terminal does not wait for it. */
async function draw(
  files: readonly string[],
  launches: PageSource['launches'],
  problems: readonly string[],
  { out, env = process.env, signal }: Omit<DiagnoseOptions, 'file'>,
): Promise<void> {
  if (out === undefined) return;
  const { writeProfilePage } = await import('./runs/profile/write-profile-page.ts');
  await writeProfilePage(
    out,
    {
      launches,
      problems,
      provenance: [{ name: 'profile', value: files.map((file) => basename(file)).join(' → ') }],
    },
    { env, ...defined({ signal }) },
  );
}

/** The launches that were asked for. */
interface Selected extends Pick<Profile, 'launches' | 'problems'> {
  /** Launch by launch. */
  readonly hot?: readonly HotLines[];
  readonly without?: NonNullable<Diagnosis['without_lines']>['reason'];
}

/** Without lines it says how to get them. */
function withHotLines(diagnosis: Diagnosis, { hot, without = 'not-there' }: Selected): Diagnosis {
  if (hot === undefined) return { ...diagnosis, without_lines: { reason: without, collect: [...COLLECT] } };
  return { ...withLines(diagnosis, hot), hot_lines: [...hot] };
}

const COLLECT = [
  'ncu --set full --import-source yes -k regex:KERNEL -c 1 -f -o rep ./program',
  SOURCE_COMMAND.replace('REPORT.ncu-rep', 'rep.ncu-rep').replace('SOURCE.csv', 'rep.source.csv'),
  'pawl diagnose rep.csv --source rep.source.csv',
] as const;

async function readSelected(file: string, options: Omit<DiagnoseOptions, 'file'>): Promise<Selected> {
  const { launch, kernel, source: sourceFile, signal, env = process.env } = options;
  const read = await readNcuExport(file, { env, ...defined({ signal }) });
  const { launches: all, problems } = read.profile;
  const page = sourceFile === undefined ? read.source : await readNcuSourcePage(sourceFile);
  const exported = page && exportedLines(page.page, new SourceFiles(process.cwd()), page.report);
  const hot = exported && linesOfLaunches(all, exported);
  const isAsked = ({ id, name }: LaunchProfile, at: number): boolean =>
    (launch === undefined || (id ?? String(at)) === String(launch)) &&
    (kernel === undefined || kernel.test(name));
  const launches = all.filter(isAsked);
  if (launches.length > 0) {
    return {
      launches,
      problems,
      ...(hot === undefined ? {} : { hot: hot.filter((_, at) => isAsked(all[at]!, at)) }),
      ...(exported !== undefined && hot === undefined ? { without: 'other-launches' } : {}),
    };
  }
  const known = all.slice(0, 5).map(({ id, name }, at) => `${id ?? at}: ${name}`);
  throw new PawlError(
    'usage',
    `No launch in ${file} matches.`,
    `It has ${all.length}: ${known.join('; ')}${all.length > 5 ? '; …' : ''}`,
  );
}
