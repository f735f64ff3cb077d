/** A time of one case under the ceilings that were measured on its device. */
import { defined } from '../model/defined.ts';
import { leastBytes } from '../config/least-bytes.ts';
import type { CasePlan } from '../config/plan-kernel.ts';
import type { Calibration, Ceiling } from '../model/device/calibration.ts';
import type { DeviceInfo } from '../model/device/device.ts';
import type { Mode } from '../model/problem/mode.ts';
import { scaled } from '../model/text/number-text.ts';
import type { RooflineReport } from '../model/profile/profile-report.ts';
import type { MeasuredCeiling } from '../model/measure/samples.ts';
import { DTYPES, isFloating, numberType, type Dtype } from '../model/problem/tensor.ts';
import { believedCeilings } from '../model/device/believed-ceilings.ts';
import { CEILING_TOLERANCE, roofline, rooflinePoint, type Ceilings, type Work } from './roofline.ts';

interface Placed {
  readonly kernel: string;
  readonly case: CasePlan;
  readonly mode: Mode;
  readonly time_ms: number;
}

/** From here on another kernel could gain less than it costs to write and keep. */
const NOTHING_TO_GAIN_PCT = 90;

/** Undefined where the problem's formulas, or the ceilings that are believed, leave nothing to place it by. */
export function placeOnRoofline(
  { kernel, case: plan, mode, time_ms }: Placed,
  calibration: Calibration,
): RooflineReport | undefined {
  const roof = roofOver(plan, mode, calibration);
  if (roof === undefined) return undefined;
  const point = rooflinePoint(roof.work, roof.ceilings, time_ms);
  const advice = adviceOn(kernel, point);
  return {
    time_ms,
    floor_ms: point.floorMs,
    bound: point.bound,
    of_ceiling_pct: point.ofCeilingPct,
    distance: point.distance,
    basis: basisOf(roof),
    ...defined({ advice }),
  };
}

/** What any time of a case is held against; undefined where nothing is. */
export function measuredCeiling(
  { case: plan, mode }: Pick<Placed, 'case' | 'mode'>,
  calibration: Calibration,
): MeasuredCeiling | undefined {
  const roof = roofOver(plan, mode, calibration);
  if (roof === undefined) return undefined;
  const { work, ceilings } = roof;
  const { floorMs, bound } = roofline(work, ceilings);
  return {
    ceiling_ms: floorMs,
    limit: bound === 'memory' ? 'memory' : 'operations',
    basis: basisOf(roof),
    ...(work.bytes === 0 ? {} : { bytes_per_s: ceilings.bytesPerSecond }),
    ...(work.operations === 0 ? {} : { operations_per_s: ceilings.operationsPerSecond }),
  };
}

interface Roof {
  readonly work: Work;
  readonly ceilings: Ceilings;
}

function roofOver(plan: CasePlan, mode: Mode, calibration: Calibration): Roof | undefined {
  const believed = believedCeilings(calibration);
  const arithmetic = arithmeticCeiling(plan, calibration);
  const rate = arithmetic && believed[arithmetic];
  const needed = leastBytes(plan) ?? 0;
  const isFromMemory = believed.copy !== undefined && comesFromMemory(needed, mode, calibration.device);
  const bytes = isFromMemory ? needed : 0;
  const operations = rate === undefined ? 0 : (plan.operations ?? 0);
  if (bytes === 0 && operations === 0) return undefined;
  const ceilings = {
    operationsPerSecond: rate ?? Infinity,
    bytesPerSecond: believed.copy ?? Infinity,
  };
  return { work: { operations, bytes }, ceilings };
}

function basisOf({ work: { operations, bytes }, ceilings }: Roof): string {
  return [
    ...(bytes === 0 ? [] : [`${scaled(bytes)}B at ${scaled(ceilings.bytesPerSecond)}B/s`]),
    ...(operations === 0 ? [] : [`${scaled(operations)}OP at ${scaled(ceilings.operationsPerSecond)}OP/s`]),
  ].join(', ');
}

function adviceOn(kernel: string, point: ReturnType<typeof rooflinePoint>): string | undefined {
  const pct = Math.round(point.ofCeilingPct);
  const side = point.bound === 'memory' ? 'memory bandwidth' : 'arithmetic';
  if (point.isBelowFloor) {
    return `${kernel} is at ${pct} % of the measured ceiling (${side}): it needs less than the problem's formulas say, or the ceiling is out of date (pawl device --calibrate)`;
  }
  if (point.ofCeilingPct < NOTHING_TO_GAIN_PCT) return undefined;
  return `${kernel} is at ${pct} % of the ceiling (${side}): there is nothing to gain from another kernel`;
}

/** The ceiling that a time at the other side of it would speak against; undefined where it is at this side. */
export function exceededCeiling(
  placed: Placed,
  calibration: Calibration,
): { readonly ceiling: Ceiling; readonly per_second: number } | undefined {
  const found = placeOnRoofline(placed, calibration);
  if (found === undefined || !isBeyond(found)) return undefined;
  const ceiling = found.bound === 'memory' ? 'copy' : arithmeticCeiling(placed.case, calibration);
  if (ceiling === undefined) return undefined;
  return { ceiling, per_second: (calibration[ceiling]!.per_second * found.of_ceiling_pct) / 100 };
}

/** Faster than ceilings, which are measured too, allow for. */
export function isBeyond({ of_ceiling_pct }: Pick<RooflineReport, 'of_ceiling_pct'>): boolean {
  return of_ceiling_pct > 100 * CEILING_TOLERANCE;
}

/**
 * Numbers of 16 bits and less go through tensor cores where there are some; wider ones than f32 have no ceiling here.
 * Where the tensor cores' ceiling is not believed, that of the other units is none of theirs.
 */
function arithmeticCeiling(plan: CasePlan, calibration: Calibration): 'matrix' | 'multiply_add' | undefined {
  const widest = Math.max(0, ...floating(plan).map((dtype) => DTYPES[dtype].bytes));
  if (widest === 2 && calibration.matrix !== undefined) return 'matrix';
  return widest === 2 || widest === 4 ? 'multiply_add' : undefined;
}

function floating({ tensors }: CasePlan): Dtype[] {
  return tensors.map(({ dtype }) => numberType(dtype)).filter(isFloating);
}

/** Warm caches may hold all of a case. */
function comesFromMemory(bytes: number, mode: Mode, device: DeviceInfo): boolean {
  return mode === 'cold' || bytes > (device.l3_bytes ?? device.l2_bytes ?? Infinity);
}
