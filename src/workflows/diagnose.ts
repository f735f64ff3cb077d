/** `pawl diagnose`: what a profile of Nsight Compute says limits a kernel, and what changed between two. */
import { basename } from 'node:path';

import { defined } from '../model/defined.ts';
import type { Diagnosis, ProfileComparison } from '../model/diagnosis.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { LaunchProfile, Profile } from '../model/profile.ts';
import { compareProfiles } from '../profile/compare-profiles.ts';
import { diagnosisOf } from '../profile/diagnosis-of.ts';
import { readNcuFile } from '../profile/ncu-file.ts';
import { pairLaunches } from '../profile/pair-launches.ts';
import type { PageSource } from './runs/profile/write-profile-page.ts';
import type { ProcessContext } from '../os/run-context.ts';

export interface DiagnoseOptions extends Partial<Pick<ProcessContext, 'signal' | 'env'>> {
  /** A CSV that ncu printed, or an `.ncu-rep` where ncu is there to open it. */
  readonly file: string;
  /** Only the launch with this number (ncu's `ID`). */
  readonly launch?: number;
  /** Only kernels whose name this matches. */
  readonly kernel?: RegExp;
  /** Also draw it: a page (.html), a block for a comment (.md) or a picture (.svg, .png). */
  readonly out?: string;
}

export async function diagnoseFile(options: DiagnoseOptions): Promise<Diagnosis> {
  const profile = await readSelected(options.file, options);
  await draw(
    [options.file],
    profile.launches.map((launch) => ({ launch })),
    profile.problems,
    options,
  );
  return document(profile.launches, profile.problems);
}

/** Both files are read; `kernels` are those of the second, which is how things are now. */
export async function compareProfileFiles(
  before: string,
  { file: after, ...options }: DiagnoseOptions,
): Promise<Diagnosis> {
  const [was, is] = [await readSelected(before, options), await readSelected(after, options)];
  const pairs = pairLaunches(was.launches, is.launches);
  const problems = [...was.problems, ...is.problems];
  const drawn = pairs.map(([one, other]) => ({ before: one, launch: other }));
  await draw([before, after], drawn, problems, options);
  const comparisons = pairs.map(([one, other]) => compareProfiles(one, other));
  return document(is.launches, problems, comparisons);
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

function document(
  launches: readonly LaunchProfile[],
  problems: readonly string[],
  comparisons?: ProfileComparison[],
): Diagnosis {
  return diagnosisOf({ launches, problems }, { comparisons });
}

async function readSelected(file: string, options: Omit<DiagnoseOptions, 'file'>): Promise<Profile> {
  const { launch, kernel, signal, env = process.env } = options;
  const profile = await readNcuFile(file, { env, ...defined({ signal }) });
  const launches = profile.launches.filter(
    ({ id, name }, at) =>
      (launch === undefined || (id ?? String(at)) === String(launch)) &&
      (kernel === undefined || kernel.test(name)),
  );
  if (launches.length > 0) return { ...profile, launches };
  const known = profile.launches.slice(0, 5).map(({ id, name }, at) => `${id ?? at}: ${name}`);
  throw new PawlError(
    'usage',
    `No launch in ${file} is the one that was asked for.`,
    `It has ${profile.launches.length}: ${known.join('; ')}${profile.launches.length > 5 ? '; …' : ''}`,
  );
}
