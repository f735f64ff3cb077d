import { choosingTensors, leastBytes } from '../config/least-bytes.ts';
import type { CasePlan } from '../config/plan-kernel.ts';
import { defined } from '../model/defined.ts';
import type { DeviceInfo } from '../model/device/device.ts';
import type { Mode } from '../model/problem/mode.ts';
import { scaled } from '../model/text/number-text.ts';
import type { Floor, Series } from '../model/measure/samples.ts';
import { tensorBytes } from '../model/problem/tensor.ts';
import { RunnerFailure } from '../runner/runner-failure.ts';
import { median } from '../stats/index.ts';
import { cpuPeakRates, cudaPeakRates } from './peak-rates.ts';

/** Clocks and timers are rounded: a time counts as impossible only when it is shorter than the floor by this share. */
const MARGIN = 0.05;

interface FloorContext {
  readonly device: DeviceInfo;
  readonly mode: Mode;
  readonly threads: number;
}

/**
 * The least time that the hardware needs for one call: inputs have to come from memory, and operations have to be
 * done. Undefined where the device does not say what it can do. Peaks are taken high and amounts low, so that no
 * honest kernel comes near: outputs do not count, since they may still lie in a cache when the call is over.
 */
export function physicalFloor(plan: CasePlan, context: FloorContext): Floor | undefined {
  const { device, mode, threads } = context;
  const read = plan.tensors.filter(({ role }) => role !== 'output');
  const dtypes = plan.tensors.map(({ dtype }) => dtype);
  const peaks =
    device.kind === 'cuda' ? cudaPeakRates(device, mode, dtypes) : cpuPeakRates(device, threads, dtypes);
  const inputs = read.reduce((sum, tensor) => sum + tensorBytes(tensor), 0);
  const bytes = Math.max(0, Math.min(inputs, leastBytes(plan) ?? 0) - peaks.cachedBytes);
  const memory = limitOf('memory', bytes, peaks.bytesPerSecond, 'B');
  const operations = limitOf('operations', plan.operations, peaks.operationsPerSecond, 'OP');
  const longer =
    memory === undefined || operations === undefined
      ? (memory ?? operations)
      : memory.floor_ms >= operations.floor_ms
        ? memory
        : operations;
  const { bytesPerSecond, operationsPerSecond } = peaks;
  return (
    longer && {
      ...longer,
      peaks: defined({ bytes_per_s: bytesPerSecond, operations_per_s: operationsPerSecond }),
    }
  );
}

/** Why a case has no floor by its bytes, and how it gets one; undefined where it has one. */
export function withoutMemoryFloor(plan: CasePlan): string | undefined {
  if (leastBytes(plan) !== undefined) return undefined;
  const names = choosingTensors(plan.tensors).map(({ name }) => name);
  return `no time is impossible by its bytes: ${names.join(', ')} may choose what a call touches (say how much at least: \`bytes: {least: …}\` of the problem)`;
}

function limitOf(
  limit: Floor['limit'],
  amount: number | undefined,
  perSecond: number | undefined,
  unit: string,
): Floor | undefined {
  if (amount === undefined || perSecond === undefined || amount <= 0) return undefined;
  const what = limit === 'memory' ? `${scaled(amount)}${unit} of inputs` : `${scaled(amount)}${unit}`;
  return {
    floor_ms: (1000 * amount) / perSecond,
    limit,
    basis: `${what} at ${scaled(perSecond)}${unit}/s`,
  };
}

/** Refuses a series that is faster than the hardware can be (detector `faster-than-floor`); it is never clamped. */
export function refuseFasterThanFloor({ samples_ms }: Series, floor: Floor | undefined): void {
  if (floor === undefined) return;
  const least_ms = floor.floor_ms * (1 - MARGIN);
  const fastest = [...samples_ms].sort((a, b) => a - b).slice(0, Math.ceil(samples_ms.length / 10));
  const levels = [
    ['a median', median(samples_ms)],
    ['a fastest tenth', fastest.reduce((sum, sample) => sum + sample, 0) / fastest.length],
  ] as const;
  const found = levels.find(([, level_ms]) => level_ms < least_ms);
  if (found === undefined) return;
  const formula = floor.limit === 'memory' ? 'bytes' : 'operations';
  throw new RunnerFailure(
    'faster-than-floor',
    `${found[0]} of ${micros(found[1])} is less than the hardware needs: ${floor.basis} take ${micros(floor.floor_ms)}. ` +
      `Either the work was not done, or a call needs less than the problem's \`${formula}\` says`,
  );
}

function micros(time_ms: number): string {
  return `${(1000 * time_ms).toPrecision(3)} µs`;
}
