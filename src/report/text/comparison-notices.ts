import { BASELINE_FILE } from '../../model/judge/baseline.ts';
import { caseId } from '../../model/judge/case-key.ts';
import { changeText } from '../../model/text/change-text.ts';
import type { CheckProfile, CheckReport } from '../../model/reports/check-report.ts';
import type { CaseComparison } from '../../model/judge/comparison.ts';
import { isHeldBack, type JudgeFields } from '../../model/judge/judge-change.ts';
import { loadTexts } from '../../model/device/load.ts';
import { shellWord } from '../../model/text/shell-word.ts';
import { slowdownToWaive } from '../../model/judge/slowdown.ts';
import { variantText, type Variant } from '../../model/problem/variant.ts';
import type { Sections } from './comparison-sections.ts';
import type { CaseNames } from './comparison-text.ts';
import { advanceText, counted, kernelsText, waiverText } from './comparison-text.ts';
import { plainText } from './plain-text.ts';
import { isChange } from '../../model/judge/verdict.ts';

/** Something about the comparison as a whole that a reader should know before trusting it. */
export interface Notice {
  readonly tone: 'bad' | 'warn' | 'note';
  readonly text: string;
}

/** A file with thousands of cases must not become a line of thousands of names. */
const NAMED = 6;

export function comparisonNotices(report: CheckReport, { nameOf }: CaseNames): Notice[] {
  const { comparison } = report;
  const names = (keys: readonly Parameters<typeof nameOf>[0][]): string => {
    const named = keys.slice(0, NAMED).map(nameOf).join(', ');
    return keys.length > NAMED ? `${named} and ${keys.length - NAMED} more` : named;
  };
  const notices: Notice[] = [
    ...judgeNotices(comparison),
    ...report.notes.map((note): Notice => ({ tone: 'warn', text: plainText(note) })),
  ];
  if (comparison.kernels?.matched_by === 'cases') {
    const text = `The files do not say which problem their kernels solve. The kernels are compared because their cases have the same names and dimensions: ${plainText(kernelsText(comparison.kernels))}`;
    notices.push({ tone: 'warn', text });
  }
  if (comparison.device_mismatch !== undefined) {
    const text = `different devices: ${plainText(comparison.device_mismatch)}; they may be the cause of a change`;
    notices.push({ tone: 'bad', text });
  }
  notices.push(...hostNotices(comparison.cases, names), ...preparedNotices(comparison.cases, names));
  if (comparison.missing.length > 0) {
    const count = counted(comparison.missing.length, 'case');
    notices.push({
      tone: 'warn',
      text: `${count} of the baseline not measured: ${names(comparison.missing)}`,
    });
  }
  notices.push(...loadNotices(report, names));
  const baseline = baselineNotice(report);
  if (baseline !== undefined) notices.push(baseline);
  const control = controlNotice(report, names);
  if (control !== undefined) notices.push(control);
  return notices;
}

/** More are in the document: a list of hundreds says no more than one of twenty. */
const MOST_JUDGE_CHANGES = 20;

/** What the change would have made of its own judge, and what became of that. */
function judgeNotices(fields: JudgeFields): Notice[] {
  const changes = fields.judge_changes ?? [];
  if (changes.length === 0) return [];
  const shown = changes.slice(0, MOST_JUDGE_CHANGES);
  const more = changes.length - shown.length;
  return [
    { tone: isHeldBack(fields) ? 'bad' : 'warn', text: judgeHeadline(fields) },
    ...shown.map(({ text }): Notice => ({ tone: 'warn', text: plainText(text) })),
    ...(more === 0
      ? []
      : [{ tone: 'warn', text: `and ${counted(more, 'more change', 'more changes')}` } as const]),
  ];
}

function judgeHeadline(fields: JudgeFields): string {
  const { judge_accepted } = fields;
  if (judge_accepted !== undefined) {
    const who = `${plainText(judge_accepted.by)} accepted that on ${judge_accepted.at.slice(0, 10)}`;
    return `this change alters its own judge; ${who}, and the altered judge was used`;
  }
  return isHeldBack(fields)
    ? 'this change alters its own judge: the judge of the base was used, and the result is undecided until a person accepts the change'
    : 'this change alters files around its judge; the judge of the base was used';
}

