import type { Samples } from '../model/measure/samples.ts';

/** Kernels are matched by name: one that stands against another is called as that one while they are compared. */
export function samplesCalledAs(samples: Samples, name: string | undefined): Samples {
  if (name === undefined) return samples;
  return { ...samples, measurements: samples.measurements.map((one) => ({ ...one, kernel: name })) };
}
