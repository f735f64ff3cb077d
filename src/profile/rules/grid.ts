/** How the blocks of the launch fill the device's SMs. */
import { BUSY_PCT, SHORT_NS, type Limit } from './limiter.ts';
import { fillsDevice } from './looked-at.ts';
import { lostToTailPct, TAIL_FACTS } from './tail.ts';
import {
  BEST_PRACTICES,
  bounded,
  evidenceOf,
  PROFILING_GUIDE,
  round1,
  type Rule,
  type RuleOutcome,
} from './rule.ts';

/** A kernel that does next to nothing still takes about this long on current devices. */
const EMPTY_KERNEL_NS = 2000;
/** What a launch costs beside the kernel's own time, back to back on a stream. */
const LAUNCH_NS = 2500;
const FEW_WAVES = 0.75;
/** More warps wait for the same memory: they bring less than their number. */
const SHARED_WAIT = 0.75;
const WORTH_A_TAIL_PCT = 10;
const UNEVEN_PCT = 15;
const OCCUPANCY_GAP_POINTS = 10;

/** Every unit was collected, and none is busy. */
const isIdle = ({ limiter, utilisationPct }: Limit): boolean =>
  limiter !== 'none' && utilisationPct < BUSY_PCT;

export const smallGrid: Rule = {
  id: 'small-grid',
  meaning: 'The launch has too few blocks to keep every SM busy.',
  fix: 'Launch more blocks: use smaller tiles, split the reduction (split-K, split-KV), or run other kernels concurrently.',
  priority: 1,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['launch', 'latency'],
  symptomOf: ['tail-wave'],
  requires: ['grid_size', 'sm_count'],
  uses: ['waves', 'sm_pct', 'memory_pct', 'duration_ns', 'sm_idle_pct', 'occupancy_pct'],
  condition: `Fewer blocks than SMs; or SM and memory below ${BUSY_PCT} % with ${FEW_WAVES} waves or fewer.`,
  gainBasis:
    "The share of SMs without a block; if all have one, the share of empty block slots times three quarters of the busiest unit's headroom. The time of an empty kernel remains.",
  source: `${PROFILING_GUIDE}, Launch Statistics (LaunchConfiguration).`,
  headline: { fact: 'grid_size', subject: 'the number of blocks', unit: '' },
  evaluate(facts, limit): RuleOutcome | undefined {
    const grid = facts.need('grid_size');
    const sms = facts.need('sm_count');
    const mostPct = 100 * Math.max(0, 1 - EMPTY_KERNEL_NS / (facts.have('duration_ns') ?? Infinity));
    const evidence = evidenceOf(facts, [
      'grid_size',
      'sm_count',
      'waves',
      'sm_idle_pct',
      'sm_pct',
      'memory_pct',
    ]);
    if (grid < sms) {
      return {
        evidence,
        diagnosis: `The grid is too small: ${grid} blocks for ${sms} SMs, so ${sms - grid} of them never get work.`,
        gainPct: bounded(100 * (1 - grid / sms), mostPct),
      };
    }
    const waves = facts.have('waves');
    if (waves === undefined || waves > FEW_WAVES || !isIdle(limit)) return undefined;
    return {
      evidence,
      diagnosis: `The grid fills ${round1(100 * waves)} % of the block slots: too few warps to hide latency.`,
      gainPct: bounded((1 - waves) * (100 - limit.utilisationPct) * SHARED_WAIT, mostPct),
      isPartial: true,
    };
  },
};

export const launchBound: Rule = {
  id: 'launch-bound',
  meaning: 'The kernel ends before the device is busy: the launch is the cost.',
  fix: 'Do more per launch: fuse neighbouring kernels, batch problems, replay a CUDA graph, or use a persistent kernel.',
  priority: 1,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['launch', 'latency'],
  symptomOf: [],
  requires: ['duration_ns'],
  uses: ['sm_pct', 'memory_pct', 'grid_size'],
  condition: `The kernel takes ${SHORT_NS / 1000} µs or less and no unit reaches ${BUSY_PCT} % of its peak.`,
  gainBasis: `The launch (about ${LAUNCH_NS / 1000} µs) as a share of launch plus kernel.`,
  source: `${BEST_PRACTICES}, launch overhead.`,
  headline: { fact: 'duration_ns', subject: 'the duration', unit: ' ns' },
  evaluate(facts, limit): RuleOutcome | undefined {
    const ns = facts.need('duration_ns');
    if (ns > SHORT_NS || ns <= 0 || !isIdle(limit)) return undefined;
    return {
      evidence: evidenceOf(facts, ['duration_ns', 'grid_size', 'sm_pct', 'memory_pct']),
      diagnosis: `The kernel takes ${round1(ns / 1000)} µs: launching it costs as much as running it.`,
      gainPct: bounded((100 * LAUNCH_NS) / (LAUNCH_NS + ns)),
    };
  },
};

