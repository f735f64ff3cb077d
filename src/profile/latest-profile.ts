import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { profileReportSchema, type ProfileReport } from '../model/profile/profile-report.ts';

interface Wanted {
  readonly kernel?: string;
  readonly case?: string;
  /** Also one that only counted, and has nothing to find anything in. */
  readonly withoutFindings?: boolean;
}

/**
 * The newest profile below .pawl/profiles, of the kernel and case where they are named. Folders are named by the time;
 * what cannot be read is none.
 */
export async function latestProfile(
  root: string,
  { kernel, case: name, withoutFindings = false }: Wanted,
): Promise<ProfileReport | undefined> {
  const folder = join(root, '.pawl', 'profiles');
  for (const entry of (await foldersOf(folder)).sort().reverse()) {
    const report = await readProfile(join(folder, entry));
    if (report === undefined || (report.head === undefined && report.code === undefined)) continue;
    const hasFindings = report.head?.diagnosis !== undefined || (report.code?.findings.length ?? 0) > 0;
    if (!hasFindings && !withoutFindings) continue;
    if (kernel !== undefined && report.kernel !== kernel) continue;
    if (name !== undefined && report.case !== name) continue;
    return report;
  }
  return undefined;
}

async function foldersOf(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function readProfile(folder: string): Promise<ProfileReport | undefined> {
  let text;
  try {
    text = await readFile(join(folder, 'profile.json'), 'utf8');
  } catch {
    return undefined;
  }
  try {
    return profileReportSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
