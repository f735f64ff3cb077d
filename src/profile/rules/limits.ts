/** The rules that say how close a kernel is to what the device can do. */
import type { Limiter } from '../../model/profile/diagnosis-words.ts';
import { AT_LIMIT_PCT, BUSY_PCT, type Limit } from './limiter.ts';
import type { Facts } from '../facts/facts.ts';
import {
  bounded,
  evidenceOf,
  EVERY_LIMIT,
  PROFILING_GUIDE,
  round1,
  type Rule,
  type RuleOutcome,
} from './rule.ts';

const UNIT_WORDS: Readonly<Record<Limiter, string>> = {
  dram: 'DRAM',
  l2: 'the L2 cache',
  'l1-shared': 'the L1 cache and shared memory',
  compute: 'the arithmetic pipes and issue slots',
  tensor: 'the tensor cores',
  'special-function': 'the special-function units',
  latency: 'latency',
  launch: 'the launch',
  none: 'nothing',
};

const LOADS = ['sm_pct', 'memory_pct', 'dram_pct', 'l2_pct', 'l1_pct', 'compute_pct', 'matrix_pct'] as const;
const MEMORY: readonly Limiter[] = ['dram', 'l2', 'l1-shared'];
const COMPUTE: readonly Limiter[] = ['compute', 'tensor', 'special-function'];

const SOL_SOURCE = `${PROFILING_GUIDE}, GPU Speed Of Light Throughput (SOLBottleneck).`;

const unitEvidence = (facts: Facts, limit: Limit): Record<string, number> => ({
  ...evidenceOf(facts, LOADS),
  limiter_pct: round1(limit.utilisationPct),
});

/** A kernel whose time is this many times the least that the device needs for the work has something left to gain. */
const FAR_FROM_FLOOR = 1.25;

interface Distance {
  readonly us: number;
  readonly floorUs: number;
}

/** However busy its unit is, the kernel does far more there than the work needs: a row read three times, say. */
function farFromFloor(facts: Facts): Distance | undefined {
  const { floorUs } = facts.problem;
  const us = (facts.have('duration_ns') ?? 0) / 1000;
  return floorUs !== undefined && us >= FAR_FROM_FLOOR * floorUs ? { us, floorUs } : undefined;
}

const isDone = (facts: Facts, limit: Limit): boolean =>
  limit.atLimit && limit.needlessWork === undefined && farFromFloor(facts) === undefined;

/** What is left to gain where a unit limits: to the floor where it is at its peak, else to a good share of the peak. */
function gainOf(facts: Facts, limit: Limit): number {
  const far = limit.atLimit ? farFromFloor(facts) : undefined;
  return bounded(100 * (1 - (far ? far.floorUs / far.us : limit.utilisationPct / (AT_LIMIT_PCT + 10))));
}

function floorText(facts: Facts, limit: Limit): string {
  const far = limit.atLimit ? farFromFloor(facts) : undefined;
  if (far === undefined) return '';
  return ` The work itself takes ${round1(far.floorUs)} µs at the ceilings measured on the device, and this took ${round1(far.us)}: the unit does more than the work needs.`;
}

function floorEvidence(facts: Facts): Record<string, number> {
  const { floorUs } = facts.problem;
  return floorUs === undefined ? {} : { floor_us: round1(floorUs) };
}

/** Near the peak the question is no longer how busy the unit is, but with what. */
const openQuestion = ({ needlessWork }: Limit): string =>
  needlessWork === undefined ? '' : ` It can hardly do more; ${needlessWork.why}.`;

export const atLimit: Rule = {
  id: 'at-limit',
  meaning: 'The kernel does what the device can. A healthy kernel has only this finding.',
  fix: 'Stop here, or give that unit less to do: fuse kernels, keep data on chip, store fewer bits, or move work to another unit.',
  priority: 1,
  kind: 'verdict',
  scope: 'global',
  bearsOn: EVERY_LIMIT,
  symptomOf: [],
  requires: [],
  uses: [...LOADS, 'duration_ns'],
  condition: `The limiting unit is at ${AT_LIMIT_PCT} % of its peak or more; needless work was looked for (memory: coalescing, and L2 hits or bank conflicts; arithmetic: divergence and matrix products) and not found; and the time is below ${FAR_FROM_FLOOR} times the floor, if that is known.`,
  gainBasis: 'None.',
  source: SOL_SOURCE,
  evaluate(facts, limit): RuleOutcome | undefined {
    if (!isDone(facts, limit)) return undefined;
    return {
      evidence: unitEvidence(facts, limit),
      diagnosis: `Nothing to fix: ${UNIT_WORDS[limit.limiter]} at ${round1(limit.utilisationPct)} % of the peak is the limit, and the work there looks necessary.`,
      gainPct: 0,
    };
  },
};

