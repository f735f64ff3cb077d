/** `pawl tune worker`: works on a study that others share. The same program under Slurm, ssh or Kubernetes. */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { loadConfig, type LoadedConfig } from '../../config/load-config.ts';
import { applyClockPolicy, recoverClocks } from '../../device/clocks.ts';
import { cpuDeviceId } from '../../device/host.ts';
import { allocatedGpu } from '../../engine/allocated-gpu.ts';
import type { OnProgress } from '../../model/progress.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Trial } from '../../model/study.ts';
import type { ClusterStore, ClusterStudy } from '../../tune/study/cluster-store.ts';
import { beatEvery_ms, Heartbeat } from '../../tune/study/heartbeat.ts';
import { openStore, type StorePlace } from '../../tune/study/open-store.ts';
import { StudyBudget } from '../../tune/study/study-budget.ts';
import { holdDevices } from '../bench/hold-devices.ts';
import { confirmFinalists } from './confirm-finalists.ts';
import { identityChanges } from './open-study.ts';
import { perHourOf } from './run-study.ts';
import { search } from './search.ts';
import { prepareStudy, type PreparedStudy } from './study-subject.ts';
import { PilotTools } from './pilot-tools.ts';

export interface PilotOptions {
  readonly config?: string;
  readonly study: string;
  readonly place: StorePlace;
  /** Measure the finalists against the default instead of searching. */
  readonly confirm?: boolean;
  readonly jobs?: number;
  readonly timeout_s?: number;
  readonly clocks?: 'as-is' | 'lock';
  /** Default: the one that the scheduler gave. */
  readonly gpu?: number;
  /** How long to wait for a device that another Pawl is using. */
  readonly wait_s?: number;
  /** How long to stand by for what others may lose, while nothing happens. */
  readonly idle_s?: number;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
  readonly now: () => Date;
}

export interface PilotOutcome {
  readonly worker: string;
  readonly ended_by: 'searched' | 'confirmed' | 'idle' | 'interrupted';
  /** Trials that it told of. */
  readonly told: number;
}

const IDLE_S = 300;
const WAIT_S = 3600;
const LOOK_MS = 1000;

export async function runPilot(options: PilotOptions): Promise<PilotOutcome> {
  const { place, study: id, signal } = options;
  const store = await openStore(place, id);
  const worker = workerName(process.env);
  try {
    const study = await store.study();
    await store.join({ worker, host: hostname(), device: undefined });
    const heartbeat = new Heartbeat({ place, study: id, worker, every_ms: beatEvery_ms(study.lease_s) });
    let refusal: string | undefined;
    try {
      const work = workOn(store, study, worker, options);
      return await Promise.race([work, heartbeat.failed]);
    } catch (error) {
      if (signal.aborted) return { worker, ended_by: 'interrupted', told: 0 };
      if (error instanceof PawlError) refusal = error.message;
      throw error;
    } finally {
      await heartbeat.stop();
      await store.leave(worker, refusal);
    }
  } finally {
    await store.close();
  }
}

/** One of its own for every process: a requeued job must not be taken for its own earlier life. */
function workerName(env: NodeJS.ProcessEnv): string {
  const { SLURM_ARRAY_JOB_ID, SLURM_ARRAY_TASK_ID, SLURM_JOB_ID, SLURM_RESTART_COUNT, SLURMD_NODENAME } = env;
  const job =
    SLURM_ARRAY_JOB_ID === undefined ? SLURM_JOB_ID : `${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID ?? 0}`;
  const place = SLURMD_NODENAME ?? hostname();
  const parts = job === undefined ? [place] : [place, `${job}.${SLURM_RESTART_COUNT ?? 0}`];
  return [...parts, `${process.pid}-${Date.now().toString(36)}`].join('/');
}

async function workOn(
  store: ClusterStore,
  study: ClusterStudy,
  worker: string,
  options: PilotOptions,
): Promise<PilotOutcome> {
  const loaded = await loadConfig(options.config);
  await recoverClocks();
  const prepared = await prepareStudy(loaded, {
    kernel: study.kernel,
    case: study.case,
    mode: study.mode,
    gpuIndex: options.gpu ?? (await allocatedGpu(process.env)),
    jobs: options.jobs,
    timeout_ms: 1000 * timeoutOf(loaded, options),
    now: options.now,
    signal: options.signal,
    onProgress: options.onProgress,
  });
  await agree(store, study, prepared, options.now());
  await store.join({ worker, host: hostname(), device: prepared.gpu?.info.uuid ?? cpuDeviceId() });
  const clocks = await applyClockPolicy(options.clocks ?? 'as-is', prepared.gpu?.info);
  try {
    const context = { store, study, prepared, worker, options, loaded, ...budgetOf(study, prepared) };
    return await (options.confirm === true ? confirmPart(context) : searchPart(context));
  } finally {
    await clocks.release();
  }
}

