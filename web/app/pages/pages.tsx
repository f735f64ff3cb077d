import type { ComponentChildren } from 'preact';

import type { Place } from '../common/router.ts';
import { CasePage } from './case-page.tsx';
import { ChecklistPage } from './checklist-page.tsx';
import { CommitsPage } from './commits-page.tsx';
import { DevicesPage } from './devices-page.tsx';
import { LeaderboardPage } from './leaderboard-page.tsx';
import { LessonsPage } from './lessons-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { OverviewPage } from './overview-page.tsx';
import { ProfilePage } from './profile-page.tsx';
import { ProfilesPage } from './profiles-page.tsx';
import { RunPage } from './run-page.tsx';
import { RunsPage } from './runs-page.tsx';
import { SessionPage } from './session-page.tsx';
import { SessionsPage } from './sessions-page.tsx';
import { StudiesPage } from './studies-page.tsx';
import { StudyPage } from './study-page.tsx';

type Query = Place['query'];

/** Pages that list, by their address. */
const LISTS: Readonly<
  Record<string, readonly [title: string, page: (props: { readonly query: Query }) => ComponentChildren]>
> = {
  '': ['Overview', OverviewPage],
  runs: ['Runs', RunsPage],
  commits: ['Commits', CommitsPage],
  studies: ['Studies', StudiesPage],
  profiles: ['Profiles', ProfilesPage],
  devices: ['Devices', DevicesPage],
  sessions: ['Sessions', SessionsPage],
  checklist: ['Checklist', ChecklistPage],
  lessons: ['Lessons', LessonsPage],
  leaderboard: ['Leaderboard', LeaderboardPage],
};

/** Pages of one thing, whose id follows in the address. */
const SINGLES: Readonly<
  Record<
    string,
    readonly [
      title: string,
      page: (props: { readonly id: string; readonly query: Query }) => ComponentChildren,
    ]
  >
> = {
  case: ['Case', CasePage],
  run: ['Run', RunPage],
  study: ['Study', StudyPage],
  profile: ['Profile', ProfilePage],
  session: ['Session', SessionPage],
};

export function pageAt({ path, query }: Place): {
  readonly title: string;
  readonly content: ComponentChildren;
} {
  const [name = '', id, ...rest] = path;
  const list = id === undefined ? LISTS[name] : undefined;
  if (list !== undefined) {
    const [title, List] = list;
    return { title, content: <List query={query} /> };
  }
  const single = rest.length === 0 && id !== undefined ? SINGLES[name] : undefined;
  if (single !== undefined && id !== undefined) {
    const [title, Single] = single;
    return { title, content: <Single id={id} query={query} /> };
  }
  return { title: 'Not here', content: <NotFoundPage path={path} /> };
}
