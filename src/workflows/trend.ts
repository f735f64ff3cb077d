import { extname, resolve } from 'node:path';

import { defined } from '../model/defined.ts';
import { writeDurably } from '../os/write-durably.ts';
import { didYouMean } from '../model/text/did-you-mean.ts';
import { acrossKeys } from '../history/trends/across-keys.ts';
import { judgeDevices } from '../history/trends/judge-devices.ts';
import { findReleases } from '../history/trends/find-releases.ts';
import { trendOf } from '../history/trends/trend-of.ts';
import type { HistoryKey, Trend, TrendReport } from '../model/history/history.ts';
import type { CommitFacts } from '../model/history/stored-run.ts';
import { ownHint, PawlError } from '../model/pawl-error.ts';
import { openHistory, projectRoot, type HistoryOptions } from './history.ts';

/** Which cases, since when, and a file for the picture. */
export interface TrendOptions extends HistoryOptions {
  /** `KERNEL`, `CASE` or `KERNEL/CASE`; none: all of them. */
  readonly names?: readonly string[];
  readonly mode?: string;
  /** A part of the device class. */
  readonly device?: string;
  readonly since?: Date;
  /** A file for the picture: `.html` or `.svg`. */
  readonly out?: string;
}

/** Loaded where a picture is asked for. */
const PICTURES: Readonly<Record<string, () => Promise<(report: TrendReport) => string>>> = {
  '.html': async () => (await import('../report/html/trend-html.tsx')).renderTrendHtml,
  '.svg': async () => (await import('../report/svg/trend-svg.tsx')).renderTrendSvg,
};

/**
 * Returns the times of cases over commits, and the commits at which they changed. Reads the history and measures
 * nothing.
 *
 * @throws {PawlError} of kind `usage` if the history has no such kernel or case, or `out` is not .html or .svg;
 * `unavailable` if it does not answer
 * @example
 * ```ts
 * import { trend } from 'pawl';
 *
 * const { trends } = await trend({ names: ['softmax-cpu'] });
 * for (const { key, points, changes } of trends) {
 *   console.log(key.case, points.length);
 *   for (const { commit, change_pct } of changes) console.log(commit, change_pct);
 * }
 * ```
 */
export async function trend(options: TrendOptions): Promise<TrendReport> {
  const render = options.out === undefined ? undefined : await pictureFor(options.out);
  const history = await openHistory(options);
  try {
    const keys = choose(await history.keys(), options);
    const window = defined({ since: options.since });
    const releases = await findReleases(await projectRoot(options));
    const found: Trend[] = [];
    for (const { id } of keys) {
      const one = await trendOf(history, id, window, releases);
      if (one !== undefined && one.points.length > 0) found.push(one);
    }
    const trends = lookedAtTogether(found);
    const named = trends.flatMap(({ changes, newest }) =>
      [...changes, ...(newest === undefined ? [] : [newest])].flatMap(({ commit, previous_commit }) => [
        commit,
        previous_commit,
      ]),
    );
    const commits = await history.commits([...new Set(named)]);
    const report: TrendReport = {
      schema: 'pawl.trend-report/1',
      store: history.place,
      ...defined({ since: options.since?.toISOString() }),
      trends,
      commits: commits.map(toldOf),
      devices: judgeDevices(await history.devices(window)),
      files: {},
    };
    if (options.out === undefined || render === undefined) return report;
    const path = resolve(options.out);
    await writeDurably(path, render(report));
    return { ...report, files: { picture: path } };
  } finally {
    await history.close();
  }
}

function lookedAtTogether(trends: readonly Trend[]): Trend[] {
  const kept = acrossKeys(new Map(trends.map(({ key, changes }) => [key.id, changes])));
  return trends.map((one) => ({ ...one, changes: [...kept.get(one.key.id)!] }));
}

function toldOf({ sha, time, subject, author }: CommitFacts): TrendReport['commits'][number] {
  return { sha, ...defined({ time, subject, author }) };
}

async function pictureFor(out: string): Promise<(report: TrendReport) => string> {
  const render = PICTURES[extname(out).toLowerCase()];
  if (render !== undefined) return render();
  throw new PawlError(
    'usage',
    `--out must be an .html or .svg file, not "${out}".`,
    ownHint('For example: pawl trend --out trend.html', 'trend'),
  );
}

/** Every name has to mean something: a misspelt one would read as a case without a history. */
function choose(keys: readonly HistoryKey[], { names = [], mode, device }: TrendOptions): HistoryKey[] {
  const namesOf = ({ kernel, case: name }: HistoryKey): string[] => [kernel, name, `${kernel}/${name}`];
  const unknown = names.find((name) => !keys.some((key) => namesOf(key).includes(name)));
  if (unknown !== undefined && keys.length > 0) {
    const known = [...new Set(keys.flatMap(namesOf))];
    throw new PawlError(
      'usage',
      `The history has no kernel or case "${unknown}"${didYouMean(unknown, known)}.`,
      ownHint('pawl trend without a name shows everything.', 'trend'),
    );
  }
  const order = (key: HistoryKey): string =>
    JSON.stringify([key.kernel, key.case, key.mode, key.device_class]);
  return keys
    .filter((key) => names.length === 0 || names.some((name) => namesOf(key).includes(name)))
    .filter((key) => mode === undefined || key.mode === mode)
    .filter((key) => device === undefined || key.device_class.toLowerCase().includes(device.toLowerCase()))
    .toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
}
