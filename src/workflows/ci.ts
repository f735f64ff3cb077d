/** `pawl ci`: everything a pull request or a push is put through, and one document of the outcome. */
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { defined } from '../model/defined.ts';
import { writeDurably } from '../os/write-durably.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { BASELINE_FILE } from '../model/judge/baseline.ts';
import { caseThresholds } from '../model/judge/case-thresholds.ts';
import { CI_SCHEMA, conclusionOf, type CiPolicy, type CiRun } from '../model/reports/ci-run.ts';
import { fileFailure } from '../model/file-failure.ts';
import { omit } from '../model/omit.ts';
import { PawlError } from '../model/pawl-error.ts';
import { PAWL_VERSION } from '../model/version.ts';
import { counted } from '../report/text/comparison-text.ts';
import { buildKernels } from './runs/build-kernels.ts';
import { check } from './check.ts';
import type { CheckOptions } from './check/check-options.ts';
import { policyOf, rulesOfBase, type BaseRules, type Findings } from './ci/base-rules.ts';
import { mergeBase, withBaseSide } from './ci/base-side.ts';
import { endCheckSteps, endDoctorStep } from './ci/check-steps.ts';
import { collectProfiles, evidenceText, makeOut } from './ci/collect-evidence.ts';
import { StepLog } from './ci/step-log.ts';
import { runDoctor } from './runs/doctor.ts';
import { checkSeal, sealGit, type GitSeal } from '../os/git/git-seal.ts';
import { tryProject } from '../config/try-project.ts';
import { runContext } from '../os/run-context.ts';

export interface CiOptions extends Omit<
  CheckOptions,
  'out' | 'ruling' | 'baselineText' | 'waiversOf' | 'baseCommit' | 'profile' | 'proposeTo' | 'beforeUpdate'
> {
  /** Where everything is written: ci.json, the report, pictures, samples, profiles. */
  readonly out: string;
  /** What the change is to be merged into; its rules are where the two parted. Absent: the project's own rules. */
  readonly base?: string;
  /** The change's own last commit, by which a trial merge is known. */
  readonly head?: string;
  /** The code comes from this repository. Default true. */
  readonly trusted?: boolean;
  readonly undecided?: CiPolicy['undecided'];
  readonly profile?: CiPolicy['profile'];
  /** Write the moved baseline into `out`, unsigned, and leave the project's own file alone. */
  readonly propose?: boolean;
  /** Why the baseline stays as it is, where it is not to be updated. */
  readonly whyNotUpdate?: string;
}

export interface CiOutcome {
  readonly run: CiRun;
  /** A bug: the run reports it, and the caller prints its stack. */
  readonly bug?: unknown;
}

/** Never throws: a run that could not be made is a run with that outcome. */
export async function runCi(options: CiOptions): Promise<CiOutcome> {
  const { now } = runContext(options);
  const started_at = now().toISOString();
  const log = new StepLog(now);
  const found: Findings = { judge_changes: [] };
  let bug: unknown;
  try {
    await makeOut(options.out);
    // One of an earlier run would be built upon.
    await rm(proposalOf(options), { force: true });
    await judge(options, log, found);
  } catch (error) {
    log.endPhase();
    const failure = failureOf(error);
    if (failure.kind === 'internal' && !(error instanceof PawlError)) bug = error;
    found.failure = failure;
    // A proposal of a run that is not believed must not lie where the next job looks for one.
    if (options.propose === true) await rm(proposalOf(options), { force: true });
    if (log.current !== undefined) log.end(log.current, 'failed', failure.message.split('\n', 1)[0] ?? '');
  }
  await closeSteps(options, log, found);
  const verdict = found.failure === undefined ? (found.check?.verdict ?? 'failed') : 'failed';
  const run: CiRun = {
    schema: CI_SCHEMA,
    verdict,
    conclusion: conclusionOf(verdict, options.undecided ?? 'pass'),
    steps: log.steps(),
    ...defined({ policy: found.policy, check: found.check, failure: found.failure }),
    judge_changes: found.judge_changes,
    ...defined({ judge_accepted: found.judge_accepted }),
    ...(log.waits.length === 0 ? {} : { waits: [...log.waits] }),
    started_at,
    pawl_version: PAWL_VERSION,
  };
  await writeDurably(join(options.out, 'ci.json'), `${JSON.stringify(run, undefined, 2)}\n`);
  return bug === undefined ? { run } : { run, bug };
}

function proposalOf({ out }: CiOptions): string {
  return join(resolve(out), BASELINE_FILE);
}

