import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';

import { defined } from '../model/defined.ts';
import type { History, Page, PageRequest, RunFilter } from '../history/history.ts';
import { isPostgres } from '../os/postgres.ts';
import { placeOf } from '../history/open-database.ts';
import { openStore } from '../history/store/open-store.ts';
import type { Pushed } from '../history/store/outbox.ts';
import type { Pruned } from '../history/store/retention.ts';
import type { SqlHistory } from '../history/store/sql-history.ts';
import type { Verified } from '../history/store/verify-store.ts';
import type { RunDetail } from '../model/history/history-api.ts';
import type { HistoryRun } from '../model/history/history.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { OnProgress } from '../model/measure/progress.ts';
import type { RetentionRules } from '../model/history/retention.ts';
import { storePlace, type StorePlace } from '../history/store-place.ts';
import { trySettings } from '../config/try-settings.ts';
import { runContext } from '../os/run-context.ts';

/** Which history is meant. */
export interface HistoryOptions {
  /** pawl.yaml or its folder. Not needed to read a history. */
  readonly config?: string | undefined;
  /** A file or a `postgres://` address, instead of the project's. */
  readonly store?: string | undefined;
  readonly onProgress?: OnProgress | undefined;
  readonly signal?: AbortSignal | undefined;
}

// Listing is quick because it loads nothing else: each of the others loads what it needs when it is asked for.

interface OpenedProject {
  readonly root: string;
  readonly place: StorePlace;
  /** As pawl.yaml says. */
  readonly retention: RetentionRules | undefined;
}

async function projectOf({ config, store }: HistoryOptions): Promise<OpenedProject> {
  const project = await trySettings(config, ['store', 'retention']);
  const root = project?.root ?? process.cwd();
  return {
    root,
    place: storePlace(project ?? { root }, store, process.env),
    retention: project?.config.retention,
  };
}

/** Where git is asked about the project. */
export async function projectRoot(options: HistoryOptions): Promise<string> {
  return (await projectOf(options)).root;
}

/** The history of a project, for callers that ask it many things; the opener closes it. */
export async function openHistory(options: HistoryOptions = {}): Promise<History> {
  const { place } = await projectOf(options);
  return openStore(place.store);
}

async function using<Result>(
  options: HistoryOptions,
  action: (store: SqlHistory, project: OpenedProject) => Promise<Result>,
): Promise<Result> {
  const project = await projectOf(options);
  const store = await openStore(project.place.store);
  try {
    return await action(store, project);
  } finally {
    await store.close();
  }
}

/** How many runs there are, on all pages. */
export function countRuns(options: HistoryOptions & { readonly filter: RunFilter }): Promise<number> {
  return using(options, (store) => store.countRuns(options.filter));
}

/** A page of runs, and the store they are in. */
export interface ListedRuns extends Page<HistoryRun> {
  readonly store: string;
}

/**
 * Returns one page of the stored runs, the newest first. `next` of a page is the `cursor` of the following one.
 *
 * @throws {PawlError} of kind `usage` if the cursor is invalid; `unavailable` if the store does not answer
 * @example
 * ```ts
 * import { listRuns, showRun } from 'pawl';
 *
 * const { items } = await listRuns({ filter: { kinds: ['bench'] }, page: { limit: 10 } });
 * for (const { id, started_at, cases } of items) console.log(id, started_at, cases);
 * const latest = items[0] && (await showRun({ run: items[0].id }));
 * console.log(latest?.measurements.length);
 * ```
 */
export function listRuns(
  options: HistoryOptions & { readonly filter: RunFilter; readonly page: PageRequest },
): Promise<ListedRuns> {
  return using(options, async (store) => ({
    store: store.place,
    ...(await store.runs(options.filter, options.page)),
  }));
}

/**
 * Returns one stored run, by its id or the beginning of it.
 *
 * @throws {PawlError} of kind `usage` if no run, or more than one, has that id
 */
export async function showRun(options: HistoryOptions & { readonly run: string }): Promise<RunDetail> {
  const found = await using(options, (store) => store.run(options.run));
  if (found !== undefined) return found;
  throw new PawlError(
    'usage',
    `No run, or more than one, has an id that begins with "${options.run}".`,
    '`pawl history list` shows runs and their ids; give more of the id.',
  );
}

/**
 * Reads everything that is stored, and compares runs and series with their hashes. Damage is in `problems` and is not
 * an exception.
 *
 * @throws {PawlError} of kind `unavailable` if the store does not answer
 */
export function verifyHistory(options: HistoryOptions): Promise<Verified & { readonly store: string }> {
  return using(options, async (store) => {
    const { verifyStore } = await import('../history/store/verify-store.ts');
    options.onProgress?.({ type: 'started', title: 'verifying', total: 0 });
    const verified = await verifyStore(store, (done, total) =>
      options.onProgress?.({ type: 'step', done, label: `run ${done} of ${total}` }),
    );
    options.onProgress?.({ type: 'finished' });
    return { store: store.place, ...verified };
  });
}

/** How long to keep samples; what is left out is as pawl.yaml says. */
export interface PruneOptions extends HistoryOptions, Partial<RetentionRules> {
  readonly dryRun?: boolean | undefined;
  readonly now?: () => Date;
}

/**
 * Thins or removes the samples of old runs, as the retention rules say. Levels and verdicts stay. With `dryRun` it only
 * counts.
 *
 * @throws {PawlError} of kind `usage` if the rules contradict each other
 */
