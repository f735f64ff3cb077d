import { defined } from '../../model/defined.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { isSameUpToVariant } from '../../model/judge/case-key.ts';
import type { CheckProfile, CheckReport } from '../../model/reports/check-report.ts';
import { caseKeySchema, type CaseComparison, type Comparison } from '../../model/judge/comparison.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Capture, ProfileReport, ProfileSkip } from '../../model/profile/profile-report.ts';
import { runGit } from '../../os/git/run-git.ts';
import { causeText, findingLineText } from '../../report/text/line-text.ts';
import type { DeviceTime } from '../../rig/cost-of-run.ts';
import { profileKernel } from '../runs/profile.ts';
import type { CheckedCase } from '../../ratchet/match-entries.ts';
import { isChange } from '../../model/judge/verdict.ts';
import type { CheckOptions, ProfileWhen } from './check-options.ts';

export interface AutoProfiles {
  readonly profiles: CheckProfile[];
  /** Why something was not profiled, each reason once. */
  readonly notProfiled: NotProfiled[];
  readonly times: readonly DeviceTime[];
}

type NotProfiled = NonNullable<CheckReport['not_profiled']>[number];

/** The largest changes are explained; a profile of everything would take longer than measuring did. */
const MOST_CASES = 4;

/** Another Pawl may have taken the device in between. */
const WAIT_S = 600;

/** Reasons that hold for every other case on the device as well. */
const LASTING: readonly ProfileSkip['reason'][] = [
  'no-profiler',
  'no-permission',
  'no-counters',
  'unsupported-device',
  'busy',
  'interrupted',
];

/** Explains the changes that a check found, on the device that measured them. It never fails a check. */
export async function autoProfile(
  comparison: Comparison,
  cases: readonly CheckedCase[],
  loaded: LoadedConfig,
  options: CheckOptions,
): Promise<AutoProfiles> {
  const profiles: CheckProfile[] = [];
  const notProfiled = new Map<string, NotProfiled>();
  const note = (reason: NotProfiled['reason'], text: string) => notProfiled.set(text, { reason, text });
  const givenUp = new Set<string>();
  const times: DeviceTime[] = [];
  for (const one of chosen(comparison, options.profile ?? 'auto')) {
    const { kernel = '' } = one;
    const device = loaded.config.kernels[kernel]?.device ?? '';
    if (givenUp.has(device) || options.signal?.aborted === true) continue;
    const name = `${kernel}/${one.case}`;
    try {
      const report = await profileOf(one, cases, loaded, options);
      if (report.device !== undefined) times.push({ device: report.device, device_s: report.device_s });
      const { skipped, head, sampled } = report;
      // Where nothing could be counted, the lines may have been sampled anyway.
      if (skipped !== undefined && sampled === undefined) {
        const isLasting = LASTING.includes(skipped.reason);
        if (isLasting) givenUp.add(device);
        note(
          skipped.reason,
          `${isLasting ? 'no profile explains the change' : `no profile of ${name}`}: ${skipped.message}. ${skipped.remedy}`,
        );
      }
      if (head !== undefined || sampled !== undefined)
        profiles.push(entryOf(one, report, await prefixOf(loaded.root)));
    } catch (error) {
      // A base that does not build, a device that is taken: the verdict stands without an explanation.
      if (!(error instanceof PawlError)) throw error;
      note('failed', `no profile of ${name}: ${error.message}`);
    }
  }
  return { profiles, notProfiled: [...notProfiled.values()], times };
}

type Estimated = Extract<CaseComparison, { state: 'estimated' }>;

function chosen({ cases }: Comparison, when: ProfileWhen): Estimated[] {
  if (when === 'never') return [];
  return cases
    .filter((one) => one.state === 'estimated')
    .filter((one) => when === 'always' || isChange(one))
    .toSorted((one, other) => Math.abs(other.change_pct) - Math.abs(one.change_pct))
    .slice(0, MOST_CASES);
}

function profileOf(
  one: Estimated,
  cases: readonly CheckedCase[],
  loaded: LoadedConfig,
  options: CheckOptions,
): Promise<ProfileReport> {
  const checked = cases.find((each) => isSameUpToVariant(each, one));
  const { commit, dirty = false } = checked?.entry?.provenance ?? { commit: options.baseCommit?.commit };
  const { gpu, signal, onProgress, now, profilers, history } = options;
  return profileKernel({
    config: loaded.path,
    kernel: one.kernel ?? '',
    case: one.case,
    ...defined({ mode: one.mode }),
    ...(commit === undefined || dirty ? {} : { base: commit }),
    ...defined({ gpu, signal, onProgress, now, profilers, history }),
    recordsCost: false,
    wait_s: Math.max(options.wait_s ?? 0, WAIT_S),
  });
}

/** Where the project lies in its repository: `kernels/`, or nothing at its top. */
async function prefixOf(root: string): Promise<string> {
  const answer = await runGit(root, ['rev-parse', '--show-prefix']);
  return answer.status === 'exited' && answer.code === 0 ? answer.stdout.trim() : '';
}

function entryOf(
  one: Estimated,
  { head, base, comparisons, summary, folder, seconds }: ProfileReport,
  prefix: string,
): CheckProfile {
  const longest = comparisons?.toSorted((some, other) => (other.after_us ?? 0) - (some.after_us ?? 0))[0];
  const cause = longest?.cause;
  // A profile is another run: where it shows the opposite of what was judged, no line is accused.
  const agrees = cause !== undefined && cause.change_us > 0 === one.change_pct < 0;
  const isOurs = agrees && !cause.file.startsWith('/');
  return {
    key: caseKeySchema.parse(one),
    change_pct: one.change_pct,
    ...defined({ summary }),
    ...(isOurs ? { at: { path: `${prefix}${cause.file}`, line: cause.line, text: causeText(cause) } } : {}),
    ...(base === undefined ? {} : { base: sideOf(base) }),
    ...(head === undefined ? {} : { head: sideOf(head) }),
    ...defined({ folder }),
    seconds,
  };
}

/** Of several launches, the longest is what the change is about. */
function sideOf({ diagnosis, roofline }: Capture): NonNullable<CheckProfile['head']> {
  const longest = diagnosis?.kernels.toSorted(
    (one, other) => (other.duration_us ?? 0) - (one.duration_us ?? 0),
  )[0];
  const finding = longest?.findings[0];
  return {
    ...defined({ limiter: longest?.limiter }),
    ...(finding === undefined
      ? {}
      : {
          finding: {
            rule: finding.rule,
            diagnosis: finding.diagnosis,
            fix: finding.fix,
            ...(finding.lines?.[0] === undefined ? {} : { at: findingLineText(finding.lines[0]) }),
          },
        }),
    ...defined({ roofline }),
  };
}
