import { calibrationDir } from '../../build/cache-dirs.ts';
import { CalibrationStore } from '../../device/calibration-store.ts';
import type { BenchMeasurement, BenchReport } from '../../model/bench-report.ts';
import { placeOnRoofline } from '../../profile/place-on-roofline.ts';
import type { Target } from '../../runner/target.ts';

/** The report with every time under the ceilings of its device, where those were measured. */
export async function withRoofline(
  report: BenchReport,
  targets: readonly Target[],
  env: NodeJS.ProcessEnv,
): Promise<BenchReport> {
  const store = new CalibrationStore(await calibrationDir(env));
  const measurements = await Promise.all(
    report.measurements.map(async (one): Promise<BenchMeasurement> => {
      const device = one.device ?? report.device;
      const plan = targets
        .find((target) => target.plan.name === one.kernel)
        ?.plan.cases.find((each) => each.name === one.case);
      if (one.state !== 'measured' || device === undefined || plan === undefined) return one;
      const calibration = await store.find(device);
      const placed = {
        kernel: one.kernel ?? '',
        case: plan,
        mode: one.mode ?? 'cold',
        time_ms: one.median_ms,
      };
      const roofline = calibration && placeOnRoofline(placed, calibration);
      if (roofline === undefined) return one;
      const { advice } = roofline;
      return { ...one, roofline, notes: advice === undefined ? one.notes : [...one.notes, advice] };
    }),
  );
  return { ...report, measurements };
}
