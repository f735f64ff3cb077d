/**
 * The model's settings. They were chosen on recorded spaces, beside generated ones (docs/samplers.md); the benchmark
 * switches parts off to see what each is worth. They are not options of `pawl tune`.
 */
export interface ModelSettings {
  /** Trials of the spread-out start. */
  readonly start: number;
  /** Points drawn for each trial of the start, of which the one farthest from all others is taken. */
  readonly startDraws: number;
  /** Share of the start, its first part, that is chosen among the roundest of the points drawn. */
  readonly startRound: number;
  /** Who proposes, in turn. */
  readonly views: readonly View[];
  readonly additivePart: boolean;
  readonly feasibilityModel: boolean;
  /** With it: learns which values never run, and gives them up. */
  readonly deadValues: boolean;
  /** Learns length scales; otherwise they stay at their prior. */
  readonly learnScales: boolean;
  /** Candidates that are scored exactly, of those that promise most. */
  readonly exactScores: number;
  /** Most points that are all scored at every ask; a larger space is scored in part. */
  readonly candidates: number;
  readonly prior: KernelPrior;
}

/** What a predictor sees. */
export interface View {
  /** Of a time: its logarithm, that above a floor just below the best, or its rank. */
  readonly warp: Warp;
  /** Of a point, besides its tunables: what constraints compute, products by name, how round numbers are. */
  readonly constraintFeatures: boolean;
  readonly nameFeatures: boolean;
  readonly roundness: readonly Roundness[];
}

export type Roundness = 'halvings' | 'powers' | 'count';
export type Warp = 'log' | 'shifted-log' | 'rank';

/** Medians of the prior of each hyperparameter, and its spread as a factor's logarithm. */
export interface KernelPrior {
  /** Inverse length scales of tunables and of features, over positions in [0, 1]. */
  readonly tunableScale: number;
  readonly featureScale: number;
  readonly scaleSpread: number;
  /** Drop of the logarithm of similarity for any difference in a tunable. */
  readonly mismatch: number;
  readonly mismatchSpread: number;
  /** Variances, where the times' is 1. */
  readonly product: number;
  readonly productSpread: number;
  readonly additive: number;
  readonly additiveSpread: number;
  readonly noise: number;
  readonly noiseSpread: number;
  readonly constant: number;
}

export const FULL_VIEW: View = {
  warp: 'rank',
  constraintFeatures: true,
  nameFeatures: true,
  roundness: ['halvings', 'count'],
};

/** Only the tunables themselves. */
export const PLAIN_VIEW: View = {
  warp: 'rank',
  constraintFeatures: false,
  nameFeatures: false,
  roundness: [],
};

export const MODEL_SETTINGS: ModelSettings = {
  start: 6,
  startDraws: 30,
  startRound: 2 / 3,
  views: [FULL_VIEW],
  additivePart: true,
  feasibilityModel: true,
  deadValues: true,
  learnScales: true,
  exactScores: 128,
  candidates: 20_000,
  prior: {
    tunableScale: 0.7,
    featureScale: 0.3,
    scaleSpread: 0.8,
    mismatch: 0.05,
    mismatchSpread: 1,
    product: 0.8,
    productSpread: 0.7,
    additive: 0.3,
    additiveSpread: 1,
    noise: 0.01,
    noiseSpread: 1,
    constant: 0.3,
  },
};
