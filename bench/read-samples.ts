import { readFile } from 'node:fs/promises';

import { samplesSchema, type Measurement, type Samples } from '../src/model/measure/samples.ts';
import { median } from '../src/stats/index.ts';

export async function readSamples(path: string): Promise<Samples> {
  return samplesSchema.parse(JSON.parse(await readFile(path, 'utf8')));
}

export function findMeasurement(
  samples: Samples,
  like: { readonly kernel?: string | undefined; readonly case: string },
  mode: Measurement['mode'],
): Measurement {
  const found = samples.measurements.find(
    (one) => one.kernel === like.kernel && one.case === like.case && one.mode === mode,
  );
  if (found === undefined) throw new Error(`no ${like.kernel} ${like.case} ${mode}`);
  return found;
}

export function processMedians({ series }: Measurement): number[] {
  return series.map(({ samples_ms }) => median(samples_ms));
}

/** The median of its processes' medians. */
export function levelOf(measurement: Measurement): number {
  return median(processMedians(measurement));
}

/** Of the multiprocessors, MHz. */
export function clockOf({ series }: Measurement): number {
  return median(series.map(({ clock_mhz }) => median(clock_mhz ?? [0])));
}

export function processesOf(samples: Samples): number {
  return Math.max(...samples.measurements.map(({ series }) => series.length));
}
