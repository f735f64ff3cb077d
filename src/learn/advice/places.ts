import { locate, type Located, type Place } from './likeness.ts';
import type { PoolSettings } from './settings.ts';

/** One value that was recorded somewhere. */
export interface Recorded extends Place {
  readonly value: number;
  /** Of its measurement alone. */
  readonly variance: number;
  readonly session: string;
  readonly age_days: number;
}

/** All that was recorded in one place, with what each value counts for before it is compared with the others. */
export interface PlaceRecords {
  readonly place: Located;
  readonly values: readonly {
    readonly value: number;
    readonly variance: number;
    readonly weight: number;
  }[];
}

export function placesOf(
  records: readonly Recorded[],
  { sessionCap, halfLife_days }: Pick<PoolSettings, 'sessionCap' | 'halfLife_days'>,
): PlaceRecords[] {
  const perSession = new Map<string, number>();
  for (const { session } of records) perSession.set(session, (perSession.get(session) ?? 0) + 1);
  const places = new Map<string, { place: Located; values: PlaceRecords['values'][number][] }>();
  for (const { kind, device, value, variance, session, age_days } of records) {
    const key = `${kind.length}:${kind}${device}`;
    const own = places.get(key) ?? { place: locate({ kind, device }), values: [] };
    places.set(key, own);
    const weight = 2 ** (-age_days / halfLife_days) * Math.min(1, sessionCap / perSession.get(session)!);
    own.values.push({ value, variance, weight });
  }
  return [...places.values()];
}

/** What two places share beyond what all do: the likeness of docs/advice.md. */
export function sharedVariance(one: Located, other: Located, settings: PoolSettings): number {
  const { kindVariance, familyVariance, deviceVariance } = settings;
  let shared = one.kind === other.kind ? kindVariance : 0;
  if (one.family === other.family) shared += familyVariance;
  if (one.device === other.device) shared += deviceVariance;
  return shared;
}

/** What sets one place apart from the mean of all. */
export function ownVariance({ kindVariance, familyVariance, deviceVariance }: PoolSettings): number {
  return kindVariance + familyVariance + deviceVariance;
}
