import { join, resolve } from 'node:path';

import { defined } from '../model/defined.ts';
import { makeFolder } from '../os/make-folder.ts';
import type { KernelPlan } from '../config/plan-kernel.ts';
import { loadConfig } from '../config/load-config.ts';
import { underJudge } from '../config/under-judge.ts';
import { changedFiles, gitState } from '../device/environment.ts';
import { listGpus } from '../device/gpus.ts';
import { cpuModel } from '../device/host.ts';
import { atBest, holdBack } from '../judge/hold-back.ts';
import { BASELINE_FILE, type Baseline } from '../model/judge/baseline.ts';
import { caseLabel, isSameCase } from '../model/judge/case-key.ts';
import { CHECK_SCHEMA, type CheckReport } from '../model/reports/check-report.ts';
import type { CaseComparison, CaseKey, Comparison } from '../model/judge/comparison.ts';
import { isHeldBack } from '../model/judge/judge-change.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Samples } from '../model/measure/samples.ts';
import type { MeasuredSlowdown } from '../model/judge/slowdown.ts';
import { worstVerdict } from '../model/judge/verdict.ts';
import { entryKey } from '../ratchet/entry-key.ts';
import { findEntry } from '../ratchet/find-entry.ts';
import { acceptJudge } from '../ratchet/operations.ts';
import { vanishedEntries } from '../ratchet/vanished-entries.ts';
import { waiverFor } from '../ratchet/waivers.ts';
import { benchSettings } from '../rig/bench-settings.ts';
import { selectKernels } from '../rig/select-kernels.ts';
import { autoProfile } from './check/auto-profile.ts';
import type { CheckOptions } from './check/check-options.ts';
import { CheckRun } from './check/check-run.ts';
import { knownBaseline, writeProposal } from './check/known-baseline.ts';
import { matchEntries, type CheckedCase } from '../ratchet/match-entries.ts';
import { withCases } from '../judge/merge-comparisons.ts';
import { withRulingByBaseline, type KnownProject, type NotedRuling } from './check/ruling-by-baseline.ts';
import { measurementsOf, updateRatchet } from '../ratchet/update-ratchet.ts';
import { carryLevels } from '../ratchet/carry-levels.ts';
import { SideJournals } from '../rig/side-journals.ts';
import { addTimes, recordCost } from '../rig/cost-of-run.ts';
import { recordRun } from '../history/store/record-run.ts';
import { changeBaseline } from '../ratchet/baseline-file.ts';
import { comparisonRun } from '../history/stored-runs.ts';
import { provenance, writeComparison } from './runs/compare/write-comparison.ts';
import { runContext } from '../os/run-context.ts';

/** What `check` decided, and the samples behind it. */
export interface CheckOutcome {
  readonly report: CheckReport;
  readonly samples: { readonly base: Samples; readonly control?: Samples; readonly head: Samples };
}

/**
 * Measures the files as they are against the baseline, and returns a verdict: what CI runs. A regression or an
 * improvement is measured a second time before it counts. With `update`, first entries and confirmed improvements are
 * written into the baseline.
 *
 * @throws {PawlError} of kind `configuration` if pawl.yaml is missing or wrong; `usage` if there is no such kernel, or
 * `update` meets uncommitted changes; `bad-data` if the baseline was edited by hand; `unavailable` if there is no
 * device for the kernels; `try-again` if the device is in use
 * @example
 * ```ts
 * import { check } from 'pawl';
 *
 * const { report } = await check({ out: 'pawl-report' });
 * console.log(report.verdict, report.files['markdown']);
 * if (report.verdict === 'regressed' || report.verdict === 'incorrect') process.exitCode = 1;
 * ```
 */
export async function check(options: CheckOptions = {}): Promise<CheckOutcome> {
  const project = await loadConfig(options.config);
  const path = resolve(options.baseline ?? join(project.root, BASELINE_FILE));
  const { baseline, isThere } = await knownBaseline(path, options);
  const git = await gitState(project.root);
  if (options.update === true && git?.dirty === true) throw uncommitted(await changedFiles(project.root));
  const known = { project, path, baseline, isThere, git };
  if (options.ruling !== undefined) return checkUnder(options.ruling, known, options);
  return withRulingByBaseline(known, options, (ruling) => checkUnder(ruling, known, options));
}

