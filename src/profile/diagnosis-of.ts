import { defined } from '../model/defined.ts';
import type { Diagnosis, LaunchDiagnosis, ProfileComparison } from '../model/profile/diagnosis.ts';
import { DIAGNOSIS_SCHEMA } from '../model/profile/diagnosis-words.ts';
import type { LaunchProfile, Profile } from '../model/profile/profile.ts';
import { diagnose } from './diagnose.ts';
import { Facts } from './facts/facts.ts';
import type { Problem } from './facts/problem.ts';
import { signalsOf } from './signals-of.ts';
import { speedOfLight } from './speed-of-light.ts';

/** The diagnosis of a profile, with what is known of its work beside. */
export function diagnosisOf(
  { launches, problems }: Pick<Profile, 'launches' | 'problems'>,
  {
    comparisons,
    problem = {},
  }: { readonly comparisons?: ProfileComparison[] | undefined; readonly problem?: Problem } = {},
): Diagnosis {
  return {
    schema: DIAGNOSIS_SCHEMA,
    kernels: launches.map((launch) => describe(launch, problem)),
    ...defined({ comparisons }),
    ...(problems.length === 0 ? {} : { problems: [...problems] }),
  };
}

function describe(launch: LaunchProfile, problem: Problem): LaunchDiagnosis {
  const { id, grid, block, device, computeCapability, ncuRules } = launch;
  return {
    ...diagnose(launch, problem),
    ...defined({ id }),
    ...(grid === undefined ? {} : { grid: [...grid] }),
    ...(block === undefined ? {} : { block: [...block] }),
    ...defined({ device, compute_capability: computeCapability }),
    speed_of_light: speedOfLight(launch),
    signals: signalsOf(new Facts(launch, problem)),
    ...(ncuRules.length === 0 ? {} : { ncu_rules: ncuRules.map(ncuRule) }),
  };
}

function ncuRule({ speedupPct, ...rule }: LaunchProfile['ncuRules'][number]) {
  return { ...rule, ...defined({ speedup_pct: speedupPct }) };
}
