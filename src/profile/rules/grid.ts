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
  meaning: 'The launch has too few blocks to give every SM work, or enough of it.',
  fix: 'Make more blocks: smaller tiles, or split the reduction too (split-K, split-KV) and combine at the end; or run it beside other kernels.',
  priority: 1,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['launch', 'latency'],
  symptomOf: ['tail-wave'],
  requires: ['grid_size', 'sm_count'],
  uses: ['waves', 'sm_pct', 'memory_pct', 'duration_ns', 'sm_idle_pct', 'occupancy_pct'],
  condition: `Fewer blocks than SMs; or SM and memory below ${BUSY_PCT} % with ${FEW_WAVES} waves or fewer.`,
  gainBasis:
    'The share of SMs without a block; where all have one, the share of empty places for blocks times three quarters of what the busiest unit has to spare. Never below the time of an empty kernel.',
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
      diagnosis: `The grid fills ${round1(100 * waves)} % of the places for blocks: too few warps to hide latency.`,
      gainPct: bounded((1 - waves) * (100 - limit.utilisationPct) * SHARED_WAIT, mostPct),
      isPartial: true,
    };
  },
};

export const launchBound: Rule = {
  id: 'launch-bound',
  meaning: 'The kernel is over before the device is busy: launching it is what costs.',
  fix: 'Do more in one launch: fuse it with its neighbours, batch several problems, replay a CUDA graph, or keep a persistent kernel running.',
  priority: 1,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['launch', 'latency'],
  symptomOf: [],
  requires: ['duration_ns'],
  uses: ['sm_pct', 'memory_pct', 'grid_size'],
  condition: `The kernel takes ${SHORT_NS / 1000} µs or less and no unit reaches ${BUSY_PCT} % of its peak.`,
  gainBasis: `The cost of a launch (about ${LAUNCH_NS / 1000} µs) in the time of launch and kernel together.`,
  source: `${BEST_PRACTICES}, launch overhead; CUDA Graphs exist for it.`,
  headline: { fact: 'duration_ns', subject: 'the duration', unit: ' ns' },
  evaluate(facts, limit): RuleOutcome | undefined {
    const ns = facts.need('duration_ns');
    if (ns > SHORT_NS || ns <= 0 || !isIdle(limit)) return undefined;
    return {
      evidence: evidenceOf(facts, ['duration_ns', 'grid_size', 'sm_pct', 'memory_pct']),
      diagnosis: `The kernel is over in ${round1(ns / 1000)} µs: starting it costs as much as running it.`,
      gainPct: bounded((100 * LAUNCH_NS) / (LAUNCH_NS + ns)),
    };
  },
};

export const tailWave: Rule = {
  id: 'tail-wave',
  meaning: 'The last blocks run while most SMs have nothing left to do.',
  fix: 'Choose a tile for which the blocks come out just below a whole number of waves, or let a persistent grid of one block a place take tiles in turn (stream-K for matrix products).',
  priority: 2,
  kind: 'cause',
  scope: 'global',
  bearsOn: ['launch', 'latency', 'compute', 'tensor', 'special-function', 'dram', 'l2', 'l1-shared'],
  symptomOf: ['small-grid'],
  requires: ['grid_size', 'sm_count', 'sm_idle_pct'],
  uses: TAIL_FACTS,
  condition: `The last wave of blocks fills the device in part only, which costs ${WORTH_A_TAIL_PCT} % of its time or more, as predicted from the counts of blocks and seen as idle SMs or empty places.`,
  gainBasis: 'The share of time lost to rounding up to whole waves, as far as the device was seen idle.',
  source: `${PROFILING_GUIDE}, Launch Statistics (waves); its rule counts the whole last wave as lost, this one the empty part of it.`,
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
  meaning: 'Blocks or warps differ in their work: the device waits for the longest.',
  fix: 'Give every block the same work: split large items, sort them by size and start the long ones first, or let blocks take items from a queue.',
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
  condition: `The average SM is active for ${UNEVEN_PCT} % less time than the busiest; or achieved occupancy lies more than ${OCCUPANCY_GAP_POINTS} points below theoretical although there are waves enough and the kernel waits for latency.`,
  gainBasis:
    'What the average SM lacks to the busiest; for a gap in occupancy alone, a third of the empty places (what more warps usually bring).',
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
      diagnosis: `Warps finish at different times: ${round1(achieved)} % of the places for warps are taken where ${round1(theoretical)} % could be.`,
      gainPct: bounded((100 * (1 - achieved / theoretical)) / 3),
    };
  },
};
