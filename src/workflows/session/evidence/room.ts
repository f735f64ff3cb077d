import { calibrationDir } from '../../../build/cache-dirs.ts';
import { CalibrationStore } from '../../../device/calibration-store.ts';
import { withoutMemoryFloor } from '../../../correctness/physical-floor.ts';
import { evidenceOf } from '../../../learn/gates/evidence-of.ts';
import { fillText } from '../../../learn/gates/fill-template.ts';
import { gateNames } from '../../../learn/gates/gate-names.ts';
import { MISSING_TEXTS } from '../../../learn/gates/missing-texts.ts';
import type { DeviceInfo } from '../../../model/device/device.ts';
import type { Evidence } from '../../../model/learn/gate.ts';
import type { RooflineReport } from '../../../model/profile/profile-report.ts';
import { doubtAbout } from '../../../model/device/believed-ceilings.ts';
import { isBeyond, placeOnRoofline } from '../../../profile/place-on-roofline.ts';
import { hasReference, planOf, takenAt, type EvidenceContext } from './evidence-context.ts';
import { caseLine, measurePair, roughTime } from './measure-pair.ts';
import { withoutReference } from './reference.ts';

const NEEDS_FLOOR = ['floor_ms', 'room', 'best_speedup', 'reference_of_ceiling', 'bound'];

/** The goal's case: what bytes and operations need at the measured peaks, against the reference's time and the goal's. */
export async function roomEvidence(context: EvidenceContext): Promise<Evidence> {
  const taken = takenAt(context);
  const needsReference = ['reference_target_ms', 'target_ms', ...NEEDS_FLOOR];
  if (!hasReference(context)) return withoutReference('room', taken, needsReference);
  const pair = await measurePair(context, [context.case]);
  const [measured] = pair.cases;
  const names = gateNames(context);
  const common = {
    target: context.target,
    kernel_target_ms: measured?.kernel.median_ms,
    speedup_now: measured?.speedup,
    device: pair.device?.name,
    device_s: pair.device_s,
  };
  const lines = pair.cases.map((one) => caseLine(names.reference, one));
  const reference_ms = measured?.reference.median_ms;
  if (reference_ms === undefined) {
    const why = `${names.reference} was not measured at ${context.case}: ${measured?.reference.problem ?? 'no reason is known'}.`;
    return evidenceOf('room', taken, {
      facts: common,
      sources: pair.sources,
      lines,
      missing: [{ facts: needsReference, why, next: names.measure_reference }],
    });
  }
  const placed = await placedReference(context, reference_ms, pair.device);
  const target_ms = reference_ms / context.target;
  const times = { reference_target_ms: reference_ms, target_ms };
  if (typeof placed === 'string') {
    return evidenceOf('room', taken, {
      facts: { ...common, ...times },
      sources: pair.sources,
      lines,
      missing: [{ facts: NEEDS_FLOOR, why: placed, next: calibrateCommand(context) }],
    });
  }
  const floor_ms = placed.floor_ms;
  return evidenceOf('room', taken, {
    facts: {
      ...common,
      ...times,
      floor_ms,
      room: target_ms / floor_ms,
      best_speedup: reference_ms / floor_ms,
      reference_of_ceiling: placed.of_ceiling_pct / 100,
      bound: placed.bound,
    },
    sources: [...pair.sources, { command: 'pawl device' }],
    lines: [
      ...lines,
      `${context.case} needs at least ${roughTime(floor_ms)} here (${placed.bound}: ${placed.basis})`,
    ],
  });
}

/** Where the reference lies under the device's ceilings, or why that is not known. */
async function placedReference(
  context: EvidenceContext,
  time_ms: number,
  device: DeviceInfo | undefined,
): Promise<RooflineReport | string> {
  const store = new CalibrationStore(await calibrationDir(context.env ?? process.env));
  const calibration = device && (await store.find(device));
  if (calibration === undefined) {
    return fillText(MISSING_TEXTS.ceilings, { device: device?.name ?? 'the device' });
  }
  const plan = planOf(context).cases.find(({ name }) => name === context.case)!;
  const { mode } = context.loaded.config.measure;
  const { reference } = gateNames(context);
  const placed = placeOnRoofline({ kernel: reference, case: plan, mode, time_ms }, calibration);
  const doubt = doubtAbout(calibration);
  if (placed === undefined) {
    return doubt === undefined ? (withoutMemoryFloor(plan) ?? MISSING_TEXTS.formulas) : sentence(doubt);
  }
  // Of a ceiling that is not believed nothing is in the minimum, which is too low then and never stops a session wrongly.
  if (!isBeyond(placed)) return placed;
  const pct = Math.round(placed.of_ceiling_pct);
  return `${reference} is at ${pct} % of the measured ceiling (${placed.basis}), so that is not what the device does at best, or the problem's formulas say too much.`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function calibrateCommand(context: EvidenceContext): string {
  const { device, threads } = planOf(context);
  return device === 'cpu' ? `pawl device --calibrate --threads ${threads}` : 'pawl device --calibrate';
}
