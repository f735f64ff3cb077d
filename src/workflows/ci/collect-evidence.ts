import { cp, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { makeFolder } from '../../os/make-folder.ts';
import type { CheckProfile, CheckReport } from '../../model/reports/check-report.ts';
import { formatBytes } from '../../report/text/units.ts';

/** The folder of a run, which git leaves alone: a file of ours must not make the work tree look changed. */
export async function makeOut(out: string): Promise<void> {
  await makeFolder(out);
  await writeFile(join(out, '.gitignore'), '*\n');
}

/** Puts the profiles beside the report, where an upload takes them along. */
export async function collectProfiles(report: CheckReport, out: string): Promise<CheckReport> {
  const profiles: CheckProfile[] = [];
  for (const [index, profile] of (report.profiles ?? []).entries()) {
    const { folder, key } = profile;
    if (folder === undefined) {
      profiles.push(profile);
      continue;
    }
    const name = [String(index + 1), key.kernel ?? '', key.case].join('-').replaceAll(/[^\w.-]/gu, '_');
    await cp(folder, join(out, 'profiles', name), { recursive: true });
    profiles.push({ ...profile, folder: join('profiles', name) });
  }
  return profiles.length === 0 ? report : { ...report, profiles };
}

/** What lies ready to be uploaded, in words. */
export async function evidenceText(out: string): Promise<string> {
  let files = 0;
  let bytes = 0;
  for (const entry of await readdir(out, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === '.gitignore') continue;
    files += 1;
    bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return `${files} files, ${formatBytes(bytes)}, are ready for upload`;
}
