import { raceResult } from '../../src/judge/race/describe-race.ts';
import { rankByIntervals } from '../../src/judge/race/rank-by-intervals.ts';
import { standings } from '../../src/judge/race/standings.ts';
import { raceSchema, RACE_SCHEMA, type Race, type RaceCase, type Racer } from '../../src/model/judge/race.ts';
import { HOSTILE } from './hostile.ts';

const LONG = `attention_${'split_keys_'.repeat(9)}final`;

/** Two cases with a faster, a slower and an undecided kernel, a wrong one, one with a long name and a hostile one. */
export function raceRun(): Race {
  const cases = [caseOf('training_512', 'cold'), caseOf('batch_8_heads_32_length_16384_causal', 'hot')];
  return raceSchema.parse({
    schema: RACE_SCHEMA,
    problem: 'attention',
    reference: 'sdpa-cudnn',
    result: raceResult(cases),
    threshold_pct: 3,
    correction: 'holm',
    error_rates: { false_alarm: 0.05, miss: 0.2 },
    kernels: standings(cases),
    cases,
    left_out: [{ kernel: HOSTILE, reason: 'It has no case in common with the reference.' }],
    hardware: 'NVIDIA H200, driver 580.65, CUDA 13.0',
    commit: '7746c1ba1c7746c1ba1c7746c1ba1c7746c1ba1c',
    dirty: true,
    files: {},
  });
}

function caseOf(name: string, mode: 'cold' | 'hot'): RaceCase {
  const raced = [
    timed('attention-hopper', 0.171, 1.42, 'improved', 'Faster in all blocks, beyond the threshold of 3 %.'),
    timed('sdpa-cudnn', 0.243, 1),
    timed(LONG, 0.246, 0.99, 'undecided', 'The interval reaches from slower to faster: more processes.'),
    timed(HOSTILE, 0.61, 0.4, 'regressed', 'Slower in all blocks, beyond the threshold of 3 %.'),
  ];
  const ranks = rankByIntervals(raced.map(({ speedup }) => speedup ?? { low: 1, high: 1 }));
  const wrong: Racer = {
    kernel: 'attention-wrong',
    state: 'wrong',
    reason: 'out differs from the oracle at 12 of 4,194,304 elements, by up to 0.031.',
    processes: 0,
  };
  return {
    case: name,
    mode,
    dims: { batch: 8, heads: 32, length: 16_384 },
    kernels: [...raced.map((one, index) => Object.assign(one, { rank: ranks[index]! })), wrong],
    pairs: [],
  };
}

function timed(
  kernel: string,
  median_ms: number,
  estimate: number,
  verdict?: NonNullable<Racer['verdict']>,
  reason?: string,
): Racer {
  return {
    kernel,
    state: 'raced',
    median_ms,
    processes: 10,
    ...(verdict !== undefined && {
      verdict,
      reason,
      speedup: { estimate, low: 0.97 * estimate, high: 1.03 * estimate },
    }),
  };
}
