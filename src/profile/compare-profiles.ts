import type { ProfileComparison } from '../model/diagnosis.ts';
import type { LaunchProfile } from '../model/profile.ts';
import { diagnose } from './diagnose.ts';

/** Two profiles of one kernel: what changed. */
export function compareProfiles(before: LaunchProfile, after: LaunchProfile): ProfileComparison {
  const [was, is] = [diagnose(before), diagnose(after)];
  return {
    kernel: after.name,
    summary: 'what changed was not examined',
    ...(was.duration_us === undefined ? {} : { before_us: was.duration_us }),
    ...(is.duration_us === undefined ? {} : { after_us: is.duration_us }),
    moved: [],
    appeared: [],
    vanished: [],
    persisted: [],
  };
}
