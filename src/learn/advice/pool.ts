/**
 * A normal prior updated by what was recorded in several places, each of which differs from here by an unknown amount
 * (random effects: DerSimonian & Laird, «Meta-analysis in clinical trials», 1986). docs/advice.md has the formulas.
 */
import { median } from '../../stats/quantile.ts';
import { isSameFamily, type Place } from './likeness.ts';
import type { PoolSettings } from './settings.ts';

export interface Recorded extends Place {
  readonly value: number;
  /** Of its measurement alone. */
  readonly variance: number;
  readonly session: string;
  readonly age_days: number;
}

export interface Normal {
  readonly mean: number;
  readonly variance: number;
}

export interface Pooled extends Normal {
  /** What the records say by themselves; no precision where there are none. */
  readonly data: { readonly mean: number; readonly precision: number };
  /** As many values recorded here, without doubt about any, would say as much. */
  readonly weight: number;
}

/** The weights settle in two or three; the number is fixed, so that the answer does not depend on rounding. */
const PASSES = 5;

export function pool(
  prior: Normal,
  records: readonly Recorded[],
  here: Place,
  settings: PoolSettings,
): Pooled {
  if (records.length === 0) return { ...prior, data: { mean: prior.mean, precision: 0 }, weight: 0 };
  const places = placesOf(records, here, settings);
  let centre = median([prior.mean, ...records.map(({ value }) => value)]);
  let pooled = combine(prior, places, centre, settings);
  for (let pass = 1; pass < PASSES; pass++) {
    centre = pooled.mean;
    pooled = combine(prior, places, centre, settings);
  }
  const noise = records.reduce((sum, { variance }) => sum + variance, 0) / records.length;
  return { ...pooled, weight: pooled.data.precision * (settings.scatterVariance + noise) };
}

interface PlaceRecords {
  /** How far values there may lie off those here, all of them alike. */
  readonly transfer: number;
  readonly records: readonly { readonly value: number; readonly spread: number; readonly weight: number }[];
}

function placesOf(records: readonly Recorded[], here: Place, settings: PoolSettings): PlaceRecords[] {
  const perSession = new Map<string, number>();
  for (const { session } of records) perSession.set(session, (perSession.get(session) ?? 0) + 1);
  const byPlace = new Map<string, { transfer: number; records: PlaceRecords['records'][number][] }>();
  for (const record of records) {
    const key = JSON.stringify([record.kind, record.device]);
    const place = byPlace.get(key) ?? { transfer: transferVariance(record, here, settings), records: [] };
    byPlace.set(key, place);
    const age = 2 ** (-record.age_days / settings.halfLife_days);
    const weight = age * Math.min(1, settings.sessionCap / perSession.get(record.session)!);
    place.records.push({
      value: record.value,
      spread: record.variance + settings.scatterVariance,
      weight,
    });
  }
  return [...byPlace.values()];
}

export function transferVariance(from: Place, to: Place, settings: PoolSettings): number {
  const kind = from.kind === to.kind ? 0 : settings.kindVariance;
  if (from.device === to.device) return kind;
  return kind + (isSameFamily(from.device, to.device) ? settings.familyVariance : settings.deviceVariance);
}

function combine(
  prior: Normal,
  places: readonly PlaceRecords[],
  centre: number,
  { outlierFrom }: PoolSettings,
): Omit<Pooled, 'weight'> {
  let precision = 0;
  let sum = 0;
  for (const { transfer, records } of places) {
    let own = 0;
    let ownSum = 0;
    for (const { value, spread, weight } of records) {
      const off = Math.abs(value - centre) / Math.sqrt(spread + transfer);
      const share = (weight * Math.min(1, outlierFrom / off)) / spread;
      own += share;
      ownSum += share * value;
    }
    const precisionHere = 1 / (1 / own + transfer);
    precision += precisionHere;
    sum += (precisionHere * ownSum) / own;
  }
  const total = precision + 1 / prior.variance;
  return {
    mean: (sum + prior.mean / prior.variance) / total,
    variance: 1 / total,
    data: { mean: sum / precision, precision },
  };
}
