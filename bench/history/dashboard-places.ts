import type { History } from '../../src/history/history.ts';
import type { HistoryRun } from '../../src/model/history/history.ts';

/** Every page of the dashboard, by name, with its address: those of one thing show the largest that is there. */
export async function placesOf(
  history: History,
): Promise<readonly (readonly [name: string, place: string])[]> {
  const runs = (await history.runs({}, { limit: 200 })).items;
  const largest = runs.toSorted((a, b) => b.cases - a.cases || Number(isCheck(b)) - Number(isCheck(a)))[0];
  const [first, second] = twoCommits(runs);
  const key = (await history.keys())[0];
  const trend = key === undefined ? undefined : await history.trendPoints(key.id);
  const points = trend?.points ?? [];
  const profiles = (await history.profiles()).items;
  const studies = (await history.studies()).items;
  const session = (await history.sessions()).items[0];
  const [profile, otherProfile] = profiles;
  const [study, otherStudy] = studies;
  return [
    ['overview', '?since=all'],
    ['case', key && `case/${key.id}`],
    [
      'case, two points',
      key && points.length > 1 && `case/${key.id}?a=${points[0]!.commit}&b=${points.at(-1)!.commit}`,
    ],
    ['runs', 'runs'],
    ['runs, searched', 'runs?q=change'],
    ['run', largest && `run/${largest.id}`],
    ['run, samples', largest && `run/${largest.id}?m=${largest.id}-h0`],
    ['commits, list', 'commits'],
    ['commits, two', first && second && `commits?a=${second}&b=${first}`],
    ['commits, two, not grouped', first && second && `commits?a=${second}&b=${first}&group=none&sort=name`],
    ['profiles', 'profiles'],
    ['profile', profile && `profile/${profile.id}`],
    ['profile, what changed', profile && otherProfile && `profile/${profile.id}?with=${otherProfile.id}`],
    ['studies', 'studies'],
    ['study', study && `study/${study.id}`],
    ['study, two', study && otherStudy && `study/${study.id}?with=${otherStudy.id}`],
    ['devices', 'devices'],
    ['sessions', 'sessions'],
    ['session', session && `session/${session.id}`],
    ['checklist', 'checklist'],
    ['checklist, tree', 'checklist?view=tree'],
    ['lessons', 'lessons'],
    ['leaderboard', 'leaderboard'],
  ].flatMap(([name, place]): (readonly [string, string])[] =>
    typeof name === 'string' && typeof place === 'string' ? [[name, place]] : [],
  );
}

function isCheck({ kind }: HistoryRun): boolean {
  return kind === 'check';
}

/** The newest two commits that have as many cases as any. */
function twoCommits(runs: readonly HistoryRun[]): readonly string[] {
  const most = Math.max(...runs.map(({ cases }) => cases));
  return [...new Set(runs.flatMap(({ cases, commit }) => (cases === most && commit ? [commit] : [])))];
}
