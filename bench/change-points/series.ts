import { normalQuantile } from '../../src/stats/normal.ts';
import { nextBelow, type Random } from '../../src/stats/random.ts';

/** A series whose truth is known. */
export interface KnownSeries {
  /** Times, in any unit. */
  readonly times: Float64Array;
  /** The standard error that each value's own interval tells, as a fraction. */
  readonly errors: Float64Array;
  /** Indices of the first values after each step. */
  readonly steps: readonly number[];
  readonly creeps: boolean;
  /** The runner that each value was measured on, where there are several and it is recorded. */
  readonly hosts?: readonly string[];
}

export interface Scenario {
  readonly name: string;
  readonly draw: (random: Random) => KnownSeries;
}

const LENGTH = 200;

interface Recipe {
  readonly length?: number;
  readonly noise_pct: number;
  readonly step_pct?: number;
  /** Steps at random places at least this far from each other and the ends, up or down by `step_pct`. */
  readonly steps?: number;
  readonly apart?: number;
  /** Where the step is; default: drawn. */
  readonly at?: number;
  /** Up here and back again so many values later. */
  readonly back?: number;
  readonly tails?: 'normal' | 't3';
  /** The share of values that are single bad runs, slower by 5 to 50 %. */
  readonly outliers?: number;
  readonly correlation?: number;
  readonly season?: { readonly period: number; readonly amplitude_pct: number };
  readonly drift_pct?: number;
  /** The share of values from runs with five times the noise, whose intervals say so. */
  readonly noisyRuns?: number;
  /** A second runner, or a second mode, slower by this: the next value is another one's with a chance of `flips`. */
  readonly modes?: {
    readonly apart_pct: number;
    readonly flips: number;
    /** Whether the series says which runner it was; never so of modes. */
    readonly named?: boolean;
    /** Of values in the slower mode, until and after the middle of the series; default: as `flips` make it. */
    readonly share?: readonly [number, number];
  };
}

const RUNNERS = { apart_pct: 4, flips: 0.5, named: true } as const;
const UNNAMED = { apart_pct: 4, flips: 0.5 } as const;

/** Runners of one class that differ, and programs that run at one of two speeds. */
const TWO_MODES: readonly Scenario[] = [
  ...[0.3, 1].map((noise_pct) =>
    scenario(`unchanged, two runners 4 % apart, noise ${noise_pct} %`, { noise_pct, modes: RUNNERS }),
  ),
  ...[0.3, 1].map((noise_pct) =>
    scenario(`unchanged, two unnamed runners 4 % apart, noise ${noise_pct} %`, { noise_pct, modes: UNNAMED }),
  ),
  scenario('unchanged, two runners 4 % apart, ten values each in turn', {
    noise_pct: 0.3,
    modes: { ...RUNNERS, flips: 0.1 },
  }),
  scenario('unchanged, two unnamed runners 4 % apart, ten values each in turn', {
    noise_pct: 0.3,
    modes: { ...UNNAMED, flips: 0.1 },
  }),
  scenario('unchanged, two modes 40 times apart', { noise_pct: 0.5, modes: { apart_pct: 3900, flips: 0.5 } }),
  scenario('unchanged, two modes 10 % apart, three values each', {
    noise_pct: 1,
    modes: { apart_pct: 10, flips: 0.3 },
  }),
  scenario('unchanged, two modes 10 % apart, one value in 10 in the slower', {
    noise_pct: 1,
    modes: { apart_pct: 10, flips: 0.5, share: [0.1, 0.1] },
  }),
  scenario('step of 2 %, two runners 4 % apart', { noise_pct: 0.3, step_pct: 2, steps: 1, modes: RUNNERS }),
  scenario('step of 2 %, two unnamed runners 4 % apart', {
    noise_pct: 0.3,
    step_pct: 2,
    steps: 1,
    modes: UNNAMED,
  }),
  scenario('step of 5 %, two modes 10 % apart, three values each', {
    noise_pct: 1,
    step_pct: 5,
    steps: 1,
    modes: { apart_pct: 10, flips: 0.3 },
  }),
  scenario('two modes 10 % apart, the slower one only from the middle on', {
    noise_pct: 1,
    at: 100,
    modes: { apart_pct: 10, flips: 0.5, share: [0.5, 1] },
  }),
];

