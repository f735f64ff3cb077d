/**
 * What limits a kernel: the busiest unit if one is busy, else what keeps all of them waiting. It is named only where
 * every unit that it has to be compared with was collected.
 */
import type { Limiter } from '../../model/profile/diagnosis-words.ts';
import type { FactName, FactReader } from '../facts/derivation.ts';
import { coalescingKnown, conflictsKnown, fillsDevice } from './looked-at.ts';
import { lostToTailPct } from './tail.ts';

/** Where Nsight Compute's own speed-of-light rule draws its lines (SOLBottleneck: 60 and 80 percent). */
export const BUSY_PCT = 60;
export const AT_LIMIT_PCT = 80;
/** A launch takes a few microseconds whatever it does; below this it is mostly that. */
export const SHORT_NS = 10_000;

/**
 * On Hopper, `lts__throughput` also counts the links between the two halves of the L2, so that any traffic makes it
 * look busier than the cache is: only close to its peak, or with warps enough to fill the queues, does it limit.
 */
const L2_BUSY_PCT = 70;
const MANY_WARPS_OCCUPANCY_PCT = 50;

/** What was not collected and would decide. */
interface Unknown {
  readonly why: string;
  readonly facts: readonly FactName[];
}

export interface Limit {
  readonly limiter: Limiter;
  /** Of the unit that is busiest among those collected, whether or not it limits. */
  readonly utilisationPct: number;
  /** The unit can hardly do more. */
  readonly atLimit: boolean;
  /** Why no limiter is named, where what was collected does not decide. */
  readonly unknown?: Unknown;
  /** At the limit: what would say whether the unit does work that it need not. */
  readonly needlessWork?: Unknown;
}

export const LIMITER_FACTS: readonly FactName[] = [
  'dram_pct',
  'l2_pct',
  'l1_pct',
  'compute_pct',
  'special_function_pct',
  'matrix_pct',
  'sm_pct',
  'instruction_pct',
  'memory_pct',
  'fma_pct',
  'alu_pct',
  'tensor_pct',
  'xu_pct',
  'issue_load_pct',
  'occupancy_pct',
  'sm_idle_pct',
  'grid_size',
  'sm_count',
  'waves',
  'duration_ns',
  'excess_sector_pct',
  'conflict_pct',
  'l2_hit_pct',
  'dram_bytes',
  'threads_per_inst',
  'flops_per_dram_byte',
];

/** Together they cover every level of memory and every unit of the SM. */
const OVERALL: readonly FactName[] = ['sm_pct', 'memory_pct'];
const MEMORY_LEVELS = ['dram_pct', 'l2_pct', 'l1_pct'] as const;
const SM_PIPES = ['fma_pct', 'alu_pct', 'tensor_pct', 'xu_pct'] as const;
/** Two counters of one thing, from different passes, differ by less. */
const SAME_POINTS = 10;

export function findLimit(facts: FactReader): Limit {
  const units = unitLoads(facts);
  const none = { name: 'none', pct: 0 } as const;
  const busiest = units.reduce<UnitLoad>((top, unit) => (unit.pct > top.pct ? unit : top), none);
  const unknown = missingSide(facts) ?? hiddenUnit(facts, busiest.pct);
  if (unknown) return { limiter: 'none', utilisationPct: busiest.pct, atLimit: false, unknown };
  const limiting = dramBehind(busiest, units) ?? busiest;
  if (limiting.pct >= BUSY_PCT) {
    const atLimit = limiting.pct >= AT_LIMIT_PCT;
    const needlessWork = atLimit ? needlessWorkUnknown(limiting.name, facts) : undefined;
    return {
      limiter: limiting.name,
      utilisationPct: limiting.pct,
      atLimit,
      ...(needlessWork ? { needlessWork } : {}),
    };
  }
  return idleDevice(facts, limiting.pct);
}

/** What the L2 is busy with while DRAM is too is mostly DRAM's traffic. */
function dramBehind(busiest: UnitLoad, units: readonly UnitLoad[]): UnitLoad | undefined {
  const dram = units.find(({ name }) => name === 'dram');
  if (dram === undefined || busiest.name !== 'l2' || dram.pct < BUSY_PCT) return undefined;
  return dram.pct >= AT_LIMIT_PCT || busiest.pct - dram.pct < 15 ? dram : undefined;
}

const isKnown = (facts: FactReader, names: readonly FactName[]): boolean =>
  names.every((name) => facts.have(name) !== undefined);

function missingSide(facts: FactReader): Unknown | undefined {
  const memory = facts.have('memory_pct') !== undefined || isKnown(facts, MEMORY_LEVELS);
  const sm =
    facts.have('sm_pct') !== undefined ||
    facts.have('instruction_pct') !== undefined ||
    isKnown(facts, [...SM_PIPES, 'issue_load_pct']);
  if (memory && sm) return undefined;
  if (!memory && !sm) {
    return {
      why: 'neither the load of memory nor that of the SMs was collected',
      facts: [...OVERALL, ...MEMORY_LEVELS],
    };
  }
  return memory
    ? {
        why: 'the load of the SMs was not collected, so memory cannot be compared with computing',
        facts: ['sm_pct', ...SM_PIPES],
      }
    : {
        why: `${collectedOfMemory(facts)}, so neither computing nor waiting can be compared with memory`,
        facts: ['memory_pct', ...MEMORY_LEVELS],
      };
}

