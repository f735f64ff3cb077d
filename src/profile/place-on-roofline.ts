/** A time of one case under the ceilings that were measured on its device. */
import type { CasePlan } from '../config/plan-kernel.ts';
import type { Calibration } from '../model/calibration.ts';
import type { DeviceInfo } from '../model/device.ts';
import type { Mode } from '../model/mode.ts';
import { scaled } from '../model/number-text.ts';
import type { RooflineReport } from '../model/profile-report.ts';
import { DTYPE_BYTES, type Dtype } from '../model/tensor.ts';
import { rooflinePoint } from './roofline.ts';

interface Placed {
  readonly kernel: string;
  readonly case: CasePlan;
  readonly mode: Mode;
  readonly time_ms: number;
}

/** From here on another kernel could gain less than it costs to write and keep. */
const NOTHING_TO_GAIN_PCT = 90;

/** Undefined where the problem's formulas leave nothing to place it by. */
export function placeOnRoofline(
  { kernel, case: plan, mode, time_ms }: Placed,
  calibration: Calibration,
): RooflineReport | undefined {
  const rate = operationsPerSecond(plan, calibration);
  const bytes = comesFromMemory(plan, mode, calibration.device) ? plan.bytes : 0;
  const operations = rate === undefined ? 0 : (plan.operations ?? 0);
  if (bytes === 0 && operations === 0) return undefined;
  const ceilings = {
    operationsPerSecond: rate ?? Infinity,
    bytesPerSecond: calibration.copy.per_second,
  };
  const point = rooflinePoint({ operations, bytes }, ceilings, time_ms);
  const basis = [
    ...(bytes === 0 ? [] : [`${scaled(bytes)}B at ${scaled(ceilings.bytesPerSecond)}B/s`]),
    ...(operations === 0 ? [] : [`${scaled(operations)}OP at ${scaled(ceilings.operationsPerSecond)}OP/s`]),
  ];
  const advice = adviceOn(kernel, point);
  return {
    time_ms,
    floor_ms: point.floorMs,
    bound: point.bound,
    of_ceiling_pct: point.ofCeilingPct,
    distance: point.distance,
    basis: basis.join(', '),
    ...(advice === undefined ? {} : { advice }),
  };
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

/** Numbers of 16 bits and less go through tensor cores where there are some; wider ones than f32 have no ceiling here. */
function operationsPerSecond(plan: CasePlan, { matrix, multiply_add }: Calibration): number | undefined {
  const widest = Math.max(0, ...floating(plan).map((dtype) => DTYPE_BYTES[dtype]));
  if (widest === 2 && matrix !== undefined) return matrix.per_second;
  return widest === 2 || widest === 4 ? multiply_add?.per_second : undefined;
}

function floating({ tensors }: CasePlan): Dtype[] {
  return tensors.map(({ dtype }) => dtype).filter((dtype) => dtype.startsWith('f') || dtype === 'bf16');
}

/** Warm caches may hold all of a case. */
function comesFromMemory({ bytes }: CasePlan, mode: Mode, device: DeviceInfo): boolean {
  return mode === 'cold' || bytes > (device.l3_bytes ?? device.l2_bytes ?? Infinity);
}