async function checkUnder(
  ruling: NotedRuling,
  { project, path, baseline, isThere, git }: KnownProject,
  options: CheckOptions,
): Promise<CheckOutcome> {
  const { now } = runContext(options);
  const started = now();
  const loaded = underJudge(project, ruling.judge);
  const { modes } = benchSettings(loaded.config.measure, options);
  const deviceName = await deviceNames(options.gpu ?? 0);
  const selected = selectKernels(loaded, options);
  const plans = selected.filter((plan) => deviceName(plan) !== undefined);
  if (plans.length === 0) throw noDevice(selected);
  // A folder that cannot be is found out now, and not after all the measuring.
  if (options.out !== undefined) await makeFolder(resolve(options.out));
  const cases = matchEntries(plans, modes, baseline, deviceName);
  const { baseCommit } = options;
  const isKnown = ({ entry, kernel, case: name }: CheckedCase): boolean =>
    entry !== undefined || baseCommit?.has(kernel, name) === true;
  const journals = new SideJournals();
  const run = new CheckRun(loaded, ruling, { ...options, journals });
  if (ruling.note !== undefined) run.notes.push(ruling.note);
  for (const plan of selected) {
    if (!plans.includes(plan)) run.notes.push(`${plan.name} is left out: this machine has no GPU`);
  }
  if (options.update === true && git === undefined) run.notes.push(NO_COMMIT);
  await run.againstCommits(cases.filter(isKnown));
  await run.unknown(cases.filter((each) => !isKnown(each)));
  const { control, gains, first, ...measured } = run.result();
  let comparison = holdBack(measured.comparison, ruling);
  const samples = carryLevels(measured.samples, comparison, cases);

  const renewed = otherClasses(comparison, samples.head, baseline);
  run.notes.push(...renewed.map(({ message }) => `${message}: a new entry is started`));
  const time = now();
  const waived = waivers(comparison, samples.head, options.waiversOf ?? baseline, time);
  run.notes.push(...outgrown(comparison, samples.head, options.waiversOf ?? baseline, time));
  const open = comparison.cases.filter((one) => !waived.some(({ key }) => isSameCase(key, one)));
  const target = options.proposeTo ?? path;
  const proposed = options.proposeTo === undefined ? {} : { root: loaded.root, signed: false };
  if (options.update === true) {
    await options.beforeUpdate?.();
    if (options.proposeTo !== undefined && isThere) await writeProposal(options.proposeTo, baseline);
  }
  const isHeld = isHeldBack(ruling);
  if (options.update === true && isHeld) run.notes.push(NOT_MOVED);
  if (options.update === true && ruling.judge_accepted !== undefined) {
    await changeBaseline(
      { baseline: target, ...proposed, now, author: ruling.judge_accepted.by },
      (before, audit) =>
        acceptJudge(
          before,
          ruling.judge_changes.map(({ text }) => text),
          audit,
        ),
    );
  }
  const moved =
    options.update === true && !isHeld
      ? // What has no oracle cannot be checked; what was not checked on purpose cannot be a baseline.
        await updateRatchet(gains, [...first, ...renewed.map((one) => one.samples)], {
          baseline: target,
          ...proposed,
          allowUnchecked: options.check !== false,
          acceptLoad: options.acceptLoad,
          now,
        })
      : { advanced: [], newCases: comparison.cases.filter(({ verdict }) => verdict === 'new'), loaded: [] };
  if (options.update === true && !isHeld) comparison = withFirstEntries(comparison, moved.newCases);
  const isWritten =
    options.update === true &&
    !isHeld &&
    (moved.advanced.length + moved.newCases.length > 0 || ruling.judge_accepted !== undefined);
  const explained = await autoProfile(comparison, cases, loaded, options);
  const cost = await recordCost(
    loaded,
    {
      what: 'check',
      kernels: plans.map(({ name }) => name),
      times: addTimes([...run.times, ...explained.times]),
      wall_s: (now().getTime() - started.getTime()) / 1000,
      commit: git?.commit,
    },
    options,
  );
  const vanished = vanishedEntries(baseline, {
    plans: selected,
    modes,
    devices: [deviceName({ device: 'cpu' }), deviceName({ device: 'cuda' })],
    only: options.only,
    cases: options.cases,
  });
  run.notes.push(...vanished.map(({ text }) => text));
  const isLost = ruling.judge_accepted === undefined && vanished.some(({ isAccepted }) => !isAccepted);
  if (isLost) run.notes.push(LOST);
  // What was asked for is not done: the entries are to be measured again.
  const isUnwritten = moved.loaded.some(({ kept }) => !kept);
  const verdict = atBest(open.length === 0 ? 'maintained' : worstVerdict(open), ruling);
  const report: CheckReport = {
    schema: CHECK_SCHEMA,
    // What is not measured may have become any slower.
    verdict: isLost || isUnwritten ? worstVerdict([{ verdict }, { verdict: 'undecided' }]) : verdict,
    comparison: { ...comparison, missing: vanished.map(({ key }) => key) },
    ...defined({ control }),
    waived,
    advanced: moved.advanced,
    new_cases: moved.newCases,
    ...(moved.loaded.length === 0 ? {} : { loaded: moved.loaded }),
    baseline: { path: isWritten ? target : path, state: isWritten ? 'written' : isThere ? 'read' : 'absent' },
    ...(explained.profiles.length === 0 ? {} : { profiles: explained.profiles }),
    ...(explained.notProfiled.length === 0 ? {} : { not_profiled: explained.notProfiled }),
    notes: [...run.notes, ...explained.notProfiled.map(({ text }) => text)],
    ...provenance(samples),
    cost,
    files: {},
  };
  const written = await writeComparison(report, samples, options.out);
  await journals.finish();
  await recordRun(comparisonRun(written, samples, started), options);
  return { report: written, samples };
}

