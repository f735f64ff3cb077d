import { omit } from '../../model/omit.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { isJudged, planKernel, type KernelPlan } from '../../config/plan-kernel.ts';
import { recoverClocks } from '../../device/clocks.ts';
import { hostEnvironment } from '../../device/environment.ts';
import { cpuModel } from '../../device/host.ts';
import { describeBroken, describeJudgement, type Described } from '../../judge/describe-judgement.ts';
import { policyOf, TELL_APART, type JudgePolicy } from '../../judge/judge-policy.ts';
import { caseDifference } from '../../judge/settle-cases.ts';
import { defined } from '../../model/defined.ts';
import type { Judgement, JudgementCost } from '../../model/queue/judgement.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Environment, Samples } from '../../model/measure/samples.ts';
import { isBroken } from '../../model/measure/skipped-kernel.ts';
import { runContext, type RunContext } from '../../os/run-context.ts';
import { refuseEmptyBench } from '../../rig/bench-result.ts';
import { interrupted } from '../../rig/prepare-targets.ts';
import { findCase, prepareSide, type PreparedSide } from '../../rig/prepared-side.ts';
import { recordSide } from '../../rig/recorded-side.ts';
import { verifyTargets } from '../../rig/verify-targets.ts';
import { withDevices } from '../../rig/with-devices.ts';
import { KeptJudge } from '../../runner/kept-judge.ts';
import { candidateKernel } from '../../adopt/candidate/candidate-kernel.ts';
import { candidateSources, type CandidateSources } from '../../adopt/candidate/candidate-sources.ts';
import { allOrEach } from '../../judge/candidate/all-or-each.ts';
import { hearCandidates } from '../../judge/candidate/hear-candidates.ts';
import { judgeIdentity } from '../../judge/candidate/judge-identity.ts';
import { fuzzIdentity, judgedFuzz, judgeSettings, type JudgeOptions } from './judge/judge-options.ts';
import { judgedProblem, type JudgedProblem } from '../../adopt/candidate/judged-problem.ts';
import { refuseFaultyReference, refuseWithoutReference } from '../../adopt/candidate/refuse-reference.ts';

/** A candidate that was built, or the reason why it cannot be. */
export interface BuiltCandidate {
  readonly sources_sha256: string;
  readonly build_s: number;
  readonly side: PreparedSide | undefined;
  /** Why it was not built. */
  readonly broken?: { readonly message: string; readonly log: string };
  /** Removes its files. */
  readonly remove: () => Promise<void>;
}

/**
 * Candidates of a group. With four, each pays for a quarter of the reference's processes; with more, little else is
 * saved, and each waits longer for its answer.
 */
export const MOST_TOGETHER = 4;

/** What became of one candidate of a group. */
type Judged = PromiseSettledResult<Judgement>;

/**
 * Judges candidates of one problem, one at a time or some together, and stays warm between them: it reads the
 * problem and checks its reference once, and one process serves all candidates. `build` may be called while another
 * candidate is measured. Call `close` at the end.
 */
export class Judge {
  readonly #problem: JudgedProblem;
  readonly #options: JudgeOptions;
  readonly #context: RunContext;
  readonly #base: PreparedSide;
  readonly #environment: Environment;
  readonly #policy: JudgePolicy;
  readonly #judge: KeptJudge;
  #checked: Samples | undefined;

