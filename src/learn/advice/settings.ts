/** The numbers of the decision model; docs/advice.md says what each does, docs/results/advice.md why it is as it is. */
export interface PoolSettings {
  /** Variance that a recorded value of another kind of kernel has as evidence for this one, however many there are. */
  readonly kindVariance: number;
  /** The same for another device, and for another device of the same compute capability. */
  readonly deviceVariance: number;
  readonly familyVariance: number;
  /** Variance between one value and the next at the same place. */
  readonly scatterVariance: number;
  /** What one session may count for, in values. */
  readonly sessionCap: number;
  /** From so many standard deviations on a value counts for less: Huber, «Robust estimation of a location parameter», 1964. */
  readonly outlierFrom: number;
  /** A value counts for half after so many days. */
  readonly halfLife_days: number;
}

export interface FixSettings extends PoolSettings {
  /** The share of a rule's estimate that a fix brings, for all rules: before anything is known, and how sure that is. */
  readonly share: number;
  readonly shareVariance: number;
  /** How far rules differ in it. */
  readonly ruleVariance: number;
}

export const FIX_SETTINGS: FixSettings = {
  share: 0.5,
  shareVariance: 0.2 ** 2,
  ruleVariance: 0.25 ** 2,
  kindVariance: 0.15 ** 2,
  deviceVariance: 0.15 ** 2,
  familyVariance: 0.1 ** 2,
  scatterVariance: 0.35 ** 2,
  sessionCap: 1,
  outlierFrom: 1.5,
  halfLife_days: Infinity,
};

/** Of logarithms: of minutes over the method's budget, and of the speed-up over the goal. */
export const SESSION_SETTINGS = {
  minutes: {
    priorVariance: 0.7 ** 2,
    kindVariance: 0.3 ** 2,
    deviceVariance: 0.3 ** 2,
    familyVariance: 0.2 ** 2,
    scatterVariance: 0.5 ** 2,
    sessionCap: 1,
    outlierFrom: 2,
    halfLife_days: Infinity,
  },
  speedup: {
    priorVariance: 1,
    kindVariance: 0.3 ** 2,
    deviceVariance: 0.3 ** 2,
    familyVariance: 0.2 ** 2,
    scatterVariance: 0.4 ** 2,
    sessionCap: 1,
    outlierFrom: 2,
    halfLife_days: Infinity,
  },
} as const;