/** Cases whose two sides were measured on different hosts, by the hosts. */
function hostNotices(
  cases: readonly CaseComparison[],
  names: (keys: CheckReport['new_cases']) => string,
): Notice[] {
  const byHosts = new Map<string, CaseComparison[]>();
  for (const one of cases) {
    if (one.hosts === undefined) continue;
    const { baseline, candidate } = one.hosts;
    const where = `the baseline was measured on ${baseline}, and this on ${candidate}`;
    byHosts.set(where, [...(byHosts.get(where) ?? []), one]);
  }
  return [...byHosts].map(([where, some]) => ({
    tone: 'warn',
    text: `different hosts: ${plainText(where)}; they may be the cause of a change (${names(some)})`,
  }));
}

/** Cases whose two sides prepare different inputs, which their times do not show. */
function preparedNotices(
  cases: readonly CaseComparison[],
  names: (keys: CheckReport['new_cases']) => string,
): Notice[] {
  const byInputs = new Map<string, CaseComparison[]>();
  for (const one of cases) {
    if (one.prepared === undefined) continue;
    const { baseline, candidate } = one.prepared;
    const what = `the baseline prepares ${inputsText(baseline)} outside its times, this prepares ${inputsText(candidate)}`;
    byInputs.set(what, [...(byInputs.get(what) ?? []), one]);
  }
  return [...byInputs].map(([what, some]) => ({ tone: 'warn', text: `${plainText(what)} (${names(some)})` }));
}

function inputsText(inputs: readonly string[]): string {
  return inputs.length === 0 ? 'nothing' : inputs.join(', ');
}

/** Entries that were measured while other work ran, by what became of them. */
function loadNotices(
  { loaded = [] }: CheckReport,
  names: (keys: CheckReport['new_cases']) => string,
): Notice[] {
  return [false, true].flatMap((kept): Notice[] => {
    const some = loaded.filter((one) => one.kept === kept);
    const [first] = some;
    if (first === undefined) return [];
    const why = loadTexts(first.load).join('; ');
    const which = `${names(some.map(({ key }) => key))} (${why})`;
    return [
      kept
        ? { tone: 'warn', text: `written although other work ran at the same time: ${which}` }
        : {
            tone: 'bad',
            text: `not written into the baseline, because other work ran at the same time: ${which}`,
          },
    ];
  });
}

/** Whether there is a baseline at all, and what became of it. */
function baselineNotice({ baseline, advanced, new_cases }: CheckReport): Notice | undefined {
  if (baseline === undefined) return undefined;
  const path = plainText(baseline.path);
  if (baseline.state === 'absent') return { tone: 'warn', text: `There is no baseline at ${path} yet` };
  if (baseline.state !== 'written') return undefined;
  const what = [
    ...(new_cases.length === 0 ? [] : [counted(new_cases.length, 'first entry', 'first entries')]),
    ...(advanced.length === 0 ? [] : [`${counted(advanced.length, 'entry', 'entries')} moved forward`]),
  ];
  return { tone: 'note', text: `wrote ${path}: ${what.join(', ')}` };
}

/** The base against itself: what it says about the device, not about the change. */
export function controlNotice(
  { control }: { readonly control?: CheckReport['control'] },
  names: (keys: CheckReport['new_cases']) => string,
): Notice | undefined {
  if (control === undefined || control.cases.length === 0) return undefined;
  const differed = control.cases.filter(isChange);
  if (differed.length > 0) {
    const text = `A/A control: the same binary differed from itself in ${names(differed)}: the device was not steady`;
    return { tone: 'bad', text };
  }
  const changes = control.cases.flatMap((one) => (one.state === 'estimated' ? [one.change_pct] : []));
  if (changes.length === 0) return undefined;
  const largest = changes.reduce((most, one) => (Math.abs(one) > Math.abs(most) ? one : most));
  const text = `A/A control: the same binary differs from itself by ${changeText({ change_pct: largest })} at most`;
  return { tone: 'note', text };
}