/** What a kernel would run on; undefined where there is no such device. */
async function deviceNames(index: number): Promise<(plan: Pick<KernelPlan, 'device'>) => string | undefined> {
  const [cpu, list] = await Promise.all([cpuModel(), listGpus()]);
  const gpu = list.status === 'found' ? list.gpus.find(({ info }) => info.index === index) : undefined;
  return ({ device }) => (device === 'cuda' ? gpu?.info.name : (cpu ?? 'unknown CPU'));
}

/** Cases that kept their speed on a device class or with a toolchain that the baseline has no entry for. */
function otherClasses(
  comparison: Comparison,
  head: Samples,
  baseline: Baseline,
): { readonly message: string; readonly samples: Samples }[] {
  const kept = comparison.cases.filter(({ verdict }) => verdict === 'maintained' || verdict === 'improved');
  return kept.flatMap((one) => {
    const [measurement] = measurementsOf(head, one);
    const found = measurement && findEntry(baseline, entryKey(measurement, head));
    if (found === undefined || found.state === 'found' || found.state === 'new') return [];
    return [{ message: found.message, samples: { ...head, measurements: [measurement!] } }];
  });
}

function waivers(
  comparison: Comparison,
  head: Samples,
  baseline: Baseline,
  now: Date,
): CheckReport['waived'] {
  return comparison.cases.flatMap((one) => {
    if (one.verdict !== 'regressed') return [];
    const [measurement] = measurementsOf(head, one);
    if (measurement === undefined) return [];
    const waiver = waiverFor(baseline, entryKey(measurement, head), now, estimateOf(one));
    if (waiver === undefined) return [];
    const { reason, author, expires, slower_pct } = waiver;
    return [{ key: one, waiver: { reason, author, expires, ...defined({ slower_pct }) } }];
  });
}

/** Regressions that a waiver was given for, and that have grown beyond it since. */
function outgrown(comparison: Comparison, head: Samples, baseline: Baseline, now: Date): string[] {
  return comparison.cases.flatMap((one) => {
    if (one.verdict !== 'regressed') return [];
    const [measurement] = measurementsOf(head, one);
    if (measurement === undefined) return [];
    const key = entryKey(measurement, head);
    if (waiverFor(baseline, key, now, estimateOf(one)) !== undefined) return [];
    const waiver = waiverFor(baseline, key, now);
    if (waiver === undefined) return [];
    return [
      `${caseLabel(one)}: record ${waiver.n} waives a slowdown of up to ${waiver.slower_pct} %, but this one is larger`,
    ];
  });
}

function estimateOf(one: CaseComparison): MeasuredSlowdown | undefined {
  return one.state === 'estimated' ? one : undefined;
}

const NOT_MOVED =
  'the baseline was not changed: the working tree alters its own judge, and a person must accept that first (--accept-judge-change)';

const LOST =
  "restore what the baseline has, or remove it on purpose: pawl ratchet reset KERNEL/CASE --reason '…'";

const NO_COMMIT =
  'this is not a git repository with a commit: entries are written without a commit, and later checks can only compare with their stored series; run git init and commit first, then write the baseline again';

/** What had no entry when it was compared has one now. */
function withFirstEntries(comparison: Comparison, newCases: readonly CaseKey[]): Comparison {
  const reason = 'the baseline did not have this case: this is its first entry.';
  return withCases(
    comparison,
    comparison.cases.map((one) =>
      one.verdict === 'new' && newCases.some((key) => isSameCase(key, one)) ? { ...one, reason } : one,
    ),
  );
}

const NAMED_FILES = 3;

function uncommitted(files: readonly string[]): PawlError {
  const more = files.length > NAMED_FILES ? ` and ${files.length - NAMED_FILES} more` : '';
  const named = files.length === 0 ? '' : `: ${files.slice(0, NAMED_FILES).join(', ')}${more}`;
  return new PawlError(
    'usage',
    `The baseline is updated only at a commit, and there are uncommitted changes${named}.`,
    'Commit them first (or add them to .gitignore), or check without --update.',
  );
}

function noDevice(plans: readonly KernelPlan[]): PawlError {
  const names = plans.map(({ name }) => name).join(', ');
  return new PawlError(
    'unavailable',
    `None of ${names} can be measured: this machine has no GPU.`,
    'Check on a machine with an NVIDIA GPU, or choose kernels with --only.',
  );
}
