import { normalUpperTail } from './normal.ts';

/** A series that alternates between two speeds. */
export interface SeriesModes {
  /** How much higher the upper mode is. */
  readonly gap: number;
  /** Standard deviation of a typical value about its mode. */
  readonly noise: number;
  /** The chance that the next value is of the other mode. */
  readonly flips: number;
}

/** A mixture needs no more differences than this. */
const MOST_DIFFERENCES = 2000;
const ROUNDS = 40;
/** Where the search for the gap begins: at these quantiles of the distances between neighbours. */
const STARTS = [0.5, 0.7, 0.85, 0.95];
/** Closer modes cannot be told from one wide one. */
const LEAST_GAP = 4;
/** Of changes that follow each other, at least this share have opposite directions; steps and strays are the rest. */
const LEAST_TURNS = 0.7;
/** Values that belong to no mode: single bad runs. */
const STRAY_SHARE = 0.05;

/**
 * Two modes in the differences d of neighbours: with a chance of q a value is of the other mode than the one before,
 *
 *     d ~ (1 − q) N(0, 2σ²) + q/2 N(g, 2σ²) + q/2 N(−g, 2σ²) + a few strays
 *
 * fitted by expectation maximisation (Dempster, Laird and Rubin, JRSS B 39(1), 1977) from several starts. Differences
 * know nothing of levels, of which each step spoils one. A candidate only: whether modes are a better account of the
 * series than steps is the caller's to say. Nothing where the best fit has no two modes.
 */
export function modesOfDifferences(values: Float64Array): SeriesModes | undefined {
  const steps = thinnedDifferences(values);
  const sizes = steps.map(Math.abs).sort();
  const widest = sizes.at(-1)!;
  if (!(widest > 0)) return undefined;
  let best: (Mixture & { readonly likelihood: number }) | undefined;
  for (const start of STARTS) {
    const gap = sizes[Math.floor(start * (sizes.length - 1))]!;
    const quarter = sizes[Math.floor(sizes.length / 4)]!;
    const deviation = Math.max(quarter / 0.32, widest * 1e-6);
    const found = fitMixture(sizes, { gap, deviation, flips: 0.3 }, widest);
    if (found !== undefined && (best === undefined || found.likelihood > best.likelihood)) best = found;
  }
  if (best === undefined) return undefined;
  const noise = best.deviation * Math.SQRT1_2;
  if (best.gap < LEAST_GAP * noise || !goesToAndFro(values, best.gap)) return undefined;
  return { gap: best.gap, noise, flips: best.flips };
}

/** Between two modes a change up is followed by one down. A series that creeps has the same distances, all one way. */
function goesToAndFro(values: Float64Array, gap: number): boolean {
  let [flips, turns, before] = [0, 0, 0];
  for (let at = 1; at < values.length; at++) {
    const step = values[at]! - values[at - 1]!;
    if (Math.abs(step) <= gap / 2) continue;
    flips++;
    if (step * before < 0) turns++;
    before = step;
  }
  return turns >= LEAST_TURNS * (flips - 1);
}

interface Mixture {
  readonly gap: number;
  /** Of differences. */
  readonly deviation: number;
  readonly flips: number;
}

function fitMixture(
  sizes: Float64Array,
  start: Mixture,
  widest: number,
): (Mixture & { readonly likelihood: number }) | undefined {
  let { gap, deviation, flips } = start;
  let likelihood = -Infinity;
  // Rounded times repeat: a deviation of nothing would explain them without end.
  const least = widest * 1e-7;
  for (let round = 0; round < ROUNDS; round++) {
    let [stay, flip, squares, sum] = [0, 0, 0, 0];
    likelihood = 0;
    const scale = (1 - STRAY_SHARE) / (deviation * Math.sqrt(2 * Math.PI));
    for (const size of sizes) {
      // Of sizes, so both signs at once.
      const near = 2 * (1 - flips) * scale * Math.exp(-0.5 * (size / deviation) ** 2);
      const far =
        flips *
        scale *
        (Math.exp(-0.5 * ((size - gap) / deviation) ** 2) + Math.exp(-0.5 * ((size + gap) / deviation) ** 2));
      const all = near + far + STRAY_SHARE / widest;
      likelihood += Math.log(all);
      stay += near / all;
      flip += far / all;
      squares += (near / all) * size ** 2 + (far / all) * (size - gap) ** 2;
      sum += (far / all) * size;
    }
    if (!(stay + flip > 0) || !(flip > 0)) return undefined;
    gap = sum / flip;
    deviation = Math.max(least, Math.sqrt(squares / (stay + flip)));
    flips = flip / (stay + flip);
  }
  return Number.isFinite(likelihood) ? { gap, deviation, flips, likelihood } : undefined;
}

function thinnedDifferences(values: Float64Array): Float64Array {
  const count = values.length - 1;
  const stride = Math.max(1, Math.ceil(count / MOST_DIFFERENCES));
  return Float64Array.from({ length: Math.floor((count - 1) / stride) + 1 }, (_, k) => {
    const at = k * stride;
    return values[at + 1]! - values[at]!;
  });
}

/** A change in how often the upper mode is taken. */
export interface ShareShift {
  readonly index: number;
  /** Shares of the upper mode, after less before. */
  readonly change: number;
  readonly deviation: number;
  readonly p: number;
}

/**
 * Where a series began to be in one of its modes more often, by the largest standardised difference of shares over
 * all splits, allowed for by their number; then in both parts. Neighbours of the same mode say nothing new: a share's
 * variance grows by (1 + ρ)/(1 − ρ), with ρ the correlation of neighbouring modes.
 */
export function shareShifts(upper: Uint8Array, maxP: number, places = upper.length - 1): ShareShift[] {
  const found: ShareShift[] = [];
  const parts: [start: number, end: number][] = [[0, upper.length]];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const [start, end] = part;
    const split = bestShareSplit(upper, start, end, places);
    if (split === undefined || split.p > maxP) continue;
    found.push(split);
    parts.push([start, split.index], [split.index, end]);
  }
  return found.sort((a, b) => a.index - b.index);
}

/** Shares of fewer values than this are chance. */
const LEAST_SIDE = 5;

function bestShareSplit(
  upper: Uint8Array,
  start: number,
  end: number,
  places: number,
): ShareShift | undefined {
  const count = end - start;
  if (count < 2 * LEAST_SIDE) return undefined;
  let total = 0;
  let changes = 0;
  for (let at = start; at < end; at++) {
    total += upper[at]!;
    if (at > start && upper[at] !== upper[at - 1]) changes++;
  }
  const share = total / count;
  const spread = share * (1 - share);
  if (spread === 0) return undefined;
  const correlation = Math.min(0.95, Math.max(0, 1 - changes / (count - 1) / (2 * spread)));
  const variance = (spread * (1 + correlation)) / (1 - correlation);
  let best: ShareShift | undefined;
  let before = 0;
  let most = 0;
  for (let index = start + 1; index < end; index++) {
    before += upper[index - 1]!;
    const left = index - start;
    const right = end - index;
    if (left < LEAST_SIDE || right < LEAST_SIDE) continue;
    const change = (total - before) / right - before / left;
    const deviation = Math.sqrt(variance * (1 / left + 1 / right));
    const score = Math.abs(change) / deviation;
    if (score <= most) continue;
    most = score;
    best = { index, change, deviation, p: Math.min(1, 2 * places * normalUpperTail(score)) };
  }
  return best;
}
