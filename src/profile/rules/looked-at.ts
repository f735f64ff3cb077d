/** Which questions the collected data can answer at all. */
import type { FactReader } from '../facts/derivation.ts';

/** With a block for nearly every SM, the grid is not what limits. */
const FEW_BLOCKS = 0.8;
/** No NVIDIA GPU has more SMs (GB202: 192), so as many blocks fill any. */
const MOST_SMS = 192;

/** Whether nearly every SM has a block; undefined where that was not collected. */
export function fillsDevice(facts: FactReader): boolean | undefined {
  const grid = facts.have('grid_size');
  const sms = facts.have('sm_count');
  if (grid !== undefined && sms !== undefined) return grid >= FEW_BLOCKS * sms;
  if (grid !== undefined && grid >= MOST_SMS) return true;
  return (facts.have('waves') ?? 0) >= 1 ? true : undefined;
}

/** A column of the section that holds the counters per source line; its rules report bad access patterns. */
const OF_SOURCE_COUNTERS = 'derived__smsp__inst_executed_op_branch_pct';

/** The details page quotes access patterns only where ncu's rules find them bad: its silence then says that they are not. */
const ncuLookedAtAccesses = ({ launch }: FactReader): boolean =>
  launch.ncuRules.length > 0 && launch.metrics.has(OF_SOURCE_COUNTERS);

export const coalescingKnown = (facts: FactReader): boolean =>
  facts.have('excess_sector_pct') !== undefined || ncuLookedAtAccesses(facts);

export const conflictsKnown = (facts: FactReader): boolean =>
  facts.have('conflict_pct') !== undefined || ncuLookedAtAccesses(facts);
