/** A study over a cluster: this process begins it, watches it and writes down what comes of it; pilots do the work. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { LoadedConfig } from '../../config/load-config.ts';
import { SlurmEngine, type SlurmOptions } from '../../engine/slurm/slurm-engine.ts';
import { isLive, type JobTask } from '../../engine/engine.ts';
import { waitingText } from '../../engine/waiting-text.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Trial } from '../../model/tune/study.ts';
import type { ClusterStudy } from '../../tune/study/cluster-store.ts';
import { StudyInbox } from '../../tune/study/study-inbox.ts';
import { finalists } from '../../tune/study/finalists.ts';
import { openDatabase } from '../../tune/study/open-store.ts';
import { PostgresLedger } from '../../tune/study/postgres-ledger.ts';
import type { StudyDatabase } from '../../tune/study/study-database.ts';
import { StudyBudget } from '../../tune/study/study-budget.ts';
import { recordCost } from '../../rig/cost-of-run.ts';
import { beginStudy } from './begin-cluster-study.ts';
import { clusterJobs } from '../../tune/cluster/cluster-jobs.ts';
import { ClusterJournal } from '../../tune/cluster/cluster-journal.ts';
import { Fleet } from '../../tune/cluster/cluster-fleet.ts';
import type { StudyOptions, StudyOutcome } from './run-study.ts';
import { studyState } from '../../tune/study/show-study.ts';
import { findStudy } from '../../tune/study/study-folders.ts';
import { StudyProgress } from '../../tune/search/study-progress.ts';

export interface ClusterOptions {
  readonly slurm: SlurmOptions;
  /** Address of the PostgreSQL that holds studies. */
  readonly store: string;
  readonly pilots: number;
  /** `files`: the nodes do not reach the database, and write to this process through the project's folder. */
  readonly via: 'database' | 'files';
  readonly lease_s: number;
  readonly restarts?: number;
}

const LOOK_MS = 1000;
const INBOX_MS = 100;
/** A confirmation that is lost this often says something about the nodes. */
const CONFIRM_RESTARTS = 3;
const IDLE = { preparing: 0, queued: 0, measuring: undefined } as const;

export async function runClusterStudy(
  loaded: LoadedConfig,
  options: StudyOptions,
  cluster: ClusterOptions,
): Promise<StudyOutcome> {
  const database = await openDatabase(cluster.store);
  try {
    const id = await beginStudy(database, loaded, options, cluster);
    return await new ClusterRun(database, id, loaded, options, cluster).run();
  } finally {
    await database.close();
  }
}

class ClusterRun {
  readonly #ledger: PostgresLedger;
  readonly #loaded: LoadedConfig;
  readonly #options: StudyOptions;
  readonly #cluster: ClusterOptions;
  readonly #folder: string;
  readonly #engine: SlurmEngine;
  readonly #inbox: StudyInbox | undefined;
  #journal: ClusterJournal | undefined;

  constructor(
    database: StudyDatabase,
    id: string,
    loaded: LoadedConfig,
    options: StudyOptions,
    cluster: ClusterOptions,
  ) {
    this.#ledger = new PostgresLedger(database, id);
    this.#loaded = loaded;
    this.#options = options;
    this.#cluster = cluster;
    this.#folder = join(loaded.root, '.pawl', 'cluster', id);
    this.#engine = new SlurmEngine(cluster.slurm);
    this.#inbox =
      cluster.via === 'files' ? new StudyInbox(join(this.#folder, 'box'), this.#ledger) : undefined;
  }

  async run(): Promise<StudyOutcome> {
    const { signal } = this.#options;
    await mkdir(this.#folder, { recursive: true });
    try {
      await this.#search();
      if (!signal.aborted) await this.#confirm();
      return await this.#outcome();
    } finally {
      this.#journal?.close();
    }
  }

  async #search(): Promise<void> {
    const { onProgress } = this.#options;
    const jobs = this.#jobs();
    const study = await this.#ledger.study();
    const { pilots, restarts = 2 * pilots } = this.#cluster;
    onProgress({
      type: 'note',
      level: 'info',
      text: `study ${study.id}: ${pilots} pilots, job ${jobs.pilotName}`,
    });
    const fleet = new Fleet({
      engine: this.#engine,
      name: jobs.pilotName,
      size: pilots,
      restarts,
      job: (tasks) => jobs.pilots(tasks),
    });
    let progress: StudyProgress | undefined;
    await this.#watch(async () => {
      const now = await this.#ledger.study();
      const trials = await this.#copy(now);
      if (now.described !== undefined && progress === undefined) {
        onProgress({ type: 'note', level: 'info', text: now.described.subject.space.extent });
        progress = this.#progress(now);
        progress.start(trials);
      }
      if (now.searched_by !== undefined) {
        this.#journal?.searched(now.searched_by);
        return true;
      }
      const refusals = await this.#refusals();
      const tasks = await fleet.tend(refusals.length);
      progress?.show(trials, IDLE, 0, fleetText(tasks, trials));
      if (refusals.length >= pilots && !tasks.some(isLive)) {
        throw new PawlError('unavailable', refusals[0]!, `Output of the pilots: ${jobs.output}`);
      }
      return false;
    });
    progress?.finish();
  }

