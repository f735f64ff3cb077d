import type { FactReader } from '../../profile/facts/derivation.ts';
import type { GateRejection, GateSettings } from './gate.ts';

/**
 * What the seeds' rules of thumb guessed from the source, read off counters instead. Only a variant that was profiled
 * can be rejected here, and only by counters that its profile has.
 */
export function profileGate(
  facts: Pick<FactReader, 'have'>,
  settings: GateSettings,
): GateRejection | undefined {
  const conflicts = facts.have('conflict_pct');
  const most = settings.bank_conflicts;
  if (typeof most === 'number' && conflicts !== undefined && conflicts > most) {
    return {
      gate: 'run',
      reason: 'bank_conflicts',
      message: `${conflicts.toFixed(1)} % of the wavefronts of shared memory are conflicts; up to ${most} % pass`,
    };
  }
  const waste = facts.have('excess_sector_pct');
  const mostWaste = settings.bad_coalescing;
  if (typeof mostWaste === 'number' && waste !== undefined && waste > mostWaste) {
    return {
      gate: 'run',
      reason: 'bad_coalescing',
      message: `${waste.toFixed(1)} % of the sectors of global memory are moved for nothing; up to ${mostWaste} % pass`,
    };
  }
  return undefined;
}
