import type { CalibrationStore } from './calibration-store.ts';
import type { Calibration } from '../model/calibration.ts';
import { doubtAbout } from '../model/believed-ceilings.ts';

/**
 * Keeps what was measured. What load disturbed is kept only where there is nothing better, marked, and believed by
 * nothing.
 *
 * @returns what to tell
 */
export async function keepCalibration(store: CalibrationStore, calibration: Calibration): Promise<string[]> {
  const { device, threads, disturbed } = calibration;
  const known = disturbed && (await store.all(device)).find((one) => one.threads === threads);
  const hasBetter = known !== undefined && doubtAbout(known) === undefined;
  if (!hasBetter) await store.save(calibration);
  if (disturbed === undefined) return [];
  const whose = threads === undefined ? '' : ` of ${threads} ${threads === 1 ? 'thread' : 'threads'}`;
  const outcome = hasBetter
    ? `those of ${known.measured_at.slice(0, 10)} are kept`
    : 'they are marked, and nothing judges by them';
  return [
    `the ceilings${whose} were measured under load (${disturbed.join('; ')}): ${outcome}. Calibrate again when the machine is idle`,
  ];
}