  private constructor(
    problem: JudgedProblem,
    base: PreparedSide,
    environment: Environment,
    options: JudgeOptions,
  ) {
    this.#problem = problem;
    this.#base = base;
    this.#environment = environment;
    this.#options = options;
    this.#context = runContext(options);
    this.#judge = new KeptJudge({ ahead: true });
    this.#policy = {
      // Thresholds of single cases are the gate's: a reward must not depend on which case a candidate is told by.
      ...omit(policyOf(problem.loaded.config.thresholds), 'caseRegressionPct'),
      ...TELL_APART,
      ...options.policy,
    };
  }

  /**
   * Reads the problem, builds its reference and compares that with the oracle.
   *
   * @param problem the name of a problem in pawl.yaml, or a file that `pawl adopt` understands
   * @throws {PawlError} of kind `bad-data` where the problem is wrong: its reference does not build, nothing says what
   * is right, or the reference does not agree with its oracle
   */
  static async open(problem: string, options: JudgeOptions): Promise<Judge> {
    const context = runContext(options);
    const { signal } = context;
    const found = await judgedProblem(problem, { ...options, signal });
    try {
      const { loaded, reference } = found;
      const plan = planKernel(loaded, reference, defined({ cases: options.cases }));
      if (!isJudged(plan)) {
        throw new PawlError(
          'bad-data',
          `Problem ${found.name} has no oracle and no checker.`,
          'Give the problem an oracle in pawl.yaml.',
        );
      }
      const gpuIndex = options.gpu ?? 0;
      const base = await prepareSide([plan], { ...context, loaded, git: undefined, main: loaded, gpuIndex });
      refuseWithoutReference(base);
      await recoverClocks();
      const judge = new Judge(found, base, await hostEnvironment(), options);
      try {
        await judge.#verifyReference();
        return judge;
      } catch (error) {
        // A process that is kept would keep Pawl from ending.
        await judge.#judge.close();
        throw error;
      }
    } catch (error) {
      await found.remove();
      throw error;
    }
  }

  get problem(): string {
    return this.#problem.name;
  }

  /** The kernel that candidates are measured against. */
  get reference(): string {
    return this.#problem.reference;
  }

  /** The device class that candidates are measured on: devices of one name are one class. */
  async deviceClass(): Promise<string> {
    const { gpu } = this.#base;
    return this.device === 'cuda' && gpu !== undefined
      ? gpu.info.name
      : ((await cpuModel()) ?? 'unknown CPU');
  }

  /** A hash of oracle, tolerance, cases, reference, policy and device: the same where candidates are judged alike. */
  async identity(): Promise<string> {
    const { gpu, plans, targets } = this.#base;
    const { loaded, adopted } = this.#problem;
    const { seed: _, ...settings } = judgeSettings(this.#problem, this.device, this.#options);
    return judgeIdentity({
      plan: plans[0]!,
      target: targets[0]!,
      root: adopted === undefined ? loaded.root : dirname(adopted.file),
      adopted: adopted?.file,
      policy: this.#policy,
      settings: {
        ...settings,
        budget_s: this.#options.budget_s,
        ...fuzzIdentity(this.#problem, this.#options),
      },
      device: { class: await this.deviceClass(), driver: gpu?.info.driver },
    });
  }

  get device(): KernelPlan['device'] {
    return this.#base.plans[0]!.device;
  }

  /** Threads that a call uses on the CPU. */
  get threads(): number {
    return this.#base.plans[0]!.threads;
  }

  /**
   * Builds the candidate's files. If they do not build, the answer says why.
   *
   * @throws {PawlError} where the files cannot be read, or this machine cannot run them
   */
  async build(candidate: CandidateSources | 'reference'): Promise<BuiltCandidate> {
    const started = performance.now();
    const sources_sha256 =
      candidate === 'reference' ? (await this.#referenceSources()).sha256 : candidate.sha256;
    const scratch = await mkdtemp(join(tmpdir(), 'pawl-candidate-'));
    const remove = () => rm(scratch, { recursive: true, force: true });
    const ended = () => (performance.now() - started) / 1000;
    try {
      const side = await this.#prepare(candidate, scratch);
      const broken = side.skipped.find(isBroken);
      if (broken !== undefined) {
        const { message } = broken;
        const [first = ''] = message.split('\n');
        const cut = { message: first, log: message };
        return { sources_sha256, build_s: ended(), side: undefined, broken: cut, remove };
      }
      refuseEmptyBench(side.targets, side.skipped);
      return { sources_sha256, build_s: ended(), side, remove };
    } catch (error) {
      if (!(error instanceof PawlError) || error.kind !== 'bad-data') {
        await remove();
        throw error;
      }
      const { message } = error;
      return { sources_sha256, build_s: ended(), side: undefined, broken: { message, log: message }, remove };
    }
  }

  /** Checks and measures a built candidate while it holds the device. Call it for one candidate at a time. */
  async judge(candidate: BuiltCandidate): Promise<Judgement> {
    let judged: Judged | undefined;
    await this.judgeTogether([candidate], (_, outcome) => (judged = outcome));
    if (judged?.status !== 'fulfilled') throw judged!.reason;
    return judged.value;
  }

  /**
   * Judges several built candidates while it holds the device, and measures those that are right beside the same
   * processes of the reference. Call it for one group at a time.
   *
   * @param onJudged called once for each candidate, as soon as it has its judgement or cannot be judged. What it throws
   * is thrown when the others were judged
   */
  async judgeTogether(
    candidates: readonly BuiltCandidate[],
    onJudged: (at: number, judged: Judged) => void,
  ): Promise<void> {
    const answered = new Set<number>();
    const refused: unknown[] = [];
    const tell = (at: number, judged: Judged): void => {
      answered.add(at);
      try {
        onJudged(at, judged);
      } catch (error) {
        // No failure of the candidate, or of those that are measured with it.
        refused.push(error);
      }
    };
    const judged = (at: number, described: Described, device_s: number): void => {
      const { sources_sha256, build_s } = candidates[at]!;
      const { name: problem, reference } = this.#problem;
      const cost = rounded({ wall_s: build_s + device_s, device_s, build_s });
      const value = { ...described, problem, reference, sources_sha256, cost };
      tell(at, { status: 'fulfilled', value });
    };
    for (const [at, { side, broken }] of candidates.entries()) {
      const { message = 'it does not build', log = '' } = broken ?? {};
      if (side === undefined) judged(at, describeBroken(message, log), 0);
    }
    await allOrEach(
      candidates.flatMap(({ side }, at) => (side === undefined ? [] : [{ at, side }])),
      {
        work: (group) =>
          this.#held(() =>
            this.#hear(
              group.map(({ side }) => side),
              (index, described, device_s) => judged(group[index]!.at, described, device_s),
            ),
          ),
        isOpen: ({ at }) => !answered.has(at),
        onFailed: ({ at }, reason) => tell(at, { status: 'rejected', reason }),
      },
    );
    if (refused.length > 0) throw refused[0];
  }

  async close(): Promise<void> {
    await this.#judge.close();
    await this.#problem.remove();
  }

  async #prepare(candidate: CandidateSources | 'reference', scratch: string): Promise<PreparedSide> {
    const { loaded } = this.#problem;
    const { plan, root } = await candidateKernel(this.#problem, candidate, this.#options, scratch);
    const side = await prepareSide([plan], {
      ...this.#context,
      onProgress: () => undefined,
      loaded: { ...loaded, root },
      git: undefined,
      main: loaded,
      gpuIndex: this.#options.gpu ?? 0,
    });
    const [base] = this.#base.plans;
    const differing = plan.cases.find(
      ({ name }) =>
        caseDifference(findCase([base!], base!.name, name), findCase([plan], plan.name, name)) !== undefined,
    );
    if (differing !== undefined)
      throw new Error(`the candidate's case ${differing.name} is not the problem's`);
    return side;
  }

  async #hear(
    candidates: readonly PreparedSide[],
    onHeard: (at: number, described: Described, device_s: number) => void,
  ): Promise<void> {
    const { signal, now, onProgress } = this.#context;
    const settings = judgeSettings(this.#problem, this.device, this.#options);
    await hearCandidates(
      { reference: this.#base, checked: this.#checked!, candidates },
      {
        signal,
        now,
        onProgress,
        settings,
        policy: this.#policy,
        keptJudge: this.#judge,
        environment: { ...this.#environment, seed: settings.seed },
        ...defined({
          budget_s: this.#options.budget_s,
          fuzz: judgedFuzz(this.#problem, this.#options),
        }),
        onHeard: (at, heard, took_ms) => onHeard(at, describeJudgement(heard), took_ms / 1000),
      },
    );
  }

  /** Once: a candidate that is measured against a wrong reference, or judged by a blind tolerance, has no answer. */
  async #verifyReference(): Promise<void> {
    const { signal, onProgress } = this.#context;
    await this.#held(async () => {
      const settings = judgeSettings(this.#problem, this.device, this.#options);
      const recording = { modes: settings.modes, environment: { ...this.#environment, seed: settings.seed } };
      const { targets, recorder, builder } = await recordSide('reference', this.#base, recording);
      const kept = { keptJudge: this.#judge, signal, onProgress };
      await verifyTargets(targets, recorder, { ...settings, ...kept, audit: true, blind: true });
      if (signal.aborted) throw interrupted();
      this.#checked = builder.build();
    });
    refuseFaultyReference(this.#problem, this.#checked!.measurements);
  }

  #held<Result>(work: () => Promise<Result>): Promise<Result> {
    const { signal, now, onProgress } = this.#context;
    const { wait_s, clocks } = this.#options;
    const { gpu, targets } = this.#base;
    return withDevices(targets, { gpu, wait_s, clocks, signal, now, onProgress, command: 'judge' }, work);
  }

  #referenceSources(): Promise<CandidateSources> {
    const { adopted } = this.#problem;
    const [{ sources, module } = { sources: [], module: undefined }] = this.#base.plans;
    const files = module === undefined ? sources : [module];
    return candidateSources(adopted === undefined ? files : [adopted.file]);
  }
}

function rounded({ wall_s, device_s, build_s }: JudgementCost): JudgementCost {
  const toMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;
  return {
    wall_s: toMilliseconds(wall_s),
    device_s: toMilliseconds(device_s),
    build_s: toMilliseconds(build_s),
  };
}