const LEVEL_WORDS = { dram_pct: 'DRAM', l2_pct: 'L2', l1_pct: 'L1' } as const;

function collectedOfMemory(facts: FactReader): string {
  const seen = MEMORY_LEVELS.filter((level) => facts.have(level) !== undefined);
  return seen.length === 0
    ? 'the load of memory was not collected'
    : `of memory only ${seen.map((level) => LEVEL_WORDS[level]).join(' and ')} was collected`;
}

/** A side is busy, and the unit that makes it so is not among those that were collected one by one. */
function hiddenUnit(facts: FactReader, busiestPct: number): Unknown | undefined {
  const sm = Math.max(facts.have('sm_pct') ?? 0, facts.have('instruction_pct') ?? 0);
  const memory = facts.have('memory_pct') ?? 0;
  const seenPct = facts.have('compute_pct') === undefined ? busiestPct : busiestPct + SAME_POINTS;
  if (sm >= BUSY_PCT && sm > seenPct && !isKnown(facts, SM_PIPES)) {
    return {
      why: `the SMs are at ${sm.toFixed(0)} % of their peak, and which of their units that is was not collected`,
      facts: [...SM_PIPES, 'issue_elapsed_pct'],
    };
  }
  if (memory >= BUSY_PCT && memory > busiestPct && !isKnown(facts, MEMORY_LEVELS)) {
    return {
      why: `memory is at ${memory.toFixed(0)} % of its peak, and which of its levels that is was not collected`,
      facts: MEMORY_LEVELS,
    };
  }
  return undefined;
}

/** No unit is busy: the launch leaves the device idle, or its warps wait. */
function idleDevice(facts: FactReader, utilisationPct: number): Limit {
  const limit = { utilisationPct, atLimit: false };
  if (isLaunch(facts)) return { ...limit, limiter: 'launch' };
  if (facts.have('duration_ns') === undefined || fillsDevice(facts) === undefined) {
    const unknown = {
      why: 'no unit is busy, and whether that is the launch (its time, its blocks and the number of SMs) was not collected',
      facts: ['duration_ns', 'grid_size', 'sm_count', 'waves'] as const,
    };
    return { ...limit, limiter: 'none', unknown };
  }
  return { ...limit, limiter: 'latency' };
}

/** What makes each unit busy for nothing, and would have to be excluded before it is called done. */
function needlessWorkUnknown(limiter: Limiter, facts: FactReader): Unknown | undefined {
  const asked: readonly FactName[] =
    limiter === 'compute'
      ? ['threads_per_inst', 'flops_per_dram_byte']
      : limiter === 'dram'
        ? ['l2_hit_pct', 'dram_bytes']
        : [];
  const missing = asked.filter((name) => facts.have(name) === undefined);
  const isMemory = limiter === 'dram' || limiter === 'l2' || limiter === 'l1-shared';
  if (isMemory && !coalescingKnown(facts)) missing.push('excess_sector_pct');
  if (limiter === 'l1-shared' && !conflictsKnown(facts)) missing.push('conflict_pct');
  if (missing.length === 0) return undefined;
  return { why: 'what would show whether all of that work is needed was not collected', facts: missing };
}

interface UnitLoad {
  readonly name: Limiter;
  readonly pct: number;
}

function unitLoads(facts: FactReader): readonly UnitLoad[] {
  const loads: UnitLoad[] = [];
  const add = (name: Limiter, pct: number | undefined): void => {
    if (pct !== undefined) loads.push({ name, pct });
  };
  add('dram', facts.have('dram_pct'));
  add('l1-shared', facts.have('l1_pct'));
  add('tensor', facts.have('matrix_pct'));
  add('special-function', facts.have('special_function_pct'));
  add('compute', facts.have('compute_pct'));
  if (l2Counts(facts)) add('l2', facts.have('l2_pct'));
  // An overall figure stands for what has no counter of its own, once all that has one is known to be less busy.
  const most = Math.max(0, ...loads.map(({ pct }) => pct));
  const sm = facts.have('sm_pct') ?? 0;
  if (sm > most + SAME_POINTS && isKnown(facts, SM_PIPES)) add('compute', sm);
  const memory = facts.have('memory_pct') ?? 0;
  if (memory > Math.max(most, sm) + SAME_POINTS && isKnown(facts, MEMORY_LEVELS)) add('l2', memory);
  return loads;
}

function l2Counts(facts: FactReader): boolean {
  const pct = facts.have('l2_pct') ?? 0;
  const occupancy = facts.have('occupancy_pct') ?? 0;
  return pct >= AT_LIMIT_PCT || (pct >= L2_BUSY_PCT && occupancy >= MANY_WARPS_OCCUPANCY_PCT);
}

/** The launch leaves the device idle: too few blocks, a last wave of few, or over before it has begun. */
function isLaunch(facts: FactReader): boolean {
  if (fillsDevice(facts) === false) return true;
  if ((facts.have('duration_ns') ?? Infinity) <= SHORT_NS) return true;
  return (lostToTailPct(facts) ?? 0) >= 25;
}