async function judge(options: CiOptions, log: StepLog, found: Findings): Promise<void> {
  const { signal } = runContext(options);
  let seal: GitSeal | undefined;
  const loaded = await log.time('doctor', async () => {
    const project = await tryProject(options.config);
    if (project !== undefined && !(project instanceof PawlError)) seal = await sealGit(project.root);
    endDoctorStep(log, await runDoctor({ loaded: project, signal }));
    return project;
  });
  if (loaded === undefined) {
    throw new PawlError(
      'configuration',
      'There is no pawl.yaml here.',
      'Give it with --config, or write one with `pawl init`.',
    );
  }
  if (loaded instanceof PawlError) throw loaded;
  const baseline = resolve(options.baseline ?? join(loaded.root, BASELINE_FILE));
  if (options.base === undefined) {
    found.policy = policyOf(options, loaded, 'head');
    // A baseline that somebody named has to be there; the check finds the project's own by itself.
    await buildAndCheck({ ...options, signal }, {}, loaded, log, found, seal);
    return;
  }
  const commit = await mergeBase(loaded.root, {
    base: options.base,
    signal,
    ...defined({ head: options.head }),
  });
  await withBaseSide(loaded, { commit, baseline, signal }, async (base) => {
    const rules = await rulesOfBase(base, loaded, { ...options, baseline, signal }, found);
    await buildAndCheck({ ...options, baseline, signal }, rules, loaded, log, found, seal);
  });
}

async function buildAndCheck(
  options: CiOptions,
  rules: BaseRules,
  loaded: LoadedConfig,
  log: StepLog,
  found: Findings,
  seal: GitSeal | undefined,
): Promise<void> {
  await log.time('build', () => build(options, loaded, log));
  log.current = 'benchmark';
  const { onProgress } = runContext(options);
  const { propose, ...rest } = options;
  const checking = omit(rest, 'base', 'head', 'trusted', 'undecided', 'whyNotUpdate');
  const { report } = await check({
    ...checking,
    ...rules,
    ...(propose === true ? { proposeTo: proposalOf(options) } : {}),
    beforeUpdate: () => checkSeal(seal),
    config: loaded.path,
    onProgress: log.listening(onProgress),
  });
  log.endPhase();
  // What was measured is believed only where nothing that later steps rely on was written meanwhile.
  await checkSeal(seal);
  log.current = 'report';
  found.check = await collectProfiles(report, options.out);
  // Without a base of its own, the check has found one in the baseline.
  if (rules.ruling === undefined) {
    const { judge_changes = [], judge_accepted } = report.comparison;
    found.judge_changes.push(...judge_changes);
    if (judge_accepted !== undefined) found.judge_accepted = judge_accepted;
    // By whose thresholds it was judged is known only now.
    if (found.policy !== undefined) {
      const isOfBase = judge_changes.length > 0 && judge_accepted === undefined;
      const source = isOfBase && found.policy.source === 'head' ? 'base' : found.policy.source;
      const own = caseThresholds(report.comparison.cases);
      found.policy = {
        ...omit(found.policy, 'case_regression_pct'),
        ...report.comparison.thresholds,
        ...(Object.keys(own).length === 0 ? {} : { case_regression_pct: own }),
        source,
      };
    }
  }
  endCheckSteps(log, report, { profile: options.profile ?? 'auto' });
}

/** What does not build is told here in full; the check goes on with the rest, and says what is wrong case by case. */
async function build(options: CiOptions, loaded: LoadedConfig, log: StepLog): Promise<void> {
  const { only, signal, onProgress } = options;
  const { kernels } = await buildKernels({
    loaded,
    ...defined({ only, signal, onProgress }),
  });
  const failed = kernels.flatMap((item) => (item.status === 'failed' ? [item] : []));
  const [first] = failed;
  if (first === undefined) {
    const cached = kernels.filter(({ status }) => status === 'cached').length;
    const built = kernels.filter(({ status }) => status === 'built').length;
    log.end('build', 'passed', `${counted(built, 'part')} built, ${cached} as before`);
    return;
  }
  const isHere = failed.some(({ reason }) => reason !== 'compiler-missing');
  const names = [...new Set(failed.map(({ kernel }) => kernel))].join(', ');
  log.end(
    'build',
    isHere ? 'failed' : 'warned',
    `not built: ${names}: ${first.message.split('\n', 1)[0] ?? ''}`,
  );
}

async function closeSteps(options: CiOptions, log: StepLog, found: Findings): Promise<void> {
  const { check: report } = found;
  if (report === undefined) log.end('report', 'warned', 'only the failure, in ci.json');
  else log.end('report', 'passed', 'report.html, report.md and report.json');
  log.end('artifacts', 'passed', await evidenceText(options.out));
  if (options.update !== true) {
    log.end('baseline', 'skipped', options.whyNotUpdate ?? 'read only');
  } else if (report !== undefined) {
    const { advanced, new_cases, loaded = [] } = report;
    const unwritten = loaded.filter(({ kept }) => !kept).length;
    const left =
      unwritten === 0
        ? ''
        : `, ${counted(unwritten, 'entry', 'entries')} left out: other work ran at the same time`;
    log.end(
      'baseline',
      unwritten === 0 ? 'passed' : 'warned',
      `${advanced.length} advanced, ${counted(new_cases.length, 'first entry', 'first entries')}${left}${options.propose === true ? ', as a proposal' : ''}`,
    );
  }
}

function failureOf(error: unknown): NonNullable<CiRun['failure']> {
  const failure = error instanceof PawlError ? error : fileFailure(error);
  if (failure !== undefined) {
    const { kind, message, hint } = failure;
    return { kind, message, ...defined({ hint }) };
  }
  const message = `Pawl has a bug: ${error instanceof Error ? error.message : String(error)}`;
  return { kind: 'internal', message, hint: 'Please report it with the output.' };
}
