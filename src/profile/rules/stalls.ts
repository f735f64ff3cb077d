/** What warps wait for. Each speaks under a limit that it explains; where a cause is known, the cause speaks. */
import type { Limiter, RuleId } from '../../model/profile/diagnosis-words.ts';
import type { FactName } from '../facts/derivation.ts';
import { bounded, evidenceOf, PROFILING_GUIDE, type Rule, type RuleOutcome } from './rule.ts';

const SHARE_PCT = 30;
const BUSY_ISSUE_PCT = 80;
const WAITING: readonly Limiter[] = ['latency', 'launch'];

interface StallRule {
  readonly id: RuleId;
  readonly meaning: string;
  readonly priority: 1 | 2 | 3;
  readonly stall: FactName;
  readonly sharePct?: number;
  readonly bearsOn: readonly Limiter[];
  readonly symptomOf: readonly RuleId[];
  /** What else is evidence for it. */
  readonly beside?: readonly FactName[];
  /** The unit whose headroom bounds the gain: no wait is worth more than what the unit behind it can still give. */
  readonly behind?: FactName;
  /** How much of it can be hidden or left out, where no unit is behind it. */
  readonly hideable?: number;
  readonly subject: string;
  readonly words: (share: string) => string;
  readonly fix: string;
}

/** Launches that never reach steady state: their first instructions always miss. */
const GRID_CAUSES: readonly RuleId[] = ['small-grid', 'launch-bound', 'tail-wave', 'imbalance'];

const stallRules: readonly StallRule[] = [
  {
    id: 'long-scoreboard',
    meaning: 'Warps wait for global, local or texture memory, with too few loads in flight.',
    priority: 1,
    stall: 'long_scoreboard_pct',
    bearsOn: WAITING,
    symptomOf: [
      ...GRID_CAUSES,
      'low-occupancy',
      'uncoalesced-access',
      'register-spill',
      'local-arrays',
      'l2-thrash',
      'atomic-contention',
      'tensor-idle',
    ],
    beside: ['occupancy_pct', 'l1_hit_pct', 'l2_hit_pct', 'active_warps'],
    behind: 'memory_pct',
    subject: 'waiting for global memory',
    words: (share) =>
      `The latency of global memory is exposed: warps wait for their loads ${share} of the time.`,
    fix: "Put more loads in flight: unroll and load ahead, copy in stages with cp.async or TMA, give each thread several independent items; break chains of loads that need each other's address.",
  },
  {
    id: 'short-scoreboard',
    meaning: 'Warps wait for shared memory or for special functions.',
    priority: 2,
    stall: 'short_scoreboard_pct',
    bearsOn: [...WAITING, 'l1-shared', 'special-function'],
    symptomOf: [
      ...GRID_CAUSES,
      'low-occupancy',
      'bank-conflicts',
      'special-function-bound',
      'atomic-contention',
    ],
    beside: ['special_function_pct', 'l1_pct'],
    subject: 'waiting for shared memory and special functions',
    words: (share) =>
      `Warps wait ${share} of the time for what shared memory or the special-function units return.`,
    fix: 'Load the next operands while computing with these, keep reused values in registers, use wider accesses; overlap special functions with other arithmetic.',
  },
  {
    id: 'barrier-stall',
    meaning: 'Warps wait for the slowest warp of their block.',
    priority: 2,
    stall: 'barrier_pct',
    hideable: 0.8,
    bearsOn: [...WAITING, 'compute', 'l1-shared', 'tensor', 'dram', 'l2'],
    symptomOf: [...GRID_CAUSES, 'bank-conflicts', 'divergence'],
    beside: ['resident_blocks', 'block_size'],
    subject: 'waiting at barriers',
    words: (share) => `Warps wait ${share} of the time at a barrier for the slowest of their block.`,
    fix: 'Synchronise less and in smaller groups: __syncwarp or named barriers, smaller blocks, double buffering to save one barrier per iteration, equal work for all warps between barriers.',
  },
  {
    id: 'math-throttle',
    meaning: 'One arithmetic pipe is full.',
    priority: 2,
    stall: 'math_throttle_pct',
    bearsOn: [...WAITING, 'compute', 'tensor'],
    symptomOf: [
      ...GRID_CAUSES,
      'special-function-bound',
      'stray-fp64',
      'unfused-fp',
      'legacy-mma',
      'tensor-idle',
    ],
    beside: ['fma_pct', 'alu_pct', 'fp64_pct', 'matrix_pct'],
    subject: 'waiting for a math pipe',
    words: (share) =>
      `Warps wait ${share} of the time for one math pipe that is full while the others are not.`,
    fix: 'Spread the arithmetic over the pipes: shifts and adds for integer multiplies, fused or packed (half2) instructions, interleaved kinds of work.',
  },
  {
    id: 'memory-throttle',
    meaning: 'The queues in front of the memory pipes are full of small accesses.',
    priority: 2,
    stall: 'throttle_pct',
    bearsOn: [...WAITING, 'l1-shared', 'l2'],
    symptomOf: [
      ...GRID_CAUSES,
      'bank-conflicts',
      'uncoalesced-access',
      'register-spill',
      'local-arrays',
      'special-function-bound',
      'atomic-contention',
      'tensor-idle',
      'stray-fp64',
    ],
    beside: ['lg_throttle_pct', 'mio_throttle_pct', 'tex_throttle_pct', 'l1_pct'],
    behind: 'l1_pct',
    subject: 'waiting for a free memory queue',
    words: (share) =>
      `The queues of the memory pipes are full ${share} of the time: too many small accesses.`,
    fix: 'Make fewer, wider accesses (16 bytes per thread, ldmatrix, TMA), keep values in registers, use warp shuffles instead of shared memory.',
  },
  {
    id: 'fixed-latency',
    meaning: 'Each instruction needs the result of the one before.',
    priority: 3,
    stall: 'wait_pct',
    bearsOn: [...WAITING, 'compute'],
    symptomOf: [
      ...GRID_CAUSES,
      'divergence',
      'partial-warp',
      'low-occupancy',
      'unfused-fp',
      'stray-fp64',
      'legacy-mma',
    ],
    beside: ['active_warps', 'eligible_warps'],
    subject: 'waiting for the result of the instruction before',
    words: (share) =>
      `Each instruction waits for the one before it ${share} of the time: a chain of dependent arithmetic.`,
    fix: 'Break the chain: independent accumulators or items per thread, unrolling, a tree instead of a running sum; or more warps.',
  },
  {
    id: 'wgmma-wait',
    meaning: 'Warps wait for their own asynchronous matrix products.',
    priority: 1,
    stall: 'gmma_pct',
    bearsOn: [...WAITING, 'tensor', 'compute', 'l1-shared', 'dram', 'l2'],
    symptomOf: ['small-grid', 'launch-bound', 'tail-wave'],
    beside: ['matrix_pct', 'async_mma_pct'],
    behind: 'matrix_pct',
    subject: 'waiting for wgmma',
    words: (share) =>
      `Warps wait ${share} of the time for their own wgmma to finish: the tensor cores idle between the groups.`,
    fix: 'Keep one group in flight: wait_group 1 instead of 0, the next product before the softmax or epilogue of this one, two consumer warpgroups in ping-pong.',
  },
  {
    id: 'icache-miss',
    meaning: 'Warps wait for code to be fetched.',
    priority: 3,
    stall: 'no_instruction_pct',
    hideable: 0.8,
    sharePct: 20,
    bearsOn: [...WAITING, 'compute', 'tensor', 'special-function'],
    symptomOf: GRID_CAUSES,
    beside: ['icache_hit_pct', 'inst_executed'],
    subject: 'waiting for instructions',
    words: (share) =>
      `Warps have no instruction to execute ${share} of the time: the code does not fit the instruction caches, or jumps too much.`,
    fix: 'Make the loop body smaller: unroll less, do not inline large or rare paths (__noinline__), split variants into separate kernels.',
  },
];

