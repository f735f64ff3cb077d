import { defined } from '../model/defined.ts';
import type { DeviceInfo } from '../model/device/device.ts';
import type { RunRecord } from '../model/measure/run-record.ts';
import { mergeSkipped, type SkippedKernel } from '../model/measure/skipped-kernel.ts';
import {
  SAMPLES_SCHEMA,
  type Environment,
  type Measurement,
  type Samples,
} from '../model/measure/samples.ts';

/** Adds up a run's records to its samples file. */
export class SamplesBuilder {
  readonly #measurements = new Map<number, Measurement>();
  readonly #skipped: SkippedKernel[] = [];
  #environment: Environment = {};

  add(record: RunRecord): void {
    switch (record.type) {
      case 'run':
      case 'environment':
        this.#environment = { ...this.#environment, ...record.environment };
        return;
      case 'measurement':
        this.#measurements.set(record.key, { ...record.measurement, series: [] });
        return;
      case 'check':
        this.#of(record.key).check = record.check;
        return;
      case 'series': {
        const measurement = this.#of(record.key);
        measurement.series.push(record.series);
        if (record.device !== undefined) measurement.device = record.device;
        if (record.versions !== undefined) measurement.versions = record.versions;
        if (record.floor !== undefined) measurement.floor = record.floor;
        return;
      }
      case 'lost':
        (this.#of(record.key).lost ??= []).push(record.lost);
        return;
      case 'skipped':
        this.#skipped.push(...record.skipped);
        return;
      case 'waiting':
    }
  }

  build(incomplete?: string): Samples {
    const measurements = [...this.#measurements.values()];
    const device = soleDevice(measurements);
    return {
      schema: SAMPLES_SCHEMA,
      ...defined({ device }),
      environment: this.#environment,
      ...defined({ incomplete }),
      // A device that all share is said once, at the top.
      measurements: measurements.map((measurement) => {
        if (device === undefined) return measurement;
        const { device: _, ...rest } = measurement;
        return rest;
      }),
      ...mergeSkipped([{ skipped: this.#skipped }]),
    };
  }

  #of(key: number): Measurement {
    const measurement = this.#measurements.get(key);
    if (measurement === undefined) throw new Error(`record of measurement ${key}, which was never announced`);
    return measurement;
  }
}

/** The device of every measurement that has one, when it is the same. */
function soleDevice(measurements: readonly Measurement[]): DeviceInfo | undefined {
  const known = measurements.flatMap(({ device }) => (device === undefined ? [] : [device]));
  const [first] = known;
  const text = JSON.stringify(first);
  return first !== undefined && known.every((device) => JSON.stringify(device) === text) ? first : undefined;
}
