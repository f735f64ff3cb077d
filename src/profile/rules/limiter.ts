/** What limits a kernel: the busiest unit if one is busy, else what keeps all of them waiting. */
import type { Limiter } from '../../model/diagnosis-words.ts';
import type { FactName, FactReader } from '../facts/derivation.ts';
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

/** With a block for nearly every SM, the grid is not what limits. */
const FEW_BLOCKS = 0.8;

export interface Limit {
  readonly limiter: Limiter;
  /** Of the unit that is busiest, whether or not it limits. */
  readonly utilisationPct: number;
  /** The unit can hardly do more. */
  readonly atLimit: boolean;
}

export const LIMITER_FACTS: readonly FactName[] = [
  'dram_pct',
  'l2_pct',
  'l1_pct',
  'compute_pct',
  'special_function_pct',
  'matrix_pct',
  'sm_pct',
  'memory_pct',
  'occupancy_pct',
  'sm_idle_pct',
  'grid_size',
  'sm_count',
  'waves',
  'duration_ns',
];

export function findLimit(facts: FactReader): Limit {
  const units = unitLoads(facts);
  if (units.length === 0) return { limiter: 'none', utilisationPct: 0, atLimit: false };
  const busiest = units.reduce((top, unit) => (unit.pct > top.pct ? unit : top));
  const dram = units.find(({ name }) => name === 'dram');
  // What the L2 is busy with is then mostly DRAM's traffic.
  const limiting =
    dram !== undefined &&
    dram.pct >= BUSY_PCT &&
    busiest.name === 'l2' &&
    (dram.pct >= AT_LIMIT_PCT || busiest.pct - dram.pct < 15)
      ? dram
      : busiest;
  if (limiting.pct >= BUSY_PCT) {
    return { limiter: limiting.name, utilisationPct: limiting.pct, atLimit: limiting.pct >= AT_LIMIT_PCT };
  }
  return { limiter: isLaunch(facts) ? 'launch' : 'latency', utilisationPct: limiting.pct, atLimit: false };
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
  // The overall figures stand in for units that were not collected one by one.
  const most = Math.max(0, ...loads.map(({ pct }) => pct));
  const sm = facts.have('sm_pct');
  if (sm !== undefined && sm > most + 10) add('compute', sm);
  const memory = facts.have('memory_pct');
  if (memory !== undefined && memory > Math.max(most, sm ?? 0) + 10) add('l2', memory);
  return loads;
}

function l2Counts(facts: FactReader): boolean {
  const pct = facts.have('l2_pct') ?? 0;
  const occupancy = facts.have('occupancy_pct') ?? 0;
  return pct >= AT_LIMIT_PCT || (pct >= L2_BUSY_PCT && occupancy >= MANY_WARPS_OCCUPANCY_PCT);
}

/** The launch leaves the device idle: too few blocks, a last wave of few, or over before it has begun. */
function isLaunch(facts: FactReader): boolean {
  const grid = facts.have('grid_size');
  const sms = facts.have('sm_count');
  if (grid !== undefined && sms !== undefined && grid < FEW_BLOCKS * sms) return true;
  if ((facts.have('duration_ns') ?? Infinity) <= SHORT_NS) return true;
  return (lostToTailPct(facts) ?? 0) >= 25;
}
