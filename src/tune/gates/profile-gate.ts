import type { ProfileWarning } from '../../model/tune/study-report.ts';
import type { FactReader } from '../../profile/facts/derivation.ts';
import type { GateSettings } from './gate.ts';

/**
 * What the seeds' rules of thumb guessed from the source, read off counters instead. Only what the profile has can
 * warn. It rejects nothing: a profiled candidate was measured to be faster, and a counter does not judge time better.
 */
export function profileGate(facts: Pick<FactReader, 'have'>, settings: GateSettings): ProfileWarning[] {
  const warnings: ProfileWarning[] = [];
  const conflicts = facts.have('conflict_pct');
  const most = settings.bank_conflicts;
  if (typeof most === 'number' && conflicts !== undefined && conflicts > most) {
    warnings.push({
      gate: 'bank_conflicts',
      message: `${conflicts.toFixed(1)} % of the shared-memory wavefronts are conflicts; up to ${most} % pass`,
    });
  }
  const waste = facts.have('excess_sector_pct');
  const mostWaste = settings.bad_coalescing;
  if (typeof mostWaste === 'number' && waste !== undefined && waste > mostWaste) {
    warnings.push({
      gate: 'bad_coalescing',
      message: `${waste.toFixed(1)} % of the global-memory sectors are wasted; up to ${mostWaste} % pass`,
    });
  }
  return warnings;
}
