import type { KernelDiagnosis } from '../model/diagnosis.ts';
import type { LaunchProfile } from '../model/profile.ts';

const NS_PER_US = 1000;

/** What limits one launch. */
export function diagnose(launch: LaunchProfile): KernelDiagnosis {
  const duration = launch.metrics.get('gpu__time_duration.sum');
  return {
    name: launch.name,
    ...(duration === undefined ? {} : { duration_us: duration.value / NS_PER_US }),
    limiter: 'none',
    findings: [],
    not_collected: [],
  };
}
