/**
 * What is expected here, given values recorded in places that are more or less like here: a normal model whose
 * covariances are the likenesses, and its best linear prediction (Henderson, "Best linear unbiased estimation and
 * prediction under a selection model", 1975). docs/advice.md has the formulas.
 */
import { Cholesky } from '../../stats/cholesky.ts';
import { median } from '../../stats/quantile.ts';
import { locate, type Located, type Place } from './likeness.ts';
import { ownVariance, sharedVariance, type PlaceRecords } from './places.ts';
import type { PoolSettings } from './settings.ts';

export interface Normal {
  readonly mean: number;
  readonly variance: number;
}

export interface Pooled extends Normal {
  /** As many values recorded here, none of them doubted, would say as much. */
  readonly weight: number;
}

/** The weights of outliers settle in two or three; a fixed number, so that the answer does not depend on rounding. */
const PASSES = 3;

/**
 * @param prior of the mean of all places
 * @param trust how much of what other devices say holds on this one, 0 to 1
 */
export function pool(
  prior: Normal,
  places: readonly PlaceRecords[],
  here: Place,
  settings: PoolSettings,
  trust = 1,
): Pooled {
  const before = prior.variance + ownVariance(settings);
  if (places.length === 0) return { mean: prior.mean, variance: before, weight: 0 };
  const field = new Field(prior.variance, places, { place: locate(here), trust }, settings);
  let centres: readonly number[] = startOf(prior, places);
  let answer = field.predict(prior.mean, centres);
  for (let pass = 1; pass < PASSES; pass++) {
    centres = answer.centres;
    answer = field.predict(prior.mean, centres);
  }
  const { mean, variance } = answer;
  return {
    mean,
    variance,
    weight: (1 / variance - 1 / before) * (settings.scatterVariance + noiseOf(places)),
  };
}

/** One value is held against the prior; of many, against each other. */
function startOf({ mean }: Normal, places: readonly PlaceRecords[]): number[] {
  const values = [mean];
  for (const place of places) for (const { value } of place.values) values.push(value);
  const middle = median(values);
  return places.map(() => middle);
}

function noiseOf(places: readonly PlaceRecords[]): number {
  let sum = 0;
  let count = 0;
  for (const { values } of places) {
    for (const { variance } of values) sum += variance;
    count += values.length;
  }
  return sum / count;
}

/** Covariances of the places with each other and with here; what differs from pass to pass is what values count for. */
class Field {
  readonly #places: readonly PlaceRecords[];
  readonly #settings: PoolSettings;
  readonly #covariances: readonly Float64Array[];
  readonly #withHere: Float64Array;
  readonly #variance: number;

  constructor(
    common: number,
    places: readonly PlaceRecords[],
    here: { readonly place: Located; readonly trust: number },
    settings: PoolSettings,
  ) {
    const { device } = here.place;
    const covariance = (one: Located, other: Located): number =>
      (common + sharedVariance(one, other, settings)) *
      ((one.device === device) === (other.device === device) ? 1 : here.trust);
    this.#places = places;
    this.#settings = settings;
    this.#covariances = places.map(({ place }, row) => {
      const covariances = new Float64Array(row + 1);
      for (let column = 0; column <= row; column++)
        covariances[column] = covariance(place, places[column]!.place);
      return covariances;
    });
    this.#withHere = new Float64Array(places.length);
    for (const [row, { place }] of places.entries()) this.#withHere[row] = covariance(place, here.place);
    this.#variance = common + ownVariance(settings);
  }

  /** Also the expectation at each place: the next pass holds its values against that. */
  predict(prior: number, centres: readonly number[]): Normal & { readonly centres: number[] } {
    const size = this.#places.length;
    const cholesky = new Cholesky(size);
    const off = new Float64Array(size);
    for (const [row, { values }] of this.#places.entries()) {
      const { mean, precision } = placeMean(values, centres[row]!, this.#settings);
      const covariances = this.#covariances[row]!.slice();
      covariances[row]! += 1 / precision;
      cholesky.append(covariances, Number.MIN_VALUE);
      off[row] = mean - prior;
    }
    const solved = new Float64Array(size);
    cholesky.forward(off, solved);
    cholesky.backward(solved);
    const spread = new Float64Array(size);
    cholesky.forward(this.#withHere, spread);
    return {
      mean: prior + dot(this.#withHere, solved),
      variance: this.#variance - dot(spread, spread),
      centres: this.#places.map((_, row) => prior + this.#withPlace(row, solved)),
    };
  }

  #withPlace(row: number, solved: Float64Array): number {
    let sum = 0;
    for (let column = 0; column < solved.length; column++) {
      const covariance = column <= row ? this.#covariances[row]![column]! : this.#covariances[column]![row]!;
      sum += covariance * solved[column]!;
    }
    return sum;
  }
}

/** The mean of the values of a place, and how exactly it is known; what lies far from the centre counts for less. */
export function placeMean(
  values: PlaceRecords['values'],
  centre: number,
  { scatterVariance, outlierFrom }: PoolSettings,
): { readonly mean: number; readonly precision: number } {
  let precision = 0;
  let sum = 0;
  for (const { value, variance, weight } of values) {
    const spread = variance + scatterVariance;
    const off = Math.abs(value - centre) / Math.sqrt(spread);
    const share = (weight * Math.min(1, outlierFrom / off)) / spread;
    precision += share;
    sum += share * value;
  }
  return { mean: sum / precision, precision };
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
}
