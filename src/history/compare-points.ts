import type { History } from './history.ts';
import { compareSamples } from '../judge/compare-measurements.ts';
import { JUDGE_DEFAULTS } from '../judge/judge-policy.ts';
import type { MeasurementSummary, PointComparison, StoredMeasurement } from '../model/history/history-api.ts';
import { PawlError } from '../model/pawl-error.ts';
import { measurementSchema, SAMPLES_SCHEMA, type Samples } from '../model/measure/samples.ts';

export interface ComparedPoints {
  /** A measurement; or a run, of which `key` names the measurement. */
  readonly a: string;
  readonly b: string;
  readonly key?: string | undefined;
}

/**
 * Judges `b` against `a`, which may be of any two runs. They were not measured side by side, so the machine may have
 * changed between them; and what runs on different devices is compared anyway, and said to be so.
 * @returns undefined where one of them is not in the store
 */
export async function comparePoints(
  history: History,
  { a, b, key }: ComparedPoints,
): Promise<PointComparison | undefined> {
  const [before, after] = await Promise.all([pointOf(history, a, key), pointOf(history, b, key)]);
  if (before === undefined || after === undefined) return undefined;
  const policy = { ...JUDGE_DEFAULTS, allowDeviceMismatch: true };
  return {
    schema: 'pawl.point-comparison/1',
    a: summaryOf(before),
    b: summaryOf(after),
    comparison: compareSamples(samplesOf(before, after), samplesOf(after, after), policy),
    thinned: [...before.series, ...after.series].some(({ thinned_from }) => thinned_from !== undefined),
  };
}

async function pointOf(
  history: History,
  id: string,
  key: string | undefined,
): Promise<StoredMeasurement | undefined> {
  const found = await history.measurement(id);
  if (found !== undefined || key === undefined) return found;
  const detail = await history.run(id);
  const own = detail?.measurements.filter((one) => one.key.id === key) ?? [];
  const [first] = [...own].sort((one, other) => rank(one) - rank(other));
  return first === undefined ? undefined : history.measurement(first.id);
}

/** What a run is about comes first. */
function rank({ side }: MeasurementSummary): number {
  return ['head', 'base', 'control'].indexOf(side);
}

/** As a samples file would hold it; under the key of `named`, so that two variants can be compared, too. */
function samplesOf(point: StoredMeasurement, named: StoredMeasurement): Samples {
  const { kernel, case: name, variant, mode } = named;
  const series = point.series.filter(({ samples_ms }) => samples_ms.length > 0);
  if (series.length === 0 && point.series.length > 0) {
    throw new PawlError(
      'usage',
      `Retention removed the samples of ${point.id}.`,
      'Compare newer points, or keep samples longer.',
    );
  }
  // The class is what keys are told apart by, and every measurement has one.
  const device = { name: point.key.device_class };
  const measurement = measurementSchema.parse({
    ...point,
    kernel,
    case: name,
    variant,
    mode,
    device,
    series,
  });
  return { schema: SAMPLES_SCHEMA, measurements: [measurement] };
}

function summaryOf({ series, ...rest }: StoredMeasurement): PointComparison['a'] {
  const samples = series.reduce((sum, one) => sum + (one.thinned_from ?? one.samples_ms.length), 0);
  return { ...rest, processes: series.length, samples };
}
