import { defined } from '../../model/defined.ts';
import type { ProfilePage } from '../../model/profile/profile-page.ts';
import type { HotLines } from '../../model/profile/hot-lines.ts';
import type { LaunchProfile } from '../../model/profile/profile.ts';
import { compareProfiles } from '../compare-profiles.ts';
import type { KernelDiagnosis } from '../../model/profile/diagnosis.ts';
import { diagnose } from '../diagnose.ts';
import { kernelWithLines } from '../lines/findings-at-lines.ts';
import { Facts } from '../facts/facts.ts';
import type { Problem } from '../facts/problem.ts';
import { profileSide } from './profile-side.ts';
import { rooflineChart } from './roofline-chart.ts';

export interface ProfilePageOptions {
  readonly launch: LaunchProfile;
  /** The same kernel as it was. */
  readonly before?: LaunchProfile;
  readonly problem?: Problem;
  /** What the caller knows of where the profile comes from; what the profile says itself is added. */
  readonly provenance?: ProfilePage['provenance'];
  readonly problems?: readonly string[];
  readonly lines?: HotLines;
}

/** Everything that the one-pager of a launch, or of a launch before and after a change, shows. */
export function profilePage(options: ProfilePageOptions): ProfilePage {
  const { launch, before, problem = {}, provenance = [], problems = [] } = options;
  const facts = new Facts(launch, problem);
  const wasFacts = before && new Facts(before, problem);
  const roofline = rooflineChart(facts, wasFacts);
  return {
    after: profileSide(facts, lined(diagnose(launch, problem), options.lines)),
    ...(before === undefined || wasFacts === undefined
      ? {}
      : {
          before: profileSide(wasFacts, diagnose(before, problem)),
          comparison: compareProfiles(before, launch, problem),
        }),
    ...defined({ roofline, lines: options.lines }),
    provenance: [...ownProvenance(launch, facts), ...provenance],
    problems,
  };
}

function lined(diagnosis: KernelDiagnosis, lines: HotLines | undefined): KernelDiagnosis {
  return lines === undefined ? diagnosis : kernelWithLines(diagnosis, lines);
}

function ownProvenance(launch: LaunchProfile, facts: Facts): ProfilePage['provenance'] {
  const { device, computeCapability, grid, block, id } = launch;
  const [smHz, dramHz] = [facts.have('sm_clock_hz'), facts.have('dram_clock_hz')];
  const gigahertz = (hz: number | undefined): string | undefined =>
    hz === undefined ? undefined : `${(hz / 1e9).toFixed(2)} GHz`;
  const known: readonly (readonly [name: string, value: string | undefined])[] = [
    ['device', device],
    ['compute capability', computeCapability],
    ['SM clock', gigahertz(smHz)],
    ['DRAM clock', gigahertz(dramHz)],
    ['grid', grid?.join(' × ')],
    ['block', block?.join(' × ')],
    ['launch', id],
  ];
  return known.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [{ name, value }]));
}
