import { sorted } from './order.ts';
import { Xoshiro128 } from './random.ts';

export interface DipTest {
  /** The largest distance between the sample's distribution and the closest unimodal one: 1/(2n) to 1/4. */
  readonly dip: number;
  /** The share of uniform samples of this size, the least favourable unimodal ones, that dip as much. */
  readonly p: number;
}

/**
 * Hartigan & Hartigan's dip test of unimodality ("The dip test of unimodality", Annals of Statistics 13(1), 1985).
 * A small p says: more than one mode. p is simulated with the observed sample among the simulated ones. Values on a
 * coarse grid, as from a clock that ticks, dip by their steps alone; the test is for grids much finer than the
 * spread.
 */
export function dipTest(
  values: ArrayLike<number>,
  options: { readonly simulations?: number; readonly seed?: number | bigint } = {},
): DipTest {
  const { simulations = 1_999, seed = 42 } = options;
  if (!Number.isSafeInteger(simulations) || simulations < 1) {
    throw new RangeError(`simulations is a whole number of at least 1, not ${simulations}`);
  }
  const ascending = sorted(values);
  const dip = dipOfSorted(ascending);
  const random = new Xoshiro128(seed);
  const uniform = new Float64Array(ascending.length);
  let asLarge = 1;
  for (let i = 0; i < simulations; i++) {
    // Sums of exponential gaps are, up to scale, a sorted uniform sample (Devroye, "Non-Uniform Random Variate
    // Generation", 1986, section V.3), and the dip doesn't depend on scale.
    let sum = 0;
    for (let k = 0; k < uniform.length; k++) uniform[k] = sum -= Math.log(random.nextOpen());
    if (dipOfSorted(uniform) >= dip) asLarge++;
  }
  return { dip, p: asLarge / (simulations + 1) };
}

/**
 * The dip by Hartigan's algorithm ("Algorithm AS 217", Applied Statistics 34(3), 1985). Within the modal interval,
 * at first everything, stand the greatest convex minorant of the distribution's lower corners (xᵢ, i) and the least
 * concave majorant of its upper corners (xᵢ, i + 1). Where they are farthest apart the interval is cut down; what
 * the distribution strays from the two curves in the parts cut off bounds twice the dip from below; and when the
 * curves are not farther apart than that bound, it is reached.
 */
function dipOfSorted(x: Float64Array): number {
  const count = x.length;
  let low = 0;
  let high = count - 1;
  // In units of 1/n; a step of the distribution is at least 1 high.
  let twice = 1;
  while (low < high && x[low] !== x[high]) {
    const minorant = hull(x, low, high, 1);
    const majorant = hull(x, low, high, -1);
    const cut = widestGap(x, minorant, majorant);
    if (cut.gap <= twice) break;
    const belowCut = minorant.filter((place) => place <= cut.low);
    const aboveCut = majorant.filter((place) => place >= cut.high);
    twice = Math.max(twice, strayAbove(x, belowCut), strayBelow(x, aboveCut));
    if (cut.low === low && cut.high === high) break;
    low = cut.low;
    high = cut.high;
  }
  return twice / (2 * count);
}

/** Places of the vertices of the lower (`sign` 1) or upper (−1) hull of the points (xᵢ, i), from low to high. */
function hull(x: Float64Array, low: number, high: number, sign: 1 | -1): number[] {
  const vertices: number[] = [low];
  for (let place = low + 1; place <= high; place++) {
    while (vertices.length >= 2) {
      const last = vertices[vertices.length - 1]!;
      const before = vertices[vertices.length - 2]!;
      const turn = (x[last]! - x[before]!) * (place - before) - (x[place]! - x[before]!) * (last - before);
      if (sign * turn > 0) break;
      vertices.pop();
    }
    vertices.push(place);
  }
  return vertices;
}

/** The height at `place` of the straight line between two vertices, in the count of values before it. */
function heightAt(x: Float64Array, left: number, right: number, place: number): number {
  const run = x[right]! - x[left]!;
  return run === 0 ? right : left + ((right - left) * (x[place]! - x[left]!)) / run;
}

/** Where majorant and minorant are farthest apart, which is at a vertex of either, and the interval that leaves. */
function widestGap(
  x: Float64Array,
  minorant: readonly number[],
  majorant: readonly number[],
): { gap: number; low: number; high: number } {
  let best = { gap: 0, low: minorant[0]!, high: minorant[minorant.length - 1]! };
  let segment = 1;
  for (const place of majorant) {
    while (minorant[segment]! < place) segment++;
    const left = minorant[segment - 1]!;
    const gap = place + 1 - heightAt(x, left, minorant[segment]!, place);
    if (gap > best.gap) best = { gap, low: left, high: place };
  }
  segment = 1;
  for (const place of minorant) {
    while (majorant[segment]! < place) segment++;
    const right = majorant[segment]!;
    const gap = heightAt(x, majorant[segment - 1]!, right, place) + 1 - place;
    if (gap > best.gap) best = { gap, low: place, high: right };
  }
  return best;
}

/** How far the distribution's upper corners rise above the minorant between these vertices. */
function strayAbove(x: Float64Array, vertices: readonly number[]): number {
  let most = 0;
  for (let k = 1; k < vertices.length; k++) {
    const left = vertices[k - 1]!;
    const right = vertices[k]!;
    if (x[left] === x[right]) continue;
    for (let place = left; place <= right; place++) {
      most = Math.max(most, place + 1 - heightAt(x, left, right, place));
    }
  }
  return most;
}

/** How far its lower corners fall below the majorant. */
function strayBelow(x: Float64Array, vertices: readonly number[]): number {
  let most = 0;
  for (let k = 1; k < vertices.length; k++) {
    const left = vertices[k - 1]!;
    const right = vertices[k]!;
    if (x[left] === x[right]) continue;
    for (let place = left; place <= right; place++) {
      most = Math.max(most, heightAt(x, left, right, place) + 1 - place);
    }
  }
  return most;
}
