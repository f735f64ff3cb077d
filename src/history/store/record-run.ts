import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ProfileReport } from '../../model/profile/profile-report.ts';
import type { Session } from '../../model/learn/session.ts';
import type { StoredRun } from '../../model/history/stored-run.ts';
import type { Study } from '../../model/tune/study-report.ts';
import { branchFacts, commitFacts } from '../commit-facts.ts';
import { keepInHistory, type RecordOptions } from './keep-in-history.ts';

export async function recordRun(run: StoredRun, options: RecordOptions): Promise<void> {
  if (run.sides.head.measurements.length === 0) return;
  await keepInHistory(options, async (store, { root }) =>
    store.put(
      { ...run, ...(await branchFacts(root, process.env)) },
      { commits: await commitFacts(root, run) },
    ),
  );
}

/** Also while a study is still to be resumed: what is new of it is added. */
export async function recordStudy(study: Study, options: RecordOptions): Promise<void> {
  const { trials, ...document } = study;
  const { id, kernel, created_at, finished_at } = study;
  await keepInHistory(options, (store) =>
    store.putStudy({ id, kernel, started_at: created_at, finished_at, document }, trials),
  );
}

/** Also while it goes on: a later revision takes the place of the one before. */
export async function recordSession(session: Session, options: RecordOptions): Promise<void> {
  await keepInHistory(options, (store) => store.putSession(session));
}

/** With the picture of it, which the dashboard shows. */
export async function recordProfile(report: ProfileReport, options: RecordOptions): Promise<void> {
  // Nothing was counted, but lines may be known: sampled by a timer, or as the compiled code says.
  const hasLines = report.sampled !== undefined || (report.static_lines ?? []).length > 0;
  if (report.head === undefined && !hasLines) return;
  const { folder = '', pages = {} } = report;
  const files: Record<string, string> = {};
  for (const name of Object.values(pages)) {
    const text = /\.(?:html|svg)$/.test(name) ? await readFile(join(folder, name), 'utf8') : undefined;
    if (text !== undefined) files[name] = text;
  }
  await keepInHistory(options, (store) => store.putProfile(report, files));
}
