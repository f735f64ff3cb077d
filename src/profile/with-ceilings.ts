import { calibrationDir } from '../build/cache-dirs.ts';
import { CalibrationStore } from '../device/calibration-store.ts';
import { defined } from '../model/defined.ts';
import type { Measurement, Samples } from '../model/measure/samples.ts';
import type { Target } from '../runner/target.ts';
import { casePlanOf } from './case-plan-of.ts';
import { measuredCeiling } from './place-on-roofline.ts';

/** With the measured ceilings of their devices, so that readers can tell how near each time is. */
export async function withCeilings(
  samples: Samples,
  targets: readonly Target[],
  env: NodeJS.ProcessEnv,
): Promise<Samples> {
  const store = new CalibrationStore(await calibrationDir(env));
  const ceilingOf = async (one: Measurement): Promise<Measurement['ceiling']> => {
    const plan = casePlanOf(one, targets);
    const device = one.device ?? samples.device;
    if (plan === undefined || device === undefined || one.series.length === 0) return undefined;
    // What was measured is worth more than ceilings that cannot be read.
    const calibration = await store.find(device).catch(() => undefined);
    return calibration && measuredCeiling({ case: plan, mode: one.mode ?? 'cold' }, calibration);
  };
  const measurements = await Promise.all(
    samples.measurements.map(async (one) => ({ ...one, ...defined({ ceiling: await ceilingOf(one) }) })),
  );
  return { ...samples, measurements };
}
