import { join } from 'node:path';

import { defined } from '../../../model/defined.ts';
import type { LaunchProfile } from '../../../model/profile/profile.ts';
import type { ProfileReport } from '../../../model/profile/profile-report.ts';
import { writeDurably } from '../../../os/write-durably.ts';
import { PawlError } from '../../../model/pawl-error.ts';
import type { ProfilePage } from '../../../model/profile/profile-page.ts';
import { pairLaunches } from '../../../profile/pair-launches.ts';
import { writeProfilePage, type PageSource } from './write-profile-page.ts';
import type { CapturedSide } from '../../../profile/side/capture-side.ts';

/** Names within the profile's folder. */
const PAGES = { html: 'profile.html', svg: 'profile.svg' } as const;

/** Draws what was captured, beside the base where there is one; counters of a CPU have no picture. */
export async function drawProfile(
  folder: string,
  is: CapturedSide,
  was: CapturedSide | undefined,
  env: NodeJS.ProcessEnv,
): Promise<Record<string, string> | undefined> {
  if (is.profile === undefined || is.profile.launches.length === 0) return undefined;
  const source: PageSource = {
    launches: launchesOf(is, was),
    problems: is.profile.problems,
    provenance: provenanceOf(is, was),
    problem: is.problem,
  };
  for (const name of Object.values(PAGES)) await writeProfilePage(join(folder, name), source, { env });
  return { ...PAGES };
}

/** The page of a profile that has lines and no picture. */
export async function drawLines(
  folder: string,
  report: ProfileReport,
): Promise<Pick<ProfileReport, 'pages'>> {
  if (report.sampled === undefined && (report.static_lines ?? []).length === 0) return {};
  const { renderLinesPage } = await import('../../../report/html/lines-page.tsx');
  await writeDurably(join(folder, PAGES.html), renderLinesPage(report));
  return { pages: { html: PAGES.html } };
}

function launchesOf(is: CapturedSide, was: CapturedSide | undefined): PageSource['launches'] {
  const linesOf = (launch: LaunchProfile) =>
    defined({ lines: is.capture.hot_lines?.[is.profile?.launches.indexOf(launch) ?? -1] });
  const own = (is.profile?.launches ?? []).map((launch) => Object.assign({ launch }, linesOf(launch)));
  if (was?.profile === undefined) return own;
  try {
    return pairLaunches(was.profile.launches, is.profile?.launches ?? []).map(([before, launch]) =>
      Object.assign({ launch, before }, linesOf(launch)),
    );
  } catch (error) {
    // Nothing in common with the base: the head's own picture is still worth having.
    if (!(error instanceof PawlError)) throw error;
    return own;
  }
}

function provenanceOf({ capture }: CapturedSide, was: CapturedSide | undefined): ProfilePage['provenance'] {
  const { profiler, commit, dirty, started_at } = capture;
  const commits = [was?.capture.commit, commit]
    .flatMap((each) => (each === undefined ? [] : [each.slice(0, 10)]))
    .join(' → ');
  return [
    { name: 'profiler', value: [profiler.name, profiler.version].filter(Boolean).join(' ') },
    ...(commits === ''
      ? []
      : [{ name: 'commit', value: `${commits}${dirty === true ? ' and changes' : ''}` }]),
    { name: 'captured', value: started_at },
    { name: 'command', value: profiler.command.join(' ') },
  ];
}
