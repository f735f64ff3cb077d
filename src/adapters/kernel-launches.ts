import type { DeviceInfo } from '../model/device/device.ts';
import { defined } from '../model/defined.ts';
import type { ReadingBuilder } from './reading-builder.ts';

/**
 * Launches that a profiler recorded, gathered by what they are: the kernel, and its grid and blocks, which tell shapes
 * apart that a name does not. Their times are samples of one process, in the order in which they ran.
 */
export class KernelLaunches {
  readonly #samples = new Map<
    string,
    { readonly kernel: string; readonly shape: string; readonly times_ms: number[] }
  >();

  add(kernel: string, shape: string, time_ms: number): void {
    const key = JSON.stringify([kernel, shape]);
    const known = this.#samples.get(key);
    if (known === undefined) this.#samples.set(key, { kernel, shape, times_ms: [time_ms] });
    else known.times_ms.push(time_ms);
  }

  addTo(builder: ReadingBuilder, device?: DeviceInfo): void {
    for (const { kernel, shape, times_ms } of this.#samples.values()) {
      builder.add(
        { kernel, case: shape, ...defined({ device }) },
        { series: [{ process: 1, samples_ms: times_ms }] },
      );
    }
  }
}

/** `grid 128x1x1 block 256x1x1`; what is not stated is left out. */
export function launchShape(grid: readonly unknown[], block: readonly unknown[]): string {
  const size = (name: string, of: readonly unknown[]): string =>
    of.length > 0 && of.every((each) => Number.isSafeInteger(each)) ? `${name} ${of.join('x')}` : '';
  return [size('grid', grid), size('block', block)].filter((part) => part !== '').join(' ') || 'default';
}
