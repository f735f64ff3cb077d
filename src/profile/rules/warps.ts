/** How many warps there are and how full they are. */
import { WARP_THREADS, type FactName } from '../facts/derivation.ts';
import type { Facts } from '../facts/facts.ts';
import {
  BEST_PRACTICES,
  bounded,
  evidenceOf,
  PROFILING_GUIDE,
  round1,
  type Rule,
  type RuleOutcome,
} from './rule.ts';

const FULL_OCCUPANCY_PCT = 80;
const BUSY_ISSUE_PCT = 80;
const FEW_WAVES = 0.75;
/** A matrix kernel keeps its tile in registers: with two blocks on an SM, one computes while the other waits. */
const MATRIX_KERNEL_PCT = 15;
const ENOUGH_MATRIX_BLOCKS = 2;

const LIMITS: readonly (readonly [fact: FactName, words: string, fix: string])[] = [
  [
    'limit_registers',
    'registers',
    'use fewer registers per thread (smaller tile per thread, __launch_bounds__)',
  ],
  [
    'limit_shared_mem',
    'shared memory',
    'use less shared memory per block (smaller tile, fewer stages, a narrower type)',
  ],
  ['limit_warps', 'warps per block', 'choose a block size that divides the warps of an SM'],
  ['limit_blocks', 'blocks', 'make blocks larger: the SM holds no more of them'],
  ['limit_barriers', 'barriers', 'use fewer named barriers per block'],
];

/** Warp-specialised kernels give registers from producers to consumers and need few warps: that is their design. */
function isWarpSpecialised(facts: Facts): boolean {
  return (facts.have('async_mma_pct') ?? 0) > 0.1 || (facts.have('tma_pct') ?? 0) > 0.1;
}

/** Waits that another warp could fill. At a barrier, only a warp of another block can. */
const HIDEABLE = ['long_scoreboard_pct', 'short_scoreboard_pct', 'wait_pct'] as const;

function hideablePct(facts: Facts, blocks: number): number {
  const waits = blocks === 1 ? [...HIDEABLE, 'barrier_pct' as const] : HIDEABLE;
  const known = waits.map((name) => facts.have(name)).filter((value) => value !== undefined);
  return known.length > 1 ? known.reduce((total, value) => total + value, 0) : 100 - facts.need('issue_pct');
}

export const lowOccupancy: Rule = {
  id: 'low-occupancy',
  fix: 'Use less of what limits the blocks per SM (registers, shared memory, warps per block), or give each warp more independent work.',
  meaning: "Too few warps are resident to hide each other's waits.",
  priority: 2,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['latency'],
  symptomOf: ['small-grid', 'tail-wave', 'launch-bound', 'imbalance', 'register-spill'],
  requires: ['theoretical_occupancy_pct', 'issue_pct', 'resident_blocks'],
  uses: [
    ...LIMITS.map(([fact]) => fact),
    ...HIDEABLE,
    'barrier_pct',
    'occupancy_pct',
    'waves',
    'registers_per_thread',
    'static_shared_bytes',
    'dynamic_shared_bytes',
    'async_mma_pct',
    'tma_pct',
    'matrix_pct',
    'block_size',
  ],
  condition: `Theoretical occupancy is below ${FULL_OCCUPANCY_PCT} %, issue slots are below ${BUSY_ISSUE_PCT} %, and latency limits. Not for warp-specialised kernels (wgmma or TMA at low occupancy), nor for matrix kernels with ${ENOUGH_MATRIX_BLOCKS} blocks per SM.`,
  gainBasis:
    'Half of the waits that other warps could fill (scoreboards, fixed latencies; barriers if an SM has one block), times the share of empty warp slots; at most the headroom of the busiest unit.',
  source: `${PROFILING_GUIDE}, Occupancy (TheoreticalOccupancy); Volkov, Better Performance at Lower Occupancy, 2010, for exceptions.`,
  headline: { fact: 'theoretical_occupancy_pct', subject: 'theoretical occupancy', unit: ' %' },
  evaluate(facts, limit): RuleOutcome | undefined {
    const theoretical = facts.need('theoretical_occupancy_pct');
    const blocks = facts.need('resident_blocks');
    if (
      limit.limiter !== 'latency' ||
      theoretical >= FULL_OCCUPANCY_PCT ||
      facts.need('issue_pct') >= BUSY_ISSUE_PCT
    )
      return undefined;
    if (isWarpSpecialised(facts) || (facts.have('waves') ?? 1) <= FEW_WAVES) return undefined;
    if ((facts.have('matrix_pct') ?? 0) >= MATRIX_KERNEL_PCT && blocks >= ENOUGH_MATRIX_BLOCKS)
      return undefined;
    const binding = LIMITS.filter(([fact]) => facts.have(fact) === blocks);
    return {
      evidence: evidenceOf(facts, [
        'theoretical_occupancy_pct',
        'occupancy_pct',
        'issue_pct',
        'resident_blocks',
        ...LIMITS.map(([fact]) => fact),
        'registers_per_thread',
        'static_shared_bytes',
        'dynamic_shared_bytes',
      ]),
      diagnosis: `Too few warps to hide latency: ${binding.map(([, words]) => words).join(' and ')} let ${blocks} block${blocks === 1 ? '' : 's'} stay on an SM (${round1(theoretical)} % of its warps), and ${round1(100 - facts.need('issue_pct'))} % of issue slots stay empty.`,
      fix: `To fit another block on the SM, ${binding.map(([, , how]) => how).join('; ')}. Or keep the warps and give each more independent work.`,
      gainPct: bounded(
        (hideablePct(facts, blocks) / 2) * (1 - theoretical / 100),
        100 - limit.utilisationPct,
      ),
    };
  },
};

