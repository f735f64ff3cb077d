import { availableParallelism } from 'node:os';

import { defined } from '../model/defined.ts';
import { packageRoot } from '../build/package-root.ts';
import { userCacheDir } from '../build/cache-dirs.ts';
import { measure, type SeriesRecord } from '../measure/measure.ts';
import { STOPPING_RULES } from '../measure/stopping-rules.ts';
import { CALIBRATION_SCHEMA, type Calibration, type Ceiling } from '../model/device/calibration.ts';
import type { DeviceInfo } from '../model/device/device.ts';
import { loadTexts, type Load } from '../model/device/load.ts';
import { PAWL_VERSION } from '../model/version.ts';
import { median, Xoshiro128 } from '../stats/index.ts';
import { secretSeed } from './bench-settings.ts';
import { watchLoad } from './watch-load.ts';
import { withDevices } from './with-devices.ts';
import { prepareTargets } from './prepare-targets.ts';
import { doubtsOf } from '../measure/calibration-doubts.ts';
import { calibrationPlans } from '../build/calibration-plans.ts';
import type { RunContext } from '../os/run-context.ts';

export interface CalibrateOptions extends RunContext {
  readonly device: 'cpu' | 'cuda';
  /** CPU: so many threads, each on a CPU of its own. */
  readonly threads: number;
  readonly gpu: number;
  readonly wait_ms: number;
}

/** The numbers of threads that a CPU's ceilings are measured for by default. */
export function usualThreads(): number[] {
  return [...new Set([1, availableParallelism()])];
}

const PROCESSES = 2;
const SAMPLES = 15;
const WARMUP = 3;
const TIMEOUT_MS = 120_000;

/** Measures what a device does at best, with the same runner and rules as any kernel. Notes say what could not be. */
export async function calibrate(
  options: CalibrateOptions,
): Promise<{ readonly calibration: Calibration | undefined; readonly notes: readonly string[] }> {
  const { signal, onProgress, now } = options;
  const plans = calibrationPlans(options.device, options.threads);
  const { targets, skipped, gpu } = await prepareTargets([...plans.values()], {
    loaded: { root: packageRoot() },
    // Pawl's own programs, like the runner.
    cacheDir: await userCacheDir(process.env),
    gpuIndex: options.gpu,
    onProgress,
    signal,
  });
  const notes = skipped.map(({ kernel, message }) => `${kernel}: ${message}`);
  const records: SeriesRecord[] = [];
  let disturbed: string[] = [];
  if (targets.length > 0) {
    const asked = {
      gpu,
      wait_s: options.wait_ms / 1000,
      signal,
      now,
      onProgress,
      command: 'device --calibrate',
    };
    disturbed = await withDevices(targets, asked, async () => {
      const loadSoFar = await watchLoad(targets, { gpu, signal });
      await measure(targets, {
        processes: PROCESSES,
        modes: ['cold'],
        random: new Xoshiro128(BigInt(secretSeed())),
        rule: STOPPING_RULES.fixed(SAMPLES),
        warmup: WARMUP,
        timing: 'blocked',
        timeout_ms: TIMEOUT_MS,
        budget_ms: TIMEOUT_MS,
        verified: false,
        signal,
        now,
        onProgress,
        onRecord: (record) => records.push(record),
      });
      return disturbances(await loadSoFar(), options.device);
    });
  }
  for (const { target, outcome } of records) {
    if ('lost' in outcome) notes.push(`${target.plan.name}: ${outcome.lost.message}`);
  }
  const device = records.find(({ opened }) => opened !== undefined)?.opened?.device;
  const calibration = device === undefined ? undefined : assembled(device, plans, records, options);
  disturbed.push(...doubtsOf(records));
  return {
    calibration: calibration && disturbed.length > 0 ? { ...calibration, disturbed } : calibration,
    notes: [...new Set(notes)],
  };
}

/** Of the time: Pawl's own processes wait for each other a little. */
const MOST_WAITING_PCT = 10;

/** Ceilings are what the device does at best: that a CPU's tasks had to wait speaks against them, too. */
function disturbances(load: Load, device: CalibrateOptions['device']): string[] {
  // A GPU's clock stands still while its host waits for a CPU.
  if (device === 'cuda') return loadTexts(defined({ gpu_busy_pct: load.gpu_busy_pct }));
  const { waited_pct = 0 } = load;
  return [
    ...loadTexts(load),
    ...(waited_pct > MOST_WAITING_PCT
      ? [`tasks waited for a CPU ${Math.round(waited_pct)} % of the time`]
      : []),
  ];
}

function assembled(
  device: DeviceInfo,
  plans: ReturnType<typeof calibrationPlans>,
  records: readonly SeriesRecord[],
  { threads, now }: CalibrateOptions,
): Calibration | undefined {
  const rates = new Map<Ceiling, Calibration['copy']>();
  for (const [ceiling, plan] of plans) {
    const medians = records.flatMap(({ target, outcome }) =>
      target.plan.name === plan.name && 'taken' in outcome
        ? [{ ms: median(outcome.taken.samples_ms), samples: outcome.taken.samples_ms.length }]
        : [],
    );
    if (medians.length === 0) continue;
    // Of the fastest process: what slows another one down is not the device.
    const median_ms = Math.min(...medians.map(({ ms }) => ms));
    const { operations, bytes } = plan.cases[0]!;
    const amount = operations ?? bytes;
    const samples = medians.reduce((sum, one) => sum + one.samples, 0);
    rates.set(ceiling, { per_second: (1000 * amount) / median_ms, median_ms, samples });
  }
  const copy = rates.get('copy');
  if (copy === undefined) return undefined;
  const [matrix, multiply_add] = [rates.get('matrix'), rates.get('multiply_add')];
  return {
    schema: CALIBRATION_SCHEMA,
    device,
    ...(device.kind === 'cpu' ? { threads } : {}),
    pawl: PAWL_VERSION,
    measured_at: now().toISOString(),
    copy,
    ...defined({ matrix, multiply_add }),
  };
}
