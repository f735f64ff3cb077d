import type { CalibrationStore } from './calibration-store.ts';
import type { Calibration } from '../model/device/calibration.ts';

export interface KeptCalibration {
  readonly isKept: boolean;
  /** What to tell. */
  readonly notes: readonly string[];
}

/** Keeps what was measured; what load disturbed only where that is accepted. */
export async function keepCalibration(
  store: CalibrationStore,
  calibration: Calibration,
  { acceptLoad }: { readonly acceptLoad: boolean },
): Promise<KeptCalibration> {
  const { device, threads, disturbed } = calibration;
  if (disturbed === undefined) {
    await store.save(calibration);
    return { isKept: true, notes: [] };
  }
  const whose = threads === undefined ? '' : ` of ${threads} ${threads === 1 ? 'thread' : 'threads'}`;
  const what = `the ceilings${whose} were disturbed (${disturbed.join('; ')})`;
  if (acceptLoad) {
    await store.save({ ...calibration, load_accepted: true });
    return { isKept: true, notes: [`${what}, and are kept because that was accepted`] };
  }
  const known = (await store.all(device)).find((one) => one.threads === threads);
  const outcome =
    known === undefined ? 'they are not kept' : `those of ${known.measured_at.slice(0, 10)} stay`;
  return {
    isKept: false,
    notes: [`${what}: ${outcome}. Calibrate again when the machine is idle, or keep them with --accept-load`],
  };
}