/** What stands behind the reason of a case: a waiver, an advanced baseline, what a profile says of it. */
export function ratchetNotes(report: CheckReport, sections: Sections): (one: CaseComparison) => string[] {
  const waivers = new Map(report.waived.map(({ key, waiver }) => [caseId(key), waiver]));
  const advances = new Map(report.advanced.map((one) => [caseId(one.key), one]));
  const profiles = new Map((report.profiles ?? []).map((profile) => [caseId(profile.key), profile]));
  return (one) => {
    const profile = profiles.get(caseId(one));
    const waiver = sections.waived.includes(one) ? waivers.get(caseId(one)) : undefined;
    const advance = sections.advanced.includes(one) ? advances.get(caseId(one)) : undefined;
    return [
      ...(waiver === undefined ? [] : [waiverText(waiver)]),
      ...(advance === undefined ? [] : [advanceText(advance)]),
      ...(profile === undefined ? [] : profileNotes(profile)),
    ];
  };
}

/** The sentence of the comparison, then the first finding of each side. */
function profileNotes({ summary, base, head }: CheckProfile): string[] {
  const finding = (word: string, side: CheckProfile['head'], withFix: boolean): string[] => {
    if (side?.finding === undefined) return [];
    const { rule, diagnosis, fix, at: line } = side.finding;
    const where = line === undefined ? '' : ` At ${line}.`;
    return [plainText(`${word}: ${rule}: ${diagnosis}${where}${withFix ? ` → ${fix}` : ''}`)];
  };
  const advice = head?.roofline?.advice;
  return [
    ...(summary === undefined ? [] : [plainText(`profile: ${summary}`)]),
    ...finding('now', head, true),
    ...finding('before', base, false),
    ...(advice === undefined ? [] : [plainText(advice)]),
  ];
}

/** A clock change is "maintained" for a reason that a reader wants to see. */
export function isClockChange(one: CaseComparison): boolean {
  return one.state === 'estimated' && one.cycles?.clock_change === true;
}

/** A command that takes the reader on, and why. */
export interface NextStep {
  readonly why: string;
  readonly command: string;
}

/** Beyond this, quieting the machine costs less than measuring on. */
const MOST_PROCESSES = 60;
/** A gain from which on it may be claimed. */
const CLAIM_PCT = 10;

/**
 * `isHere`: the reader is on the machine that wrote the report, in a terminal, and finds it by its path. Who reads a
 * comment or a page elsewhere finds it by its name.
 */
export function nextSteps(report: CheckReport, sections: Sections, isHere = false): NextStep[] {
  const steps: NextStep[] = [];
  const again = `pawl compare ${sidesOf(report)}`;
  const [worst, ...others] = sections.regressed;
  if (worst !== undefined) {
    steps.push(
      isMeasuredSideBySide(report)
        ? { why: 'see what the slower one does differently', command: profileCommand(worst, report) }
        : {
            why: `measure both ${report.comparison.kernels === undefined ? 'commits' : 'kernels'} side by side`,
            command: again,
          },
    );
    if (report.baseline !== undefined) {
      const which = others.length === 0 ? (caseWord(worst) ?? ANY_CASE) : ANY_CASE;
      // One size for several cases would waive more of most than was measured.
      const isOne = others.length === 0 && worst.state === 'estimated';
      const size = isOne ? slowdownToWaive(worst) : 'PCT';
      const command = `pawl ratchet waive ${which} --slower ${size} --reason '…' --expires YYYY-MM-DD`;
      steps.push({ why: 'accept the slowdown on purpose', command });
    }
  }
  steps.push(...baselineSteps(report));
  if (isHeldBack(report.comparison)) {
    const command = `${report.baseline === undefined ? again : 'pawl check'} --accept-judge-change`;
    steps.push({ why: 'accept the altered judge, after reading what changed', command });
  }
  const needed = sections.undecided.map((one) =>
    one.state === 'estimated' && one.needs !== undefined
      ? Math.max(...one.processes) + one.needs.processes
      : 0,
  );
  const most = Math.max(0, ...needed);
  if (most > MOST_PROCESSES) {
    steps.push({ why: 'find out why the processes differ so much', command: 'pawl doctor' });
  } else if (most > 0) {
    steps.push({ why: 'decide the undecided cases', command: `${again} --processes ${most}` });
  }
  const isClaim = [...sections.improved, ...sections.advanced].some(
    (one) => one.state === 'estimated' && one.change_pct >= CLAIM_PCT && one.ci_pct[0] > 0,
  );
  // A claim is about a change, and a reference is not what was there before.
  if (isClaim && report.comparison.kernels === undefined) {
    steps.push({ why: 'check the claim in a pull request', command: claimCommand(report, again, isHere) });
  }
  return steps;
}

