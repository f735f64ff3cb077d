/** `pawl report --html`: the dashboard over a part of the history, as one file. */
import { resolve } from 'node:path';

import { defined } from '../model/defined.ts';
import { writeDurably } from '../os/write-durably.ts';
import { openStore } from '../history/store/open-store.ts';
import { findCodeHost } from '../history/code-host.ts';
import { findReleases } from '../history/trends/find-releases.ts';
import { defaultSince } from '../model/text/moment.ts';
import { PawlError } from '../model/pawl-error.ts';
import { tryProject } from '../config/try-project.ts';
import { projectLibrary } from '../learn/method/method-library.ts';
import { collectAnswers, type ReportWindow } from './static-report/collect-answers.ts';
import { dashboardFolder, inlineDashboard } from './static-report/inline-dashboard.tsx';
import { reportStore } from './static-report/report-store.ts';
import type { Environment } from '../os/environment.ts';

/** Which part of the history to report, and the file to write. */
export interface StaticReportOptions {
  readonly html: string;
  /** Default: thirty days before `now`. */
  readonly since?: Date;
  /** Only this run and the cases it measured; by its id or the beginning of it. */
  readonly run?: string;
  /** A path or a `postgres://` address; default: the project's. */
  readonly store?: string;
  /** pawl.yaml or its folder. */
  readonly config?: string;
  /** The built dashboard; default: the one that Pawl ships. */
  readonly folder?: string;
  readonly now: Date;
  readonly signal?: AbortSignal;
  readonly env?: Environment;
}

/** The file that `staticReport` wrote, and how much is in it. */
export interface StaticReport {
  readonly path: string;
  readonly bytes: number;
  readonly cases: number;
  readonly runs: number;
}

/**
 * Writes the dashboard over a part of the history as one HTML file.
 *
 * @throws {PawlError} of kind `usage` if there is no history, or no such run
 */
export async function staticReport(options: StaticReportOptions): Promise<StaticReport> {
  const { now, run, folder = dashboardFolder() } = options;
  const window: ReportWindow = {
    since: options.since ?? defaultSince(now),
    until: now,
    ...defined({ run }),
  };
  const history = await openStore(await reportStore(options, options.env ?? process.env));
  try {
    const project = await tryProject(options.config);
    const known = project instanceof PawlError ? undefined : project;
    const library = projectLibrary(known);
    const releases = await findReleases(known?.root ?? process.cwd());
    const answers = await collectAnswers(history, window, library, {
      releases,
      host: await findCodeHost(known?.root ?? process.cwd()),
      signal: options.signal,
    });
    const data = { made_at: now.toISOString(), answers };
    const text = await inlineDashboard({ folder, title: 'Pawl report', data });
    const path = resolve(options.html);
    await writeDurably(path, text);
    return { path, bytes: Buffer.byteLength(text), ...counts(answers) };
  } finally {
    await history.close();
  }
}

function counts(answers: Readonly<Record<string, unknown>>): {
  readonly cases: number;
  readonly runs: number;
} {
  const names = Object.keys(answers);
  return {
    cases: names.filter((name) => name.startsWith('trend?')).length,
    runs: names.filter((name) => name.startsWith('runs/')).length,
  };
}