export function pruneHistory(
  options: PruneOptions,
): Promise<Pruned & { readonly store: string; readonly rules: RetentionRules; readonly dry_run: boolean }> {
  return using(options, async (store, project) => {
    const { retentionSchema } = await import('../model/history/retention.ts');
    const retention = project.retention ?? retentionSchema.parse({});
    const { prune } = await import('../history/store/retention.ts');
    const rules = {
      all_days: options.all_days ?? retention.all_days,
      quantiles: options.quantiles ?? retention.quantiles,
      quantiles_days: options.quantiles_days ?? retention.quantiles_days,
    };
    const pruned = await prune(store, rules, {
      now: runContext(options).now(),
      dryRun: options.dryRun === true,
      ...defined({ signal: options.signal }),
    });
    return { store: store.place, rules, dry_run: options.dryRun === true, ...pruned };
  });
}

/** What `importHistory` stored, knew already and left out. */
export interface ImportedHistory {
  readonly store: string;
  readonly stored: number;
  /** Runs that were stored before. */
  readonly known: number;
  /** What was left out, and why. */
  readonly problems: readonly string[];
}

/**
 * Stores runs from other stores, exports, run folders and samples files. Runs that are known are not stored again. A
 * damaged file is in `problems` and does not stop the others.
 *
 * @throws {PawlError} of kind `bad-data` if an export has a line that cannot be read
 */
export function importHistory(
  options: HistoryOptions & { readonly paths: readonly string[] },
): Promise<ImportedHistory> {
  return using(options, async (store, { root }) => {
    const { findRuns, linesOf } = await import('../history/read-runs.ts');
    const { importLine } = await import('../history/store/history-lines.ts');
    const { commitFacts } = await import('../history/commit-facts.ts');
    const counts = { stored: 0, known: 0 };
    const problems: string[] = [];
    const count = (stored: boolean | undefined) => {
      if (stored === true) counts.stored++;
      else if (stored === false) counts.known++;
    };
    for (const path of options.paths) {
      for await (const source of findRuns(resolve(path))) {
        if (options.signal?.aborted === true) break;
        options.onProgress?.({ type: 'note', level: 'info', text: `importing ${source.path}` });
        if (source.type === 'store') {
          const { pushed, known } = await importStore(store, source.path, options);
          counts.stored += pushed;
          counts.known += known;
        } else if (source.type === 'lines') {
          for await (const { line, where } of linesOf(source.path))
            count(await importLine(store, line, where));
        } else {
          try {
            if (source.type === 'session') {
              count((await store.putSession(await source.read())).stored);
              continue;
            }
            const run = await source.read();
            count((await store.put(run, { commits: await commitFacts(root, run) })).stored);
          } catch (error) {
            // One damaged file among hundreds does not keep the others out.
            if (!(error instanceof PawlError) || error.kind !== 'bad-data') throw error;
            problems.push(error.message);
          }
        }
      }
    }
    return { store: store.place, ...counts, problems };
  });
}

async function importStore(store: SqlHistory, path: string, { signal }: HistoryOptions) {
  const { pushRuns } = await import('../history/store/outbox.ts');
  const other = await openStore(path);
  try {
    return await pushRuns(other, store, defined({ signal }));
  } finally {
    await other.close();
  }
}

/**
 * Writes the whole history as lines of JSON, to `out` or through `print`. An incomplete file is never left behind.
 *
 * @throws {PawlError} of kind `unavailable` if the store does not answer
 */
export function exportHistory(
  options: HistoryOptions & { readonly out?: string | undefined; readonly print: (line: string) => void },
): Promise<{ readonly store: string; readonly lines: number }> {
  return using(options, async (store) => {
    const { exportLines } = await import('../history/store/history-lines.ts');
    let lines = 0;
    if (options.out === undefined || options.out === '-') {
      for await (const line of exportLines(store)) {
        options.print(line);
        lines++;
      }
      return { store: store.place, lines };
    }
    const path = resolve(options.out);
    const partial = `${path}.${process.pid}.partial`;
    const file = createWriteStream(partial, { flags: 'wx' });
    try {
      for await (const line of exportLines(store)) {
        if (!file.write(`${line}\n`)) await once(file, 'drain');
        lines++;
      }
      file.end();
      await once(file, 'close');
      await rename(partial, path);
    } catch (error) {
      file.destroy();
      await rm(partial, { force: true });
      throw error;
    }
    return { store: store.place, lines };
  });
}

/**
 * Copies the runs that are only on this machine to the team's store, and returns how many.
 *
 * @throws {PawlError} of kind `usage` if the project has no team store; `unavailable` if it does not answer
 */
export async function pushHistory(options: HistoryOptions): Promise<Pushed & { readonly store: string }> {
  const { place } = await projectOf(options);
  if (!isPostgres(place.store)) {
    throw new PawlError(
      'usage',
      `No team store to push to: the store is the local file ${placeOf(place.store)}.`,
      'Set the team store: PAWL_STORE=postgres://…, or `store:` in pawl.yaml.',
    );
  }
  const { pushRuns } = await import('../history/store/outbox.ts');
  const local = await openStore(place.local);
  try {
    const remote = await openStore(place.store);
    try {
      const pushed = await pushRuns(local, remote, {
        ...defined({ signal: options.signal }),
        onRun: (done, total) =>
          options.onProgress?.({ type: 'step', done, label: `run ${done} of ${total}` }),
      });
      return { store: remote.place, ...pushed };
    } finally {
      await remote.close();
    }
  } finally {
    await local.close();
  }
}