export const tailWave: Rule = {
  id: 'tail-wave',
  meaning: 'The last blocks run while most SMs are idle.',
  fix: 'Choose a tile size that gives just under a whole number of waves, or use a persistent grid that takes tiles in turn (stream-K for matrix products).',
  priority: 2,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['launch', 'latency', 'compute', 'tensor', 'special-function', 'dram', 'l2', 'l1-shared'],
  symptomOf: ['small-grid'],
  requires: ['grid_size', 'sm_count', 'sm_idle_pct'],
  uses: TAIL_FACTS,
  condition: `The last wave of blocks fills the device only in part. This costs ${WORTH_A_TAIL_PCT} % of the time or more by the number of blocks, and idle SMs or empty slots confirm it.`,
  gainBasis: 'The time lost to rounding up to whole waves, as far as the device was idle.',
  source: `${PROFILING_GUIDE}, Launch Statistics (waves); its rule counts the whole last wave as lost, this one only the empty part.`,
  headline: { fact: 'waves', subject: 'the number of waves', unit: '' },
  evaluate(facts): RuleOutcome | undefined {
    const lostPct = lostToTailPct(facts);
    if (lostPct === undefined || lostPct < WORTH_A_TAIL_PCT) return undefined;
    const grid = facts.need('grid_size');
    const sms = facts.need('sm_count');
    return {
      evidence: {
        ...evidenceOf(facts, ['grid_size', 'sm_count', 'waves', 'sm_idle_pct']),
        lost_pct: round1(lostPct),
      },
      diagnosis: `${grid} blocks do not divide evenly among ${sms} SMs: while the last few run, the other SMs have nothing to do (${round1(lostPct)} % of the device's time).`,
      gainPct: bounded(lostPct),
    };
  },
};

export const imbalance: Rule = {
  id: 'imbalance',
  meaning: 'Blocks or warps have unequal work, and the device waits for the longest.',
  fix: 'Balance the blocks: split large items, start the longest first, or let blocks take items from a queue.',
  priority: 3,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['latency', 'launch'],
  symptomOf: ['small-grid', 'tail-wave', 'launch-bound'],
  requires: ['grid_size'],
  uses: [
    'sm_count',
    'sm_imbalance_pct',
    'sm_idle_pct',
    'occupancy_pct',
    'theoretical_occupancy_pct',
    'waves',
  ],
  condition: `The average SM is active ${UNEVEN_PCT} % less than the busiest; or, at one wave or more and limited by latency, achieved occupancy is over ${OCCUPANCY_GAP_POINTS} points below theoretical.`,
  gainBasis:
    'The gap between average and busiest SM; for an occupancy gap alone, a third of the empty warp slots.',
  source: `${PROFILING_GUIDE}, GPU and Memory Workload Distribution (WorkloadImbalance) and Occupancy (AchievedOccupancy).`,
  headline: { fact: 'sm_imbalance_pct', subject: 'the imbalance between SMs', unit: ' %' },
  evaluate(facts, limit): RuleOutcome | undefined {
    if (fillsDevice(facts) !== true) return undefined;
    const evidence = evidenceOf(facts, [
      'sm_imbalance_pct',
      'sm_idle_pct',
      'occupancy_pct',
      'theoretical_occupancy_pct',
      'waves',
    ]);
    const unevenPct = Math.min(facts.have('sm_imbalance_pct') ?? 100, facts.have('sm_idle_pct') ?? 100);
    const isKnown = facts.have('sm_imbalance_pct') !== undefined || facts.have('sm_idle_pct') !== undefined;
    if (isKnown && unevenPct >= UNEVEN_PCT) {
      return {
        evidence,
        diagnosis: `Some blocks do much more than others: the average SM is idle for ${round1(unevenPct)} % of the time that the busiest works.`,
        gainPct: bounded(unevenPct),
      };
    }
    const achieved = facts.have('occupancy_pct');
    const theoretical = facts.have('theoretical_occupancy_pct');
    const waves = facts.have('waves') ?? 0;
    if (limit.limiter !== 'latency' || achieved === undefined || theoretical === undefined || waves < 1)
      return undefined;
    if (theoretical - achieved <= OCCUPANCY_GAP_POINTS) return undefined;
    return {
      evidence,
      diagnosis: `Warps finish at different times: achieved occupancy is ${round1(achieved)} %, and ${round1(theoretical)} % is possible.`,
      gainPct: bounded((100 * (1 - achieved / theoretical)) / 3),
    };
  },
};
