/** The numbers of the decision model; docs/advice.md says what each does, docs/results/advice.md why it is as it is. */
export interface PoolSettings {
  /** Variances of what sets a kind of kernel, a compute capability and a device apart. */
  readonly kindVariance: number;
  readonly familyVariance: number;
  readonly deviceVariance: number;
  /** Variance between one value and the next at the same place, to begin with, and how many values that is worth. */
  readonly scatterVariance: number;
  readonly scatterWorth: number;
  /** What one session may count for, in values. */
  readonly sessionCap: number;
  /** From so many standard deviations on a value counts for less (Huber, "Robust estimation of a location parameter", 1964). */
  readonly outlierFrom: number;
  /** A value counts for half after so many days. */
  readonly halfLife_days: number;
}

export interface FixSettings extends PoolSettings {
  /** The share of a rule's estimate that a fix brings, for all rules: before anything is known, and how sure that is. */
  readonly share: number;
  readonly shareVariance: number;
  /** How far rules differ in it, to begin with, and how many rules that is worth. */
  readonly ruleVariance: number;
  readonly ruleWorth: number;
  /** How many rules' worth of agreement with other devices a device is credited with. */
  readonly trustWorth: number;
}

export const FIX_SETTINGS: FixSettings = {
  share: 0.5,
  shareVariance: 0.2 ** 2,
  ruleVariance: 0.25 ** 2,
  ruleWorth: 6,
  kindVariance: 0.12 ** 2,
  familyVariance: 0.1 ** 2,
  deviceVariance: 0.1 ** 2,
  scatterVariance: 0.35 ** 2,
  scatterWorth: 10,
  sessionCap: 1,
  outlierFrom: 1.5,
  halfLife_days: 180,
  trustWorth: 4,
};

/** Of logarithms: of minutes over the method's budget, and of the speed-up over the goal. */
export const SESSION_SETTINGS = {
  minutes: {
    priorVariance: 0.7 ** 2,
    kindVariance: 0.25 ** 2,
    familyVariance: 0.15 ** 2,
    deviceVariance: 0.15 ** 2,
    scatterVariance: 0.5 ** 2,
    scatterWorth: 4,
    sessionCap: 1,
    outlierFrom: 2,
    halfLife_days: Infinity,
  },
  speedup: {
    priorVariance: 1,
    kindVariance: 0.3 ** 2,
    familyVariance: 0.2 ** 2,
    deviceVariance: 0.2 ** 2,
    scatterVariance: 0.5 ** 2,
    scatterWorth: 4,
    sessionCap: 1,
    outlierFrom: 2,
    halfLife_days: Infinity,
  },
} as const;
