/** Pages of real profiles, for tests of what is made of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { packageRoot } from '../../src/build/package-root.ts';
import type { ProfilePage } from '../../src/model/profile/profile-page.ts';
import type { LaunchProfile } from '../../src/model/profile/profile.ts';
import { parseNcuProfile } from '../../src/profile/ncu/ncu-profile.ts';
import { profilePage, type ProfilePageOptions } from '../../src/profile/page/profile-page.ts';

/** Our attention kernel, which has no file among the fixtures of single faults. */
const ATTENTION = 'docs/results/h200/profile/attention-hopper';

export function launchOf(name: string, page: 'raw' | 'details' = 'raw'): LaunchProfile {
  const stem = name === 'attention' ? ATTENTION : `test/fixtures/ncu/${name}`;
  const { launches } = parseNcuProfile(readFileSync(join(packageRoot(), `${stem}.${page}.csv`), 'utf8'));
  const [launch] = launches;
  if (launch === undefined) throw new Error(`${name} has no launch`);
  return launch;
}

export function pageOf(name: string, options: Omit<ProfilePageOptions, 'launch'> = {}): ProfilePage {
  return profilePage({ launch: launchOf(name), ...options });
}

export function comparedPage(before: string, after: string): ProfilePage {
  return profilePage({ launch: launchOf(after), before: launchOf(before) });
}

/** From the page of which many numbers are missing. */
export function detailsPage(name: string): ProfilePage {
  return profilePage({ launch: launchOf(name, 'details') });
}
