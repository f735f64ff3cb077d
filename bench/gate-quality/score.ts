import type { Outcome } from '../../src/judge/decide.ts';
import type { Random } from '../../src/stats/random.ts';
import { nextBelow } from '../../src/stats/random.ts';
import type { KnownTruth } from './known-truth.ts';
import type { Rule } from './rules.ts';
import type { ProcessSeries } from './side.ts';
import { processSeries, Side } from './side.ts';

/** How one rule answered when the truth was one thing. */
export interface Score {
  readonly case: string;
  readonly rule: string;
  /** How much slower the changed code is. */
  readonly injected_pct: number;
  /** `slower`: the changed code is the candidate; `faster`: it is the baseline. */
  readonly direction: 'slower' | 'faster';
  readonly draws: number;
  readonly shares: Readonly<Record<Outcome, number>>;
}

/** The series of one case: by slowdown, by process, and there may be several of a process. */
type Pool = ReadonlyMap<number, ReadonlyMap<number, readonly ProcessSeries[]>>;

export interface ScoreOptions {
  /** Processes a side. */
  readonly k: number;
  readonly draws: number;
  readonly random: Random;
}

/**
 * Draws k processes for each side, none of them on both sides and none twice, one series of each, and asks every
 * rule about the same draw.
 */
export function scoreRules(truth: KnownTruth, rules: readonly Rule[], options: ScoreOptions): Score[] {
  const scores: Score[] = [];
  for (const [name, pool] of pools(truth)) {
    for (const injected_pct of [...pool.keys()].sort((a, b) => a - b)) {
      for (const direction of injected_pct === 0 ? (['slower'] as const) : (['slower', 'faster'] as const)) {
        const counts = scoreOne(pool, injected_pct, direction, rules, options);
        rules.forEach((rule, index) => {
          const shares = { ...counts[index]! };
          for (const outcome of Object.keys(shares) as Outcome[]) shares[outcome] /= options.draws;
          scores.push({
            case: name,
            rule: rule.name,
            injected_pct,
            direction,
            draws: options.draws,
            shares,
          });
        });
      }
    }
  }
  return scores;
}

function scoreOne(
  pool: Pool,
  injected_pct: number,
  direction: Score['direction'],
  rules: readonly Rule[],
  { k, draws, random }: ScoreOptions,
): Record<Outcome, number>[] {
  const unchanged = pool.get(0)!;
  const changed = pool.get(injected_pct)!;
  const processes = [...unchanged.keys()].filter((process) => changed.has(process));
  if (processes.length < 2 * k) {
    throw new RangeError(`${2 * k} processes are needed for ${k} a side, and there are ${processes.length}`);
  }
  const counts = rules.map(() => ({ improved: 0, maintained: 0, regressed: 0, undecided: 0 }));
  for (let draw = 0; draw < draws; draw++) {
    shuffleFirst(processes, 2 * k, random);
    const one = new Side(processes.slice(0, k).map((process) => pick(unchanged.get(process)!, random)));
    const other = new Side(processes.slice(k, 2 * k).map((process) => pick(changed.get(process)!, random)));
    const [baseline, candidate] = direction === 'slower' ? [one, other] : [other, one];
    rules.forEach((rule, index) => counts[index]![rule.decide(baseline, candidate)]++);
  }
  return counts;
}

function pools(truth: KnownTruth): Map<string, Pool> {
  const byCase = new Map<string, Map<number, Map<number, ProcessSeries[]>>>();
  for (const { case: name, process, injected_slowdown_pct, samples_ms } of truth.series) {
    const bySlowdown = byCase.get(name) ?? new Map<number, Map<number, ProcessSeries[]>>();
    const byProcess = bySlowdown.get(injected_slowdown_pct) ?? new Map<number, ProcessSeries[]>();
    const series = byProcess.get(process) ?? [];
    series.push(processSeries(samples_ms));
    byProcess.set(process, series);
    bySlowdown.set(injected_slowdown_pct, byProcess);
    byCase.set(name, bySlowdown);
  }
  return byCase;
}

/** The first steps of Fisher and Yates' shuffle (Knuth, "The Art of Computer Programming" 2, algorithm 3.4.2P). */
function shuffleFirst(values: number[], count: number, random: Random): void {
  for (let i = 0; i < count; i++) {
    const j = i + nextBelow(random, values.length - i);
    [values[i], values[j]] = [values[j]!, values[i]!];
  }
}

function pick<T>(values: readonly T[], random: Random): T {
  return values[nextBelow(random, values.length)]!;
}
