/** Every rule there is, in the order of design: verdicts, launch, access, arithmetic, waits, limits. */
import type { RuleId } from '../../model/profile/diagnosis-words.ts';
import { bankConflicts, l2Thrash, registerSpill, uncoalescedAccess } from './access.ts';
import { localArrays } from './local-arrays.ts';
import { specialFunctionBound, strayFp64, unfusedFp } from './arithmetic.ts';
import { atomicContention } from './atomic-contention.ts';
import { imbalance, launchBound, smallGrid, tailWave } from './grid.ts';
import { atLimit, computeBound, latencyBound, memoryBound } from './limits.ts';
import { legacyMma, tensorIdle } from './matrix.ts';
import { measurementBroken } from './measurement-broken.ts';
import type { Rule } from './rule.ts';
import { stallFindings } from './stalls.ts';
import { divergence, lowOccupancy, partialWarp } from './warps.ts';

export const RULES: readonly Rule[] = [
  measurementBroken,
  smallGrid,
  launchBound,
  tailWave,
  imbalance,
  partialWarp,
  lowOccupancy,
  divergence,
  uncoalescedAccess,
  bankConflicts,
  registerSpill,
  localArrays,
  atomicContention,
  l2Thrash,
  tensorIdle,
  legacyMma,
  specialFunctionBound,
  strayFp64,
  unfusedFp,
  ...stallFindings,
  memoryBound,
  computeBound,
  latencyBound,
  atLimit,
];

export function ruleById(id: RuleId): Rule {
  const rule = RULES.find((one) => one.id === id);
  if (!rule) throw new Error(`there is no rule ${id}`);
  return rule;
}
