import { join } from 'node:path';

import { defined } from '../../../model/defined.ts';
import { evidenceOf } from '../../../learn/gates/evidence-of.ts';
import type { Finding, LaunchDiagnosis } from '../../../model/profile/diagnosis.ts';
import type { Evidence } from '../../../model/learn/gate.ts';
import type { Capture, Counter, ProfileReport, ProfileSkip } from '../../../model/profile/profile-report.ts';
import { profileKernel } from '../../runs/profile.ts';
import { takenAt, workingOptions, type EvidenceContext } from './evidence-context.ts';

/** A profile of the files as they are, taken now: one of an earlier state says what is over. */
export async function profileEvidence(context: EvidenceContext): Promise<Evidence> {
  const taken = takenAt(context);
  const { kernel, case: caseName, env, profilers } = context;
  const report = await profileKernel({
    ...workingOptions(context),
    kernel,
    case: caseName,
    ...defined({ env, profilers }),
  });
  const command = `pawl profile ${kernel} --case ${caseName}`;
  if (report.head === undefined) return withoutProfile(taken, command, report);
  const { head } = report;
  const longest = longestLaunch(head);
  const [first] = longest?.findings ?? [];
  const sol = longest?.speed_of_light;
  const summary = summaryOf(head, longest);
  return evidenceOf('profile', taken, {
    facts: {
      can_profile: true,
      profiled: true,
      profiler: head.profiler.name,
      summary,
      has_diagnosis: longest !== undefined,
      limiter: longest?.limiter,
      findings: longest?.findings.length,
      top_rule: first?.rule,
      top_gain_pct: first?.expected_gain_pct,
      has_dram: sol?.dram_pct !== undefined,
      dram_share: share(sol?.dram_pct),
      has_occupancy: sol?.occupancy_pct !== undefined,
      achieved_occupancy: share(sol?.occupancy_pct),
      code_findings: report.code?.findings.length,
      device: report.device,
      device_s: report.device_s,
    },
    sources: [{ command, ...fileIn(report.folder) }],
    lines: [summary, ...(longest?.findings ?? report.code?.findings ?? []).map(findingLine)],
  });
}

function fileIn(folder: string | undefined): { readonly file?: string } {
  return folder === undefined ? {} : { file: join(folder, 'profile.json') };
}

function findingLine({ rule, diagnosis, expected_gain_pct }: Finding): string {
  return `${rule} (up to ${Math.round(expected_gain_pct)} %): ${diagnosis}`;
}

/** Nothing that anybody installs or allows gives this machine counters. */
const NEVER_HERE: readonly (ProfileSkip['reason'] | undefined)[] = ['no-counters', 'unsupported-device'];
/** What `pawl doctor` knows a remedy for. */
const MENDABLE: readonly (ProfileSkip['reason'] | undefined)[] = ['no-profiler', 'no-permission'];

/** No profile says nothing about the kernel, unless the kernel itself failed: then there is none, and why is known. */
function withoutProfile(
  taken: Date,
  command: string,
  { skipped, code, folder }: Pick<ProfileReport, 'skipped' | 'code' | 'folder'>,
): Evidence {
  const { reason, message = 'no reason is known', remedy = '' } = skipped ?? {};
  const why = `No profile could be taken: ${message}. ${remedy}`.trim();
  return evidenceOf('profile', taken, {
    facts: {
      can_profile: !NEVER_HERE.includes(reason),
      has_diagnosis: false,
      code_findings: code?.findings.length,
    },
    sources: [{ command, ...fileIn(folder) }],
    lines: [why, ...(code?.findings ?? []).map(findingLine)],
    missing: [
      {
        facts: ['profiled'],
        why,
        ...(MENDABLE.includes(reason) ? { next: 'pawl doctor' } : { next: command, needs: 'profiler' }),
      },
    ],
  });
}

function longestLaunch({ diagnosis }: Capture): LaunchDiagnosis | undefined {
  return diagnosis?.kernels.toSorted((one, other) => (other.duration_us ?? 0) - (one.duration_us ?? 0))[0];
}

function summaryOf({ counters = [], roofline }: Capture, longest: LaunchDiagnosis | undefined): string {
  if (longest !== undefined) {
    const [first] = longest.findings;
    if (first !== undefined) return `${first.rule}: ${first.diagnosis}`;
    return longest.undecided === undefined
      ? `limited by ${longest.limiter}`
      : `what limits it is not decided: ${longest.undecided.why}`;
  }
  const parts = [
    perCycle(counters),
    roofline && `${Math.round(roofline.of_ceiling_pct)} % of the ceiling (${roofline.bound})`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? `${counters.length} counters` : parts.join(', ');
}

function perCycle(counters: readonly Counter[]): string | undefined {
  const count = (name: string) => counters.find((one) => one.name === name)?.per_call;
  const [cycles, instructions] = [count('cycles'), count('instructions')];
  if (cycles === undefined || instructions === undefined || cycles === 0) return undefined;
  return `${(instructions / cycles).toFixed(2)} instructions a cycle`;
}

function share(percent: number | undefined): number | undefined {
  return percent === undefined ? undefined : percent / 100;
}