  async #confirm(): Promise<void> {
    const { onProgress } = this.#options;
    const study = await this.#ledger.study();
    const chosen = finalists(await this.#ledger.trials(), study.settings.confirm);
    if (study.settings.confirm === 0 || chosen.length === 0) {
      await this.#ledger.endConfirmation();
      return;
    }
    const jobs = this.#jobs();
    const text = `confirming ${chosen.length} finalists in one exclusive job, ${jobs.confirmName}`;
    onProgress({ type: 'note', level: 'info', text });
    const fleet = new Fleet({
      engine: this.#engine,
      name: jobs.confirmName,
      size: 1,
      restarts: CONFIRM_RESTARTS,
      job: () => jobs.confirm(),
    });
    await this.#watch(async () => {
      const { isConfirmed } = await this.#ledger.study();
      this.#journal?.confirmed(await this.#ledger.confirmations());
      if (!isConfirmed) await fleet.tend(0);
      return isConfirmed;
    });
  }

  /** Looks until it is over or Ctrl-C; between looks, messages are answered where there are any. */
  async #watch(look: () => Promise<boolean>): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      if (await look()) {
        // An outcome file is the study's, whichever worker wrote it.
        await this.#inbox?.turn();
        return;
      }
      const until_ms = performance.now() + LOOK_MS;
      do {
        await this.#inbox?.turn();
        const wait_ms = this.#inbox === undefined ? LOOK_MS : INBOX_MS;
        await sleep(wait_ms, undefined, { signal }).catch(() => undefined);
      } while (performance.now() < until_ms && !signal.aborted);
    }
  }

  /** The first look at a study that a pilot has described begins its copy. */
  async #copy(study: ClusterStudy): Promise<readonly Trial[]> {
    const trials = await this.#ledger.trials();
    if (study.described === undefined) return trials;
    this.#journal ??= await ClusterJournal.open(
      this.#loaded.root,
      study.described,
      study.settings,
      this.#options.now,
    );
    this.#journal.copy(trials);
    return trials;
  }

  #jobs(): ReturnType<typeof clusterJobs> {
    const { via, store } = this.#cluster;
    const { timeout_s, clocks, jobs } = this.#options;
    return clusterJobs({
      id: this.#ledger.id,
      config: this.#loaded.path,
      root: this.#loaded.root,
      folder: this.#folder,
      place: via === 'files' ? { folder: join(this.#folder, 'box') } : { url: store },
      passed: { timeout_s, clocks, jobs },
    });
  }

  async #refusals(): Promise<string[]> {
    return (await this.#ledger.workers()).flatMap(({ refusal }) => refusal ?? []);
  }

  #progress({ settings, described, id }: ClusterStudy): StudyProgress {
    const elapsed_s = () => this.#journal?.elapsed_s ?? 0;
    return new StudyProgress({
      title: `tuning ${described!.subject.kernel} ${described!.subject.case} (${id})`,
      settings,
      space: { size: described!.subject.space.size },
      budget: new StudyBudget({ settings, elapsed_s, perHour: undefined }),
      elapsed_s,
      onProgress: this.#options.onProgress,
    });
  }

  async #outcome(): Promise<StudyOutcome> {
    const { now, onProgress, signal } = this.#options;
    const study = await this.#ledger.study();
    await this.#copy(study);
    const journal = this.#journal;
    if (study.described === undefined || journal === undefined) {
      throw new PawlError(
        'try-again',
        `Interrupted before a pilot started. Study ${study.id} continues without this command.`,
        `Return to it with --resume ${study.id}, or end it: scancel --name=${this.#jobs().pilotName}`,
      );
    }
    if (signal.aborted) {
      const { pilotName } = this.#jobs();
      const text = `the pilots continue; --resume ${study.id} returns to them, scancel --name=${pilotName} ends them`;
      onProgress({ type: 'note', level: 'warning', text });
    }
    journal.confirmed(await this.#ledger.confirmations());
    const { root } = this.#loaded;
    const state = async () => studyState(this.#loaded, await findStudy(root, { id: study.id }), now());
    const first = await state();
    if (!signal.aborted) journal.finished(first.result, first.reason);
    const device = study.described.subject.device.name;
    const workers = await this.#ledger.workers();
    const device_s = workers.reduce((sum, { seconds }) => sum + seconds, 0);
    // One line per worker: resuming a study charges nothing twice. Workers that go on are charged then.
    for (const { worker, seconds } of workers.filter(({ isHere }) => !(signal.aborted && isHere))) {
      await recordCost(
        this.#loaded,
        {
          run: `${study.id}/${worker}`,
          what: 'tune',
          kernels: [study.kernel],
          times: [{ device, device_s: seconds }],
          wall_s: seconds,
          commit: study.described.subject.commit,
          study: study.id,
        },
        { now, onProgress },
      );
    }
    return { study: { ...(await state()), cost: { ...first.cost, device_s } }, folder: journal.folder };
  }
}

function fleetText(tasks: readonly JobTask[], trials: readonly Trial[]): string {
  const running = tasks.filter(({ state }) => state === 'running').length;
  const waiting = waitingText(tasks);
  const underWay = trials.filter(({ outcome }) => outcome === undefined).length;
  return [`${running} pilots`, ...(waiting === undefined ? [] : [waiting]), `${underWay} under way`].join(
    ', ',
  );
}
