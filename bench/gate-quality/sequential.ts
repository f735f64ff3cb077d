/** The gate as it runs: looks at six processes per side and more, until it is decided. */
import type { Outcome } from '../../src/judge/decide.ts';
import { estimateShift } from '../../src/judge/estimate-shift.ts';
import { JUDGE_DEFAULTS } from '../../src/judge/judge-policy.ts';
import type { Locations, ProcessSummary } from '../../src/judge/process-summary.ts';
import { locations } from '../../src/judge/process-summary.ts';
import { sequentialPlan } from '../../src/judge/sequential-plan.ts';
import { replayGate, slowedDown } from '../../src/judge/thresholds/replay-gate.ts';
import { nextBelow, type Random } from '../../src/stats/random.ts';
import type { KnownTruth } from './known-truth.ts';

export interface SequentialScore {
  readonly case: string;
  /** How much slower the changed code is, by the level and the median alike, at least. */
  readonly slower_pct: number;
  readonly shares: Readonly<Record<Outcome, number>>;
  /** Processes a side, on average. */
  readonly processes: number;
}

type Pool = ReadonlyMap<number, ReadonlyMap<number, readonly ProcessSummary[]>>;

/**
 * Draws processes of both sides with replacement, for a gate may ask for more than the file holds. What was planted is
 * within 0.4 points of what was meant; each changed series is shifted by that difference, so that a slowdown of 3 % is
 * one of 3 % and not of 2.7 %: at the threshold the difference decides.
 */
export function scoreSequentially(
  truth: KnownTruth,
  options: { readonly draws: number; readonly random: Random; readonly maxProcesses: number },
): SequentialScore[] {
  return [...pools(truth)].flatMap(([name, pool]) =>
    [...pool.keys()]
      .toSorted((one, other) => one - other)
      .map((slower_pct) => {
        const { shares, processes } = scoreOne(pool, slower_pct, options);
        return { case: name, slower_pct, shares, processes };
      }),
  );
}

function scoreOne(
  pool: Pool,
  slower_pct: number,
  { draws, random, maxProcesses }: { draws: number; random: Random; maxProcesses: number },
): Pick<SequentialScore, 'shares' | 'processes'> {
  const unchanged = [...pool.get(0)!.values()];
  const changed = [...pool.get(slower_pct)!.values()];
  const correction = slower_pct === 0 ? 0 : Math.log1p(slower_pct / 100) - plantedShift(unchanged, changed);
  const gate = { policy: JUDGE_DEFAULTS, plan: sequentialPlan({ maxProcesses }), cases: 1 };
  const shares = { improved: 0, maintained: 0, regressed: 0, undecided: 0 };
  let processes = 0;
  const drawn = (processesOf: readonly (readonly ProcessSummary[])[]): ProcessSummary =>
    pick(pick(processesOf, random), random);
  for (let draw = 0; draw < draws; draw += 1) {
    const { outcome, used } = replayGate(
      { base: () => drawn(unchanged), head: () => slowedDown(drawn(changed), correction) },
      gate,
    );
    shares[outcome] += 1 / draws;
    processes += used / draws;
  }
  return { shares, processes };
}

/** By the level that shows less of it: which one a gate goes by depends on the draw. */
function plantedShift(
  unchanged: readonly (readonly ProcessSummary[])[],
  changed: readonly (readonly ProcessSummary[])[],
): number {
  const by = (level: keyof Locations): number => {
    const values = (sides: readonly (readonly ProcessSummary[])[]): number[] =>
      sides.flatMap((series) => series.flatMap(({ time }) => time[level] ?? []));
    return estimateShift(values(unchanged), values(changed)).difference;
  };
  return Math.min(by('fastest'), by('median'));
}

function pools(truth: KnownTruth): Map<string, Pool> {
  const byCase = new Map<string, Map<number, Map<number, ProcessSummary[]>>>();
  for (const { case: name, process, injected_slowdown_pct: slower, samples_ms } of truth.series) {
    const bySlowdown = byCase.get(name) ?? new Map<number, Map<number, ProcessSummary[]>>();
    const byProcess = bySlowdown.get(slower) ?? new Map<number, ProcessSummary[]>();
    byProcess.set(process, [
      ...(byProcess.get(process) ?? []),
      { time: locations(samples_ms), cycles: undefined },
    ]);
    bySlowdown.set(slower, byProcess);
    byCase.set(name, bySlowdown);
  }
  return byCase;
}

function pick<T>(values: readonly T[], random: Random): T {
  return values[nextBelow(random, values.length)]!;
}
