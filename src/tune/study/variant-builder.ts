import { buildAll } from '../../build/build-all.ts';
import type { Built } from '../../build/build-job.ts';
import { findSandbox } from '../../build/find-sandbox.ts';
import { kernelJob } from '../../build/kernel-jobs.ts';
import { Semaphore } from '../../os/semaphore.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { planKernel, type KernelPlan } from '../../config/plan-kernel.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { RejectedOutcome } from '../../model/tune/study.ts';
import type { Variant } from '../../model/problem/variant.ts';
import type { Target } from '../../runner/target.ts';
import { failedBuildGate } from '../gates/build-gate.ts';
import { SharedTurns } from './shared-turns.ts';

/** A variant that can run. */
export interface BuiltVariant {
  readonly target: Target;
  /** Undefined for a kernel in Python. */
  readonly built: Built | undefined;
  readonly build_s: number;
}

export interface BuiltKernel {
  readonly loaded: LoadedConfig;
  /** In its default variant, with the one case. */
  readonly plan: KernelPlan;
  /** Runner and oracle, without a kernel in it. */
  readonly bench: Target;
  readonly archs: readonly string[];
}

/** A compile that takes longer is worth less than the variants that would be built meanwhile. */
const BUILD_TIMEOUT_MS = 5 * 60 * 1000;

/** Builds variants of the study's kernel, several at a time; on the CPU never while one is measured. */
export class VariantBuilder {
  readonly #kernel: BuiltKernel;
  /** Builds at a time. */
  readonly jobs: number;
  readonly #jobs: Semaphore;
  readonly #turns: SharedTurns | undefined;
  readonly #now: () => Date;
  /** Asked for once, by the first build. */
  #sandbox: Promise<string | undefined> | undefined;
  #running = 0;
  #most = 0;

  constructor(kernel: BuiltKernel, { jobs, now }: { readonly jobs: number; readonly now: () => Date }) {
    this.#kernel = kernel;
    this.jobs = jobs;
    this.#jobs = new Semaphore(jobs);
    // A compiler on the next core takes memory bandwidth and clock from a kernel on the CPU.
    this.#turns = kernel.plan.device === 'cpu' ? new SharedTurns() : undefined;
    this.#now = now;
  }

  /** Compilers at work now, and the most there were at once. */
  get running(): number {
    return this.#running;
  }
  get most(): number {
    return this.#most;
  }

  planOf(variant: Variant): KernelPlan {
    const { loaded, plan } = this.#kernel;
    return planKernel(loaded, plan.name, { variant, cases: plan.cases.map(({ name }) => name) });
  }

  async build(plan: KernelPlan, signal: AbortSignal): Promise<BuiltVariant | RejectedOutcome> {
    const { bench, archs, loaded } = this.#kernel;
    const open = { ...bench.open, threads: plan.threads };
    const job = kernelJob(plan, archs);
    if (job === undefined) {
      return { target: { ...bench, plan, open }, built: undefined, build_s: 0 };
    }
    const { outcome, build_s } = await this.#withJob(async () => {
      signal.throwIfAborted();
      this.#sandbox ??= findSandbox().then(({ program }) => program);
      const sandbox = await this.#sandbox;
      const started = this.#now();
      const [built] = await buildAll([job], {
        root: loaded.root,
        parallel: 1,
        timeout_ms: BUILD_TIMEOUT_MS,
        signal,
        sandbox,
      });
      return { outcome: built!, build_s: (this.#now().getTime() - started.getTime()) / 1000 };
    });
    signal.throwIfAborted();
    if (outcome.status === 'planned') throw new Error('a build that was not a dry run was only planned');
    if (outcome.status === 'failed') {
      const rejection = failedBuildGate(outcome);
      if (rejection !== undefined) return { status: 'rejected', ...rejection };
      const { reason, message, hint } = outcome;
      if (reason === 'source-missing') throw new PawlError('bad-data', message, hint);
      // The trial keeps no outcome, so a resumed study builds it again.
      throw new PawlError(
        'unavailable',
        `A variant could not be built: ${message}`,
        `${hint ?? 'Run: pawl doctor'} Then go on with --resume.`,
      );
    }
    const binary = {
      sha256: outcome.sha256,
      toolchain: job.language,
      compiler: `${outcome.compiler.name} ${outcome.compiler.version}`,
      flags: [...outcome.flags],
      ...(job.arch.length === 0 ? {} : { arch: job.arch.join(',') }),
    };
    return {
      target: {
        ...bench,
        plan,
        open: { ...open, kernel: { library: outcome.artifact, sha256: outcome.sha256 } },
        binary,
      },
      built: outcome,
      build_s,
    };
  }

  /** Runs what measures: on the CPU without compilers beside it. */
  measuring<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#turns === undefined ? work() : this.#turns.alone(work);
  }

  #withJob<Result>(work: () => Promise<Result>): Promise<Result> {
    const counted = async (): Promise<Result> => {
      this.#running += 1;
      this.#most = Math.max(this.#most, this.#running);
      try {
        return await work();
      } finally {
        this.#running -= 1;
      }
    };
    const turn = () => (this.#turns === undefined ? counted() : this.#turns.shared(counted));
    return this.#jobs.run(turn);
  }
}
