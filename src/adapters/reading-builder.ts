import { caseId, caseLabel } from '../model/judge/case-key.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { DeviceInfo } from '../model/device/device.ts';
import type { ImportNote } from '../model/reports/import-report.ts';
import type { Measurement, SeriesSummary } from '../model/measure/samples.ts';
import { median } from '../stats/quantile.ts';
import type { Reading, Source } from './adapter.ts';
import type { RateUnit } from './rate-unit.ts';
import { TIME_UNITS, toMilliseconds, type TimeUnit } from './time-unit.ts';

/** What a reader knows of a case before its times. */
export type Subject = Omit<Measurement, 'series' | 'summaries'>;

/** What the tool itself computed, in milliseconds. */
export type Stated = Omit<SeriesSummary, 'process'>;

const MAX_MEASUREMENTS = 100_000;
const MAX_SAMPLES = 20_000_000;
/** No tool names a benchmark at such length; reports are lines. */
const MAX_NAME = 1000;
/** Above what rounding in a file makes, below any change worth measuring. */
const AGREES_WITHIN = 1e-3;
/** Notes are for people. */
const MAX_NAMED = 8;

/** Gathers what a reader finds, with what it could not use. */
export class ReadingBuilder {
  readonly #source: Source;
  readonly #measurements: Measurement[] = [];
  readonly #notes: ImportNote[] = [];
  readonly #keys = new Map<string, number>();
  readonly #grouped = new Map<string, { readonly kind: ImportNote['kind']; readonly names: string[] }>();
  #samples = 0;

  constructor(source: Source) {
    this.#source = source;
    const nonfinite = source.json?.nonfinite ?? 0;
    if (nonfinite > 0) {
      this.note('dropped', `${nonfinite} NaN or Infinity, which JSON does not allow: read as missing`);
    }
  }

  note(kind: ImportNote['kind'], text: string): void {
    this.#notes.push({ kind, text });
  }

  /** The same thing said of many: one note that names the first of them. */
  noteOf(kind: ImportNote['kind'], what: string, name: string): void {
    const known = this.#grouped.get(what);
    if (known === undefined) this.#grouped.set(what, { kind, names: [name] });
    else known.names.push(name);
  }

  unit(unit: TimeUnit, whose: string): void {
    const factor = unit === 'ms' ? 'as they are' : `× ${TIME_UNITS[unit]}`;
    this.note('unit', `${whose} in ${unit}, to milliseconds ${factor}`);
  }

  rate(unit: RateUnit, whose: string): void {
    this.note('unit', `${whose} in ${unit.name}, to milliseconds per ${unit.work}: 1000 over each`);
  }

  /** Times in milliseconds; values that are not positive and finite are left out and reported. */
  times(name: string, values: readonly unknown[], unit: TimeUnit): number[] {
    const times_ms = values.flatMap((value) => toMilliseconds(value, unit) ?? []);
    const bad = values.length - times_ms.length;
    if (bad > 0) this.noteOf('dropped', 'samples that are not positive, finite numbers', `${bad} of ${name}`);
    return times_ms;
  }

  /** Samples beside the tool's own statistics of them: two that disagree mean a damaged or edited file. */
  compareStated(name: string, samples_ms: readonly number[], stated: Stated): string[] {
    const found = disagreements(samples_ms, stated);
    if (found.length === 0) return [];
    this.noteOf(
      'doubt',
      'samples that contradict the statistics beside them',
      `${name} (${found.join(', ')})`,
    );
    return [`the samples contradict the ${found.join(' and the ')} that the file states`];
  }

  /** A measurement with whatever there is of it. Names that repeat are told apart. */
  add(subject: Subject, parts: Pick<Measurement, 'series' | 'summaries'>): void {
    const name = caseLabel(subject);
    if (name.length > MAX_NAME) {
      this.noteOf('dropped', `names of more than ${MAX_NAME} characters`, `${name.slice(0, 40)}…`);
      return;
    }
    this.#samples += parts.series.reduce((sum, { samples_ms }) => sum + samples_ms.length, 0);
    if (this.#measurements.length >= MAX_MEASUREMENTS || this.#samples > MAX_SAMPLES) {
      throw new PawlError(
        'bad-data',
        `${this.#source.name} holds more than ${MAX_MEASUREMENTS} measurements or ${MAX_SAMPLES} samples.`,
        'Import it in parts.',
      );
    }
    this.#measurements.push({ ...this.#distinct(subject, name), ...withoutEmpty(parts) });
  }

  /** What a tool says of a process, without the fields it does not have; undefined where it says no time at all. */
  summary(stated: Stated): SeriesSummary | undefined {
    const known = Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined));
    const { median_ms, mean_ms, unstated_ms } = stated;
    return median_ms === undefined && mean_ms === undefined && unstated_ms === undefined
      ? undefined
      : { process: 1, ...known };
  }

  build(device?: DeviceInfo): Reading {
    for (const [what, { kind, names }] of this.#grouped) {
      const rest = names.length - MAX_NAMED;
      const named = names.slice(0, MAX_NAMED).join('; ') + (rest > 0 ? `; and ${rest} more` : '');
      this.note(kind, `${what}: ${named}`);
    }
    if (this.#measurements.length === 0) {
      const why = this.#notes.find(({ kind }) => kind === 'dropped')?.text;
      throw new PawlError(
        'bad-data',
        `${this.#source.name} does not contain a readable measurement${why === undefined ? '' : `: ${why}`}.`,
        'See docs/adapters.md for what Pawl reads from each format.',
      );
    }
    const known = device !== undefined && Object.keys(device).length > 0 ? { device } : {};
    return { measurements: this.#measurements, ...known, notes: this.#notes };
  }

  #distinct(subject: Subject, name: string): Subject {
    const key = caseId(subject);
    const before = this.#keys.get(key) ?? 0;
    this.#keys.set(key, before + 1);
    if (before === 0) return subject;
    this.noteOf('doubt', 'names that occur more than once in the file, numbered here', name);
    return this.#distinct({ ...subject, case: `${subject.case} #${before + 1}` }, name);
  }
}

function withoutEmpty({ series, summaries }: Pick<Measurement, 'series' | 'summaries'>) {
  return summaries === undefined || summaries.length === 0 ? { series } : { series, summaries };
}

function disagreements(samples_ms: readonly number[], stated: Stated): string[] {
  if (samples_ms.length === 0) return [];
  const differs = (one: number | undefined, other: number): boolean =>
    one !== undefined && Math.abs(one - other) > AGREES_WITHIN * Math.abs(other);
  let least = Infinity;
  let most = 0;
  let sum = 0;
  for (const time_ms of samples_ms) {
    least = Math.min(least, time_ms);
    most = Math.max(most, time_ms);
    sum += time_ms;
  }
  return [
    ...(differs(stated.mean_ms, sum / samples_ms.length) ? ['mean'] : []),
    ...(differs(stated.median_ms, median(samples_ms)) ? ['median'] : []),
    ...(differs(stated.min_ms, least) ? ['minimum'] : []),
    ...(differs(stated.max_ms, most) ? ['maximum'] : []),
    ...(stated.samples !== undefined && stated.samples !== samples_ms.length ? ['number of samples'] : []),
  ];
}
