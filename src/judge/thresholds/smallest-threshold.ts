/** Which threshold a gate can hold for a case, found by replaying the gate on the case's own noise. */
import type { Outcome } from '../decide.ts';
import { binomialUpperTail } from '../../stats/binomial.ts';
import { nextBelow, Xoshiro128 } from '../../stats/random.ts';
import type { JudgePolicy } from '../judge-policy.ts';
import type { ProcessSummary } from '../process-summary.ts';
import { sequentialPlan } from '../sequential-plan.ts';
import { replayGate, slowedDown } from './replay-gate.ts';

/** What the gate is published to keep (docs/results/gate-quality.md): shares of its runs. */
export const PROMISED = { caught: 0.99, false_alarm: 0.001, undecided: 0.01 } as const;

export interface Rates {
  /** Of a slowdown as large as the threshold: called regressed. */
  readonly caught: number;
  /** Of unchanged code: called regressed. */
  readonly false_alarm: number;
  /** At most: of unchanged code, of a slowdown of half the threshold, and of one as large as it. */
  readonly undecided: number;
}

/** Runs per question, as in the published tables. */
export const RUNS = 2000;

/** What is worth writing into a file. Round numbers only; below 1 %, where code is placed in memory moves times. */
export const STEPS_PCT = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50] as const;

export interface ReplayOptions {
  readonly policy: JudgePolicy;
  /** The most processes per side. */
  readonly processes: number;
  /** Judged at once. */
  readonly cases: number;
  readonly runs?: number;
}

/** How often the gate would be right and wrong with this threshold. The same noise gives the same rates. */
export function ratesAt(
  regressionPct: number,
  noise: readonly ProcessSummary[],
  options: ReplayOptions,
): Rates {
  const runs = options.runs ?? RUNS;
  const ask = asker(regressionPct, noise, options);
  const [unchanged, half, whole] = [ask(0), ask(0.5), ask(1)];
  return {
    caught: whole.regressed / runs,
    false_alarm: unchanged.regressed / runs,
    undecided: Math.max(unchanged.undecided, half.undecided, whole.undecided) / runs,
  };
}

/** Whether the promised rates hold, as far as so many runs can show. */
export function holds(
  regressionPct: number,
  noise: readonly ProcessSummary[],
  options: ReplayOptions,
): boolean {
  const runs = options.runs ?? RUNS;
  const mostMissed = mostByChance(1 - PROMISED.caught, runs);
  const mostAlarms = mostByChance(PROMISED.false_alarm, runs);
  const mostUndecided = mostByChance(PROMISED.undecided, runs);
  const isOpen = ({ undecided }: Counts): boolean => undecided > mostUndecided;
  const broken: readonly [part: number, isBroken: (counts: Counts) => boolean][] = [
    [1, (counts) => isOpen(counts) || counts.undecided + counts.maintained + counts.improved > mostMissed],
    [0, (counts) => isOpen(counts) || counts.regressed > mostAlarms],
    [0.5, isOpen],
  ];
  const ask = asker(regressionPct, noise, options);
  return broken.every(([part, isBroken]) => !isBroken(ask(part, isBroken)));
}

/** This many errors do not show that the rate is higher than promised: more would come in less than 1 % of the cases. */
function mostByChance(rate: number, runs: number): number {
  let most = Math.ceil(rate * runs);
  while (binomialUpperTail(most, runs, rate) > 0.01) most += 1;
  return most;
}

/** The smallest step at which the promised rates hold; undefined where none does. A larger one never holds less. */
export function* smallestThreshold(
  noise: readonly ProcessSummary[],
  options: ReplayOptions,
): Generator<number, number | undefined> {
  let low = 0;
  let high: number = STEPS_PCT.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const step = STEPS_PCT[middle]!;
    yield step;
    if (holds(step, noise, options)) high = middle;
    else low = middle + 1;
  }
  return STEPS_PCT[low];
}

/** Twice as many and more than the gate takes: beyond that an answer takes too long. */
const MORE_PROCESSES = [32, 48, 64, 96] as const;

/** With how many processes per side this threshold would hold; undefined where not even 96 do. */
export function* processesFor(
  regressionPct: number,
  noise: readonly ProcessSummary[],
  options: ReplayOptions,
): Generator<number, number | undefined> {
  for (const processes of MORE_PROCESSES) {
    if (processes <= options.processes) continue;
    yield processes;
    if (holds(regressionPct, noise, { ...options, processes })) return processes;
  }
  return undefined;
}

type Counts = Readonly<Record<Outcome, number>>;

/** Runs the gate on a slowdown that is some part of the threshold, until it is over or all runs are made. */
function asker(regressionPct: number, noise: readonly ProcessSummary[], options: ReplayOptions) {
  const { policy, processes, cases, runs = RUNS } = options;
  const plan = sequentialPlan({ maxProcesses: processes });
  const gate = { policy: { ...policy, regressionPct }, plan, cases };
  const slowdown = Math.log1p(regressionPct / 100);
  return (part: number, isOver: (counts: Counts) => boolean = () => false): Counts => {
    // The same draws for every threshold: what differs is the threshold, not luck.
    const random = new Xoshiro128(1 + Math.round(2 * part));
    const drawn = (): ProcessSummary => noise[nextBelow(random, noise.length)]!;
    const head = (): ProcessSummary => slowedDown(drawn(), part * slowdown);
    const counts = { improved: 0, maintained: 0, regressed: 0, undecided: 0 };
    for (let run = 0; run < runs && !isOver(counts); run += 1) {
      counts[replayGate({ base: drawn, head }, gate).outcome] += 1;
    }
    return counts;
  };
}