export const partialWarp: Rule = {
  id: 'partial-warp',
  fix: 'Use a multiple of 32 threads and let each take part of the work.',
  meaning: 'Blocks that are not a multiple of 32 threads leave lanes of their last warp empty.',
  priority: 2,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['compute', 'special-function', 'tensor', 'latency', 'launch', 'l1-shared'],
  symptomOf: [],
  requires: ['block_size'],
  uses: ['threads_per_inst'],
  condition: 'The block size is not a multiple of 32, and 5 % or more of the lanes are empty.',
  gainBasis: 'The share of empty lanes.',
  source: `${BEST_PRACTICES}, Thread and Block Heuristics: a multiple of the warp size.`,
  headline: { fact: 'block_size', subject: 'the block size', unit: ' threads' },
  evaluate(facts): RuleOutcome | undefined {
    const threads = facts.need('block_size');
    const lanes = WARP_THREADS * Math.ceil(threads / WARP_THREADS);
    const emptyPct = lanes > 0 ? 100 * (1 - threads / lanes) : 0;
    if (emptyPct < 5) return undefined;
    return {
      evidence: {
        ...evidenceOf(facts, ['block_size', 'threads_per_inst']),
        empty_lanes_pct: round1(emptyPct),
      },
      diagnosis: `Blocks of ${threads} threads leave ${lanes - threads} of ${lanes} lanes empty.`,
      fix: `Use blocks of ${lanes} threads (or another multiple of 32) and let each take part of the work.`,
      gainPct: bounded(emptyPct),
    };
  },
};

const DIVERGENT_THREADS = 24;

export const divergence: Rule = {
  id: 'divergence',
  meaning: 'Threads of a warp take different branches, and the warp executes all of them.',
  fix: 'Make the threads of a warp branch alike: sort or bin the work by branch, branch per warp, or replace short branches by selects.',
  priority: 2,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['compute', 'special-function', 'latency', 'launch'],
  symptomOf: ['partial-warp'],
  requires: ['threads_per_inst'],
  uses: [
    'unpredicated_threads_per_inst',
    'long_scoreboard_pct',
    'lg_throttle_pct',
    'issue_pct',
    'block_size',
  ],
  condition: `On average fewer than ${DIVERGENT_THREADS} of 32 threads are active per instruction; if issuing limits, also counting predication.`,
  gainBasis: 'The share of idle lanes, less the share of time spent waiting for memory.',
  source: `${PROFILING_GUIDE}, Warp State Statistics (ThreadDivergence); ${BEST_PRACTICES}, Branching and Divergence.`,
  headline: { fact: 'threads_per_inst', subject: 'active threads per instruction', unit: ' of 32' },
  evaluate(facts, limit): RuleOutcome | undefined {
    const active = facts.need('threads_per_inst');
    const unpredicated = facts.have('unpredicated_threads_per_inst') ?? active;
    const isBranching = active > 0 && active < DIVERGENT_THREADS;
    const isPredicated = limit.limiter === 'compute' && unpredicated > 0 && unpredicated < DIVERGENT_THREADS;
    if (!isBranching && !isPredicated) return undefined;
    const memoryPct = (facts.have('long_scoreboard_pct') ?? 0) + (facts.have('lg_throttle_pct') ?? 0);
    const used = isBranching ? active : unpredicated;
    return {
      evidence: evidenceOf(facts, [
        'threads_per_inst',
        'unpredicated_threads_per_inst',
        'issue_pct',
        'block_size',
      ]),
      diagnosis: `Threads of a warp take different branches: on average ${round1(used)} of 32 are active per instruction${isBranching ? '' : ' (the others are predicated off)'}, and every branch costs time.`,
      gainPct: bounded(100 * (1 - used / WARP_THREADS) * Math.max(0.2, 1 - memoryPct / 100)),
    };
  },
};
