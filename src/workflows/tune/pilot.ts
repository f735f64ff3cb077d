/** `pawl tune worker`: works on a study that others share. The same program under Slurm, ssh or Kubernetes. */
import { hostname } from 'node:os';

import { loadConfig } from '../../config/load-config.ts';
import { recoverClocks } from '../../device/clocks.ts';
import { cpuDeviceId } from '../../device/host.ts';
import { allocatedGpu } from '../../engine/allocated-gpu.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { ClusterStore, ClusterStudy } from '../../tune/study/cluster-store.ts';
import { beatEvery_ms, Heartbeat } from '../../tune/study/heartbeat.ts';
import { openStore } from '../../tune/study/open-store.ts';
import { StudyBudget } from '../../tune/study/study-budget.ts';
import { withDevices } from '../../rig/with-devices.ts';
import { confirmFinalists } from './confirm-finalists.ts';
import { identityChanges } from '../../tune/study/open-study.ts';
import {
  timeoutOf,
  WAIT_S,
  type PilotContext,
  type PilotOptions,
  type PilotOutcome,
} from '../../tune/search/pilot-context.ts';
import { searchPart } from '../../tune/search/pilot-search.ts';
import { perHourOf } from './run-study.ts';
import { prepareStudy, type PreparedStudy } from '../../tune/study/study-subject.ts';

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
  const context = { store, study, prepared, worker, options, loaded, ...budgetOf(study, prepared) };
  return options.confirm === true ? confirmPart(context) : searchPart(context);
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
    `This worker does not match study ${study.id}: ${others.join(', ')} differ${others.length === 1 ? 's' : ''}.`,
    gpu === undefined
      ? 'Start a separate study for this machine and these sources.'
      : `Trials on ${agreed.identity.device} do not apply to other models: ask the scheduler for that model.`,
  );
}

/** The study's clock as the store told it, running on; money is paid for every worker. */
function budgetOf(study: ClusterStudy, prepared: PreparedStudy): Pick<PilotContext, 'budget' | 'elapsed_s'> {
  const { settings, pilots } = study;
  const began_ms = performance.now();
  const elapsed_s = () => study.elapsed_s + (performance.now() - began_ms) / 1000;
  const each = perHourOf(prepared, settings);
  const perHour = each === undefined ? undefined : each * pilots;
  return { budget: new StudyBudget({ settings, elapsed_s, perHour }), elapsed_s };
}

async function confirmPart(context: PilotContext): Promise<PilotOutcome> {
  const { store, study, prepared, worker, options, budget } = context;
  const { signal, onProgress, now, clocks, wait_s = WAIT_S } = options;
  const asked = { gpu: prepared.gpu, wait_s, clocks, signal, now, onProgress, command: 'tune worker' };
  await withDevices([prepared.bench], asked, async (held) => {
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
  });
  if (signal.aborted) return { worker, ended_by: 'interrupted', told: 0 };
  await store.endConfirmation();
  return { worker, ended_by: 'confirmed', told: 0 };
}