export const memoryBound: Rule = {
  id: 'memory-bound',
  meaning: 'A level of memory limits the kernel, with some headroom.',
  fix: 'Move fewer bytes: fuse with neighbouring kernels, keep reused data in registers or shared memory, use a narrower type; access 16 bytes per thread.',
  priority: 1,
  kind: 'limit',
  scope: 'global',
  bearsOn: MEMORY,
  symptomOf: [],
  requires: [],
  uses: [...LOADS, 'duration_ns'],
  condition: `A level of memory is the busiest unit, at ${BUSY_PCT} to ${AT_LIMIT_PCT} % of its peak; or above, if needless work could not be looked for or the time is ${FAR_FROM_FLOOR} times the floor or more.`,
  gainBasis: `The gap to ${AT_LIMIT_PCT + 10} % of the peak, which good kernels reach; at the peak, the gap between the time and the floor.`,
  source: SOL_SOURCE,
  evaluate(facts, limit): RuleOutcome | undefined {
    if (isDone(facts, limit) || !MEMORY.includes(limit.limiter)) return undefined;
    const compute = facts.have('compute_pct') ?? facts.have('sm_pct') ?? 0;
    const balance =
      limit.utilisationPct - compute < 10
        ? ` Computing is as busy (${round1(compute)} %): the two are in balance.`
        : '';
    return {
      evidence: { ...unitEvidence(facts, limit), ...floorEvidence(facts) },
      diagnosis: `Bound by memory: ${UNIT_WORDS[limit.limiter]} at ${round1(limit.utilisationPct)} % of the peak limits the kernel.${balance}${openQuestion(limit)}${floorText(facts, limit)}`,
      gainPct: gainOf(facts, limit),
    };
  },
};

export const computeBound: Rule = {
  id: 'compute-bound',
  meaning: 'Arithmetic or issuing limits the kernel, with some headroom.',
  fix: 'Execute fewer instructions: hoist invariants, use wider and fused instructions, simplify index arithmetic, lower the precision, or use the tensor cores.',
  priority: 1,
  kind: 'limit',
  scope: 'global',
  bearsOn: COMPUTE,
  symptomOf: [],
  requires: [],
  uses: [...LOADS, 'duration_ns'],
  condition: `Arithmetic or issuing is busiest, at ${BUSY_PCT} to ${AT_LIMIT_PCT} % of its peak; or above, if needless work could not be looked for or the time is ${FAR_FROM_FLOOR} times the floor or more.`,
  gainBasis: `The gap to ${AT_LIMIT_PCT + 10} % of the peak, which good kernels reach; at the peak, the gap between the time and the floor.`,
  source: SOL_SOURCE,
  evaluate(facts, limit): RuleOutcome | undefined {
    if (isDone(facts, limit) || !COMPUTE.includes(limit.limiter)) return undefined;
    const memory = facts.have('memory_pct');
    const balance =
      memory !== undefined && limit.utilisationPct - memory < 10
        ? ` Memory is as busy (${round1(memory)} %): the two are in balance.`
        : '';
    return {
      evidence: { ...unitEvidence(facts, limit), ...floorEvidence(facts) },
      diagnosis: `Bound by computing: ${UNIT_WORDS[limit.limiter]} at ${round1(limit.utilisationPct)} % of the peak limit the kernel.${balance}${openQuestion(limit)}${floorText(facts, limit)}`,
      gainPct: gainOf(facts, limit),
    };
  },
};

export const latencyBound: Rule = {
  id: 'latency-bound',
  meaning: 'No unit is busy: the kernel mostly waits, for reasons not collected.',
  fix: 'Give every warp more independent work (unroll, load ahead), or the SM more warps; a full profile says what they wait for.',
  priority: 1,
  kind: 'limit',
  scope: 'global',
  bearsOn: ['latency'],
  symptomOf: [],
  requires: [],
  uses: [...LOADS, 'issue_pct', 'eligible_warps', 'occupancy_pct'],
  condition: `No unit reaches ${BUSY_PCT} % of its peak although every SM has work; SM and memory were collected.`,
  gainBasis: `The gap between the busiest unit's load and ${BUSY_PCT} % of its peak.`,
  source: SOL_SOURCE,
  evaluate(facts, limit): RuleOutcome | undefined {
    if (limit.limiter !== 'latency') return undefined;
    return {
      evidence: {
        ...unitEvidence(facts, limit),
        ...evidenceOf(facts, ['issue_pct', 'eligible_warps', 'occupancy_pct']),
      },
      diagnosis: `Bound by latency: the busiest unit reaches ${round1(limit.utilisationPct)} % of its peak, so the kernel mostly waits.`,
      gainPct: bounded(100 * (1 - limit.utilisationPct / BUSY_PCT), 50),
    };
  },
};