interface Context {
  readonly store: ClusterStore;
  readonly study: ClusterStudy;
  readonly prepared: PreparedStudy;
  readonly worker: string;
  readonly options: PilotOptions;
  readonly loaded: LoadedConfig;
  readonly budget: StudyBudget;
  /** The study's clock. */
  readonly elapsed_s: () => number;
}

/** What the first worker found is what the study is about; who finds something else does not take part. */
async function agree(
  store: ClusterStore,
  study: ClusterStudy,
  { subject, identity, gpu }: PreparedStudy,
  now: Date,
): Promise<void> {
  const mine = { ...subject, id: study.id, created_at: now.toISOString() };
  const agreed = await store.describe({ subject: mine, identity });
  const others = identityChanges(agreed.identity, identity);
  if (others.length === 0) return;
  throw new PawlError(
    'usage',
    `Study ${study.id} is of something else than is here: ${others.join(', ')} differ${others.length === 1 ? 's' : ''}.`,
    gpu === undefined
      ? 'Start a study of its own for what is here.'
      : `Trials of ${agreed.identity.device} say nothing about others: ask the scheduler for that model.`,
  );
}

/** The study's clock as the store told it, running on; money is paid for every worker. */
function budgetOf(study: ClusterStudy, prepared: PreparedStudy): Pick<Context, 'budget' | 'elapsed_s'> {
  const { settings, pilots } = study;
  const began_ms = performance.now();
  const elapsed_s = () => study.elapsed_s + (performance.now() - began_ms) / 1000;
  const each = perHourOf(prepared, settings);
  const perHour = each === undefined ? undefined : each * pilots;
  return { budget: new StudyBudget({ settings, elapsed_s, perHour }), elapsed_s };
}

async function searchPart(context: Context): Promise<PilotOutcome> {
  const { store, study, prepared, worker, options, budget } = context;
  const { signal, onProgress, now } = options;
  const { builder } = prepared;
  const tools = new PilotTools({
    study: prepared,
    settings: study.settings,
    timeout_ms: 1000 * timeoutOf(context.loaded, options),
    wait_ms: 1000 * (options.wait_s ?? WAIT_S),
    now,
  });
  const idle_ms = 1000 * (options.idle_s ?? IDLE_S);
  let seen = '';
  let seen_ms = performance.now();
  for (;;) {
    const ended_by = await search({
      space: prepared.space,
      default: prepared.plan.variant,
      settings: study.settings,
      ledger: store,
      tools,
      budget,
      jobs: builder.jobs,
      building: () => builder.running,
      worker,
      title: `study ${study.id}`,
      elapsed_s: context.elapsed_s,
      signal,
      onProgress,
    });
    const trials = await store.trials();
    const told = trials.filter((trial) => trial.outcome !== undefined && trial.worker === worker).length;
    if (signal.aborted) return { worker, ended_by: 'interrupted', told };
    if (trials.every(({ outcome }) => outcome !== undefined)) {
      await store.endSearch(ended_by);
      return { worker, ended_by: 'searched', told };
    }
    // Out of time: what is under way elsewhere is told of or not, and nobody takes it over any more.
    if (!budget.mayMeasure(trials)) {
      await store.endSearch(ended_by);
      return { worker, ended_by: 'searched', told };
    }
    const state = stateText(trials);
    if (state !== seen) [seen, seen_ms] = [state, performance.now()];
    if (performance.now() - seen_ms > idle_ms) return { worker, ended_by: 'idle', told };
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

function stateText(trials: readonly Trial[]): string {
  return trials
    .filter(({ outcome }) => outcome === undefined)
    .map(({ number, worker }) => `${number}:${worker ?? ''}`)
    .join(' ');
}

async function confirmPart(context: Context): Promise<PilotOutcome> {
  const { store, study, prepared, worker, options, budget } = context;
  const { signal, onProgress, now } = options;
  const held = await holdDevices([prepared.bench], {
    gpu: prepared.gpu,
    wait_ms: 1000 * (options.wait_s ?? WAIT_S),
    signal,
    command: 'tune worker',
  });
  try {
    const before = await store.confirmations();
    await confirmFinalists({
      study: prepared,
      open: {
        settings: study.settings,
        records: before.map((confirmation) => ({ type: 'confirmation', at_s: 0, confirmation })),
        ledger: store,
        journal: {
          add: async (record) => {
            if (record.type === 'confirmation') await store.confirm(record.confirmation);
          },
        },
      },
      budget,
      held,
      timeout_s: timeoutOf(context.loaded, options),
      signal,
      onProgress,
      now,
    });
  } finally {
    await held.release();
  }
  if (signal.aborted) return { worker, ended_by: 'interrupted', told: 0 };
  await store.endConfirmation();
  return { worker, ended_by: 'confirmed', told: 0 };
}

function timeoutOf({ config }: LoadedConfig, { timeout_s }: PilotOptions): number {
  return timeout_s ?? config.measure.timeout_s;
}