export const SCENARIOS: readonly Scenario[] = [
  ...[0.3, 1, 5].map((noise_pct) => scenario(`unchanged, noise ${noise_pct} %`, { noise_pct })),
  scenario('unchanged, heavy tails (t₃)', { noise_pct: 1, tails: 't3' }),
  scenario('unchanged, one run in 20 is bad', { noise_pct: 1, outliers: 0.05 }),
  scenario('unchanged, neighbours alike (φ = 0.5)', { noise_pct: 1, correlation: 0.5 }),
  scenario('unchanged, weekly swing of ±1 %', { noise_pct: 1, season: { period: 7, amplitude_pct: 1 } }),
  scenario('unchanged, slow swing of ±1 %', { noise_pct: 1, season: { period: 60, amplitude_pct: 1 } }),
  scenario('unchanged, one run in 5 is five times as noisy', { noise_pct: 1, noisyRuns: 0.2 }),
  ...[
    [1, 0.3],
    [1, 1],
    [2, 1],
    [3, 1],
    [5, 1],
    [5, 5],
    [10, 5],
    [20, 5],
  ].map(([step_pct, noise_pct]) =>
    scenario(`step of ${step_pct} %, noise ${noise_pct} %`, {
      noise_pct: noise_pct!,
      step_pct: step_pct!,
      steps: 1,
    }),
  ),
  scenario('step of 3 %, heavy tails (t₃)', { noise_pct: 1, step_pct: 3, steps: 1, tails: 't3' }),
  scenario('step of 3 %, one run in 20 is bad', { noise_pct: 1, step_pct: 3, steps: 1, outliers: 0.05 }),
  scenario('step of 3 %, neighbours alike (φ = 0.5)', {
    noise_pct: 1,
    step_pct: 3,
    steps: 1,
    correlation: 0.5,
  }),
  scenario('step of 3 %, weekly swing of ±1 %', {
    noise_pct: 1,
    step_pct: 3,
    steps: 1,
    season: { period: 7, amplitude_pct: 1 },
  }),
  scenario('step of 3 %, one run in 5 is five times as noisy', {
    noise_pct: 1,
    step_pct: 3,
    steps: 1,
    noisyRuns: 0.2,
  }),
  scenario('five steps of 5 %', { noise_pct: 1, step_pct: 5, steps: 5, apart: 10 }),
  scenario('20 % for 5 values, and back', { noise_pct: 1, step_pct: 20, back: 5 }),
  scenario('5 % for 8 values, and back', { noise_pct: 1, step_pct: 5, back: 8 }),
  scenario('12 values, step of 5 % in the middle', { length: 12, noise_pct: 0.5, step_pct: 5, at: 6 }),
  scenario('20 values, step of 3 % before the last 5', { length: 20, noise_pct: 0.5, step_pct: 3, at: 15 }),
  ...TWO_MODES,
  scenario('creep of 3 % over 200 values', { noise_pct: 1, drift_pct: 3 }),
  scenario('creep of 10 % over 200 values', { noise_pct: 1, drift_pct: 10 }),
];

function scenario(name: string, recipe: Recipe): Scenario {
  return { name, draw: (random) => draw(recipe, random) };
}

function draw(recipe: Recipe, random: Random): KnownSeries {
  const { length = LENGTH, noise_pct, step_pct = 0, correlation = 0, season, drift_pct = 0 } = recipe;
  const normal = (): number => normalQuantile(random.nextOpen());
  const wild = (): number =>
    recipe.tails === 't3'
      ? normal() / Math.sqrt((normal() ** 2 + normal() ** 2 + normal() ** 2) / 3)
      : normal();
  const steps = placesOf(recipe, length, random);
  const phase = random.nextOpen() * 2 * Math.PI;
  const errors = new Float64Array(length);
  let level = 0;
  let remembered = normal();
  const slower = slowerOf(recipe, length, random);
  const times = Float64Array.from({ length }, (_, at) => {
    const step = steps.indexOf(at);
    if (step >= 0) {
      const up = recipe.back !== undefined ? step === 0 : recipe.steps === 1 || random.nextOpen() < 0.5;
      level += (up ? 1 : -1) * Math.log1p(step_pct / 100);
    }
    const noisy = random.nextOpen() < (recipe.noisyRuns ?? 0) ? 5 : 1;
    // Half of the variance is within the run, where its interval shows it.
    errors[at] = (noisy * noise_pct * Math.SQRT1_2) / 100;
    remembered = correlation * remembered + Math.sqrt(1 - correlation ** 2) * wild();
    let value = level + (slower[at] === true ? Math.log1p(recipe.modes!.apart_pct / 100) : 0);
    value += (noisy * noise_pct * remembered) / 100 + (drift_pct / 100) * (at / (length - 1));
    if (season !== undefined) {
      value += (season.amplitude_pct / 100) * Math.sin((2 * Math.PI * at) / season.period + phase);
    }
    if (random.nextOpen() < (recipe.outliers ?? 0)) value += Math.log(1.05 + 0.45 * random.nextOpen());
    return 3 * Math.exp(value);
  });
  const hosts = recipe.modes?.named === true ? slower.map((is) => (is ? 'b' : 'a')) : undefined;
  return { times, errors, steps, creeps: drift_pct !== 0, ...(hosts === undefined ? {} : { hosts }) };
}

/** Whether each value is of the slower runner or mode. */
function slowerOf({ modes }: Recipe, length: number, random: Random): boolean[] {
  if (modes === undefined) return [];
  const { flips, share } = modes;
  let is = random.nextOpen() < 0.5;
  return Array.from({ length }, (_, at) => {
    if (share !== undefined) return random.nextOpen() < share[at < length / 2 ? 0 : 1];
    if (random.nextOpen() < flips) is = !is;
    return is;
  });
}

function placesOf({ steps = 0, apart = 20, at, back }: Recipe, length: number, random: Random): number[] {
  if (at !== undefined) return [at];
  if (back !== undefined) {
    const start = 30 + nextBelow(random, length - 60 - back);
    return [start, start + back];
  }
  for (;;) {
    const places = Array.from({ length: steps }, () => nextBelow(random, length)).sort((a, b) => a - b);
    const edges = [0, ...places, length];
    if (edges.slice(1).every((edge, k) => edge - edges[k]! >= apart)) return places;
  }
}
