import { defined } from '../model/defined.ts';
import { calibrationDir } from '../build/cache-dirs.ts';
import { withoutMemoryFloor } from '../correctness/physical-floor.ts';
import { CalibrationStore } from '../device/calibration-store.ts';
import type { BenchMeasurement, BenchReport, MeasuredBench } from '../model/reports/bench-report.ts';
import type { DeviceInfo } from '../model/device/device.ts';
import { doubtAbout } from '../model/device/believed-ceilings.ts';
import type { Samples } from '../model/measure/samples.ts';
import { casePlanOf } from './case-plan-of.ts';
import { exceededCeiling, placeOnRoofline } from './place-on-roofline.ts';
import type { Target } from '../runner/target.ts';

interface Placing {
  readonly one: MeasuredBench;
  readonly device: DeviceInfo;
  readonly placed: Parameters<typeof placeOnRoofline>[0];
}

/** The report of these samples, with every time under the ceilings of its device, where those were measured and are believed. */
export async function withRoofline(
  report: BenchReport,
  samples: Samples,
  targets: readonly Target[],
  { env, now }: { readonly env: NodeJS.ProcessEnv; readonly now: () => Date },
): Promise<BenchReport> {
  const store = new CalibrationStore(await calibrationDir(env));
  const placing = report.measurements.map((one, index) => {
    // Kernels of several numbers of threads share a device in the report, and have ceilings of their own.
    const device = samples.measurements[index]?.device ?? samples.device;
    return device && placingOf(one, device, targets);
  });
  // First what speaks against a ceiling, so that no time is held against one that this very run exceeded.
  for (const each of placing) if (each !== undefined) await witness(store, each, now);
  const measurements = await Promise.all(
    report.measurements.map(async (one, index): Promise<BenchMeasurement> => {
      const each = placing[index];
      return each === undefined ? one : annotated(each, store);
    }),
  );
  return { ...report, measurements };
}

function placingOf(
  one: BenchMeasurement,
  device: DeviceInfo,
  targets: readonly Target[],
): Placing | undefined {
  const plan = casePlanOf(one, targets);
  if (one.state !== 'measured' || plan === undefined) return undefined;
  const { mode = 'cold', median_ms: time_ms } = one;
  return { one, device, placed: { kernel: one.kernel ?? '', case: plan, mode, time_ms } };
}

/** A kernel that is faster than a ceiling is remembered: a detector would have spoken against it, had it cheated. */
async function witness(store: CalibrationStore, { one, device, placed }: Placing, now: () => Date) {
  const calibration = await store.find(device);
  const exceeded = calibration && exceededCeiling(placed, calibration);
  // What is wrong, or not known to be right, is not evidence.
  if (exceeded === undefined || one.check !== 'passed') return;
  await store.addExceeded(device, {
    ...exceeded,
    kernel: placed.kernel,
    case: one.case,
    verified: one.verified > 0 && one.verified === one.processes,
    at: now().toISOString(),
  });
}

async function annotated({ one, device, placed }: Placing, store: CalibrationStore): Promise<MeasuredBench> {
  const calibration = await store.find(device);
  const roofline = calibration && placeOnRoofline(placed, calibration);
  const notes = [
    withoutMemoryFloor(placed.case),
    calibration && doubtAbout(calibration),
    roofline?.advice,
  ].filter((note) => note !== undefined);
  if (roofline === undefined && notes.length === 0) return one;
  return { ...one, ...defined({ roofline }), notes: [...one.notes, ...notes] };
}