function stallRule(rule: StallRule): Rule {
  const {
    id,
    priority,
    stall,
    bearsOn,
    symptomOf,
    beside = [],
    behind,
    hideable = 0.5,
    sharePct = SHARE_PCT,
  } = rule;
  return {
    id,
    meaning: rule.meaning,
    fix: rule.fix,
    priority,
    kind: 'wait',
    scope: 'local',
    bearsOn,
    symptomOf,
    requires: [stall, 'issue_pct'],
    uses: [...beside, ...(behind ? [behind] : [])],
    condition: `\`${stall}\` above ${sharePct} % of a warp's time, and issue slots below ${BUSY_ISSUE_PCT} %.`,
    gainBasis: `${behind ? `What \`${behind}\` leaves free` : `${Math.round(100 * hideable)} %`} of the wait in empty issue slots.`,
    source: `${PROFILING_GUIDE}, Warp Stall Reasons.`,
    headline: { fact: stall, subject: rule.subject, unit: ' % of the time' },
    evaluate(facts): RuleOutcome | undefined {
      const share = facts.need(stall);
      const issue = facts.need('issue_pct');
      if (share <= sharePct || issue >= BUSY_ISSUE_PCT) return undefined;
      const hidden = behind === undefined ? hideable : 1 - Math.min(100, facts.have(behind) ?? 50) / 100;
      return {
        evidence: evidenceOf(facts, [stall, 'issue_pct', ...beside]),
        diagnosis: rule.words(`${Math.round(share)} %`),
        gainPct: bounded(share * (1 - issue / 100) * hidden),
      };
    },
  };
}

export const stallFindings: readonly Rule[] = stallRules.map(stallRule);
