import type { FactName, FactReader } from '../facts/derivation.ts';

export const TAIL_FACTS: readonly FactName[] = [
  'grid_size',
  'sm_count',
  'waves',
  'sm_idle_pct',
  'occupancy_pct',
  'theoretical_occupancy_pct',
];

const lostToRounding = (rounds: number): number => 100 * (1 - rounds / Math.ceil(rounds - 1e-9));

/**
 * Percent of the device's time lost because the last wave of blocks fills it in part only. Blocks are dealt out in
 * whole waves of resident blocks; where one block alone keeps an SM busy, in whole blocks an SM. What the count of
 * blocks predicts counts only as far as the device was seen idle.
 */
export function lostToTailPct(facts: FactReader): number | undefined {
  const grid = facts.have('grid_size');
  const sms = facts.have('sm_count');
  if (grid === undefined || sms === undefined || sms <= 0 || grid <= sms) return undefined;
  const idlePct = facts.have('sm_idle_pct');
  if (idlePct === undefined) return undefined;
  const byBlocks = Math.min(lostToRounding(grid / sms), idlePct);
  const waves = facts.have('waves');
  const achieved = facts.have('occupancy_pct');
  const theoretical = facts.have('theoretical_occupancy_pct');
  if (waves === undefined || waves <= 1 || achieved === undefined || theoretical === undefined)
    return byBlocks;
  const emptySlotsPct = 100 - (100 - idlePct) * Math.min(1, achieved / theoretical);
  return Math.max(byBlocks, Math.min(lostToRounding(waves), emptySlotsPct));
}