function claimCommand({ files, baseline }: CheckReport, again: string, isHere: boolean): string {
  const written = files['report'];
  const file = (isHere ? written : written?.split('/').at(-1)) ?? '';
  const path = isPlainWord(file) ? file : 'report.json';
  const measure = baseline === undefined ? again : 'pawl check';
  // Nothing was written that it could be held against.
  const first = isHere && written === undefined ? `${measure} --json > ${path}; ` : '';
  return `${first}pawl claim PR.md --comparison ${path}`;
}

/** `pawl compare` of two commits or variants, which has just done it; two files cost no measuring. */
function isMeasuredSideBySide({ baseline, cost }: CheckReport): boolean {
  return baseline === undefined && cost !== undefined;
}

const ANY_CASE = 'KERNEL/CASE';

function caseWord({ kernel, case: name }: CaseComparison): string | undefined {
  const word = `${kernel ?? ''}/${name}`;
  return kernel !== undefined && isPlainWord(word) ? word : undefined;
}

function profileCommand(
  one: CaseComparison,
  { base_commit, commit, dirty, comparison }: CheckReport,
): string {
  const [kernel, name] = caseWord(one) === undefined ? ['KERNEL', 'CASE'] : [one.kernel, one.case];
  const isOneState = comparison.kernels !== undefined || (base_commit === commit && dirty !== true);
  const base = isOneState ? '' : ` --base ${revision(base_commit, 'main')}`;
  return `pawl profile ${kernel} --case ${name}${base}`;
}

/** Writing a baseline is half of it: a check elsewhere knows only what is committed. */
function baselineSteps({ baseline, loaded = [] }: CheckReport): NextStep[] {
  const isUnwritten = loaded.some(({ kept }) => !kept);
  if (isUnwritten) {
    const command = 'pawl check --update --accept-load';
    return [{ why: 'measure again when the machine is idle, or write it anyway', command }];
  }
  if (baseline?.state === 'absent')
    return [{ why: 'write the first baseline', command: 'pawl check --update' }];
  if (baseline?.state !== 'written') return [];
  const file = isPlainWord(baseline.path) ? baseline.path : BASELINE_FILE;
  const command = `git add ${file} && git commit -m 'perf: ratchet baseline forward'`;
  return [{ why: 'commit the baseline, so that later checks use it', command }];
}

/** A commit as an argument. Anything that a shell could read as more than a word is not shown as a command. */
function revision(commit: string | undefined, otherwise: string): string {
  return commit !== undefined && isPlainWord(commit) ? commit.slice(0, 40) : otherwise;
}

function isPlainWord(text: string): boolean {
  return /^[\w./][\w./-]*$/u.test(text);
}

/** The flags that name both sides again. */
function sidesOf({ base_commit, commit, dirty, variants, comparison }: CheckReport): string {
  if (comparison.kernels !== undefined) {
    const { candidate, baseline } = comparison.kernels;
    return `--kernels ${shellWord(plainText(`${candidate},${baseline}`))}`;
  }
  if (variants === undefined) {
    // What no commit holds is measured as it is in the work tree, which is where `compare` looks without --head.
    const head = dirty === true ? '' : ` --head ${revision(commit, 'HEAD')}`;
    return `--base ${revision(base_commit, 'main')}${head}`;
  }
  const kernel = comparison.cases.find((one) => one.kernel !== undefined)?.kernel ?? 'KERNEL';
  const flag = (name: string, variant: Variant): string =>
    Object.keys(variant).length === 0 ? '' : ` --${name} ${shellWord(plainText(variantText(variant)))}`;
  return `--kernel ${shellWord(plainText(kernel))}${flag('a', variants.base)}${flag('b', variants.head)}`;
}
