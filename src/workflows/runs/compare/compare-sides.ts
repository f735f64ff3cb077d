import { defined } from '../../../model/defined.ts';
import type { Config } from '../../../config/schema.ts';
import { recoverClocks } from '../../../device/clocks.ts';
import { hostEnvironment } from '../../../device/environment.ts';
import type { JudgePolicy } from '../../../judge/judge-policy.ts';
import type { Comparison } from '../../../model/comparison.ts';
import type { Load } from '../../../model/load.ts';
import { PawlError } from '../../../model/pawl-error.ts';
import type { Clocks, Environment, Samples } from '../../../model/samples.ts';
import type { Target } from '../../../runner/target.ts';
import { Xoshiro128 } from '../../../stats/index.ts';
import { refuseEmptyBench } from '../../../rig/bench-result.ts';
import { benchSettings, type BenchOverrides, type BenchSettings } from '../../../rig/bench-settings.ts';
import { verifyTargets } from '../../../rig/verify-targets.ts';
import type { HeldDevices } from '../../../rig/hold-devices.ts';
import { watchLoad } from '../../../rig/watch-load.ts';
import { withDevices } from '../../../rig/with-devices.ts';
import { interrupted } from '../../../rig/prepare-targets.ts';
import { isBroken, type SkippedKernel } from '../../../model/skipped-kernel.ts';
import { recoverRuns, runsDirectory } from '../bench/recover-runs.ts';
import { samplesCalledAs } from '../../../judge/called-as.ts';
import { describeComparison } from '../../../judge/describe-comparison.ts';
import { measureSides, type MeasuredSides } from '../../../judge/measure-sides.ts';
import type { PreparedSide } from '../../../rig/prepared-side.ts';
import { recordSide, type RecordedSide, type Recording } from '../../../rig/recorded-side.ts';
import { settleCases, type CaseName } from '../../../judge/settle-cases.ts';
import type { SideJournals } from '../../../rig/side-journals.ts';
import type { RunContext } from '../../../os/run-context.ts';

export interface CompareOptions extends Omit<BenchOverrides, 'processes'>, Partial<RunContext> {
  /** The most processes a side; fewer are taken where the answer is clear. Default 24. */
  readonly processes?: number;
  /** Measuring ends about here, decided or not. Default: no limit. */
  readonly budget_s?: number;
  readonly policy?: Partial<JudgePolicy>;
  /** Measure the base's binary once more beside it. Default true. */
  readonly control?: boolean;
  /** Measure also where both sides are the same binary. Default false. */
  readonly measureIdentical?: boolean;
  /** Compare results with the oracle before timing. Default true. */
  readonly check?: boolean;
  /** Audit the kernels, and compare the outputs of timed repetitions with the oracle. Default true, unless not checked. */
  readonly verified?: boolean;
  readonly clocks?: Clocks['policy'];
  /** The GPU as nvidia-smi counts. */
  readonly gpu?: number;
  /** How long to wait for a device that another Pawl is using. */
  readonly wait_s?: number;
  /** The devices, where the caller holds them already and goes on holding them. */
  readonly held?: Pick<HeldDevices, 'names'>;
  /** Where series are written down as they come; whoever passes them finishes them. */
  readonly journals?: SideJournals;
}

export interface CompareOutcome {
  readonly comparison: Comparison;
  /** `base` against itself, where it was measured. */
  readonly control?: Comparison;
  readonly samples: { readonly base: Samples; readonly control?: Samples; readonly head: Samples };
  /** Kernels of either side that cannot be measured here, or do not build. */
  readonly skipped: { readonly base: readonly SkippedKernel[]; readonly head: readonly SkippedKernel[] };
  /** Why measuring ended; absent where nothing needed to be measured. */
  readonly stopped_by?: MeasuredSides['stopped_by'];
  readonly cost: {
    readonly wall_s: number;
    /** How long the devices were held. */
    readonly device_s: number;
    /** The devices, as prices name them. */
    readonly devices: readonly string[];
    /** Processes in which series were taken, of all sides together. */
    readonly processes: number;
    readonly looks: number;
  };
}

/** The most a side; fewer are taken where the answer is clear. */
export const COMPARE_PROCESSES = 24;

interface SidesOptions extends Omit<CompareOptions, keyof RunContext>, RunContext {
  readonly policy: JudgePolicy;
  readonly config: Pick<Config, 'measure' | 'thresholds'>;
  /** The project whose files are compared. */
  readonly root: string;
  readonly started: Date;
}

/** Checks both sides, measures what is worth measuring in interleaved blocks, and judges. */
export async function compareSides(
  base: PreparedSide,
  head: PreparedSide,
  options: SidesOptions,
): Promise<CompareOutcome> {
  const { signal, now } = options;
  const settings = benchSettings(options.config.measure, {
    ...options,
    processes: options.processes ?? COMPARE_PROCESSES,
  });
  refuseNothing(base, head);
  await recoverClocks();
  if (options.journals !== undefined) {
    await recoverRuns(runsDirectory(options.root), options.config.thresholds, options.onProgress);
  }
  const gpu = head.gpu ?? base.gpu;
  const targets = onePerDevice([...head.targets, ...base.targets]);
  const { wait_s, clocks, held, onProgress } = options;
  const runs = runsDirectory(options.root);
  const asked = { gpu, wait_s, clocks, held, signal, now, onProgress, runs };
  return withDevices(targets, asked, async (lease) => {
    const loadSoFar = await watchLoad(targets, { gpu, signal });
    const environment = {
      ...(await hostEnvironment()),
      started_at: options.started.toISOString(),
      clocks: lease.clocks,
      seed: settings.seed,
    };
    const outcome = await checkAndMeasure(base, head, { ...options, settings, environment, loadSoFar });
    const ended = now();
    return {
      ...outcome,
      skipped: { base: base.skipped, head: head.skipped },
      cost: {
        ...outcome.cost,
        wall_s: secondsBetween(options.started, ended),
        device_s: secondsBetween(lease.since, ended),
        devices: lease.names,
      },
    };
  });
}

interface Running extends SidesOptions {
  readonly settings: BenchSettings;
  readonly environment: Environment;
  readonly loadSoFar: () => Promise<Load>;
}

async function checkAndMeasure(
  base: PreparedSide,
  head: PreparedSide,
  options: Running,
): Promise<
  Omit<CompareOutcome, 'skipped' | 'cost'> & { readonly cost: { processes: number; looks: number } }
> {
  const { settings, signal, now, onProgress } = options;
  const verified = options.verified !== false && options.check !== false;
  const random = new Xoshiro128(BigInt(settings.seed));
  const recording = recordingOf(options);
  const sides = {
    base: await recordSide('base', base, recording),
    head: await recordSide('head', head, recording),
  };
  if (options.check !== false) {
    for (const label of ['base', 'head'] as const) {
      const { targets, recorder } = sides[label];
      // A base that a blind tolerance let pass can only be too fast, which never speaks for the head.
      const blind = label === 'head';
      await verifyTargets(targets, recorder, { ...settings, audit: verified, blind, signal, onProgress });
    }
  }
  if (signal.aborted) throw interrupted();

  const checked = (side: PreparedSide, { builder }: RecordedSide) => ({ ...side, checked: builder.build() });
  const { cases, missing } = settleCases(checked(base, sides.base), checked(head, sides.head), {
    measureIdentical: options.measureIdentical === true,
  });
  if (cases.length === 0) throw nothingInCommon();
  const open = cases.filter(({ settled }) => settled === undefined);
  const onBase = { ...base, targets: restricted(base, open) };
  const measured = await measureSides(
    {
      base: { ...sides.base, targets: onBase.targets },
      head: { ...sides.head, targets: restricted(head, open) },
      ...(options.control === false ? {} : { control: await recordSide('control', onBase, recording) }),
    },
    { ...options, random, verified },
  );

  const ending = { finished_at: now().toISOString(), load: await options.loadSoFar() };
  const finish = ({ builder }: RecordedSide): Samples => {
    builder.add({ type: 'environment', environment: ending });
    return builder.build(signal.aborted ? 'interrupted before the plan was done' : undefined);
  };
  const samples = {
    base: finish(sides.base),
    ...(measured.control === undefined ? {} : { control: finish(measured.control) }),
    head: finish(sides.head),
  };
  const { look, stopped_by, processes, looks } = measured;
  return {
    comparison: describeComparison({
      cases,
      missing,
      modes: settings.modes,
      look,
      samples: { ...samples, base: samplesCalledAs(samples.base, base.calledAs) },
      policy: options.policy,
    }),
    ...defined({ control: look?.control }),
    samples,
    ...defined({ stopped_by }),
    cost: { processes, looks },
  };
}

function recordingOf({ settings, environment, journals, root, now }: Running): Recording {
  return {
    modes: settings.modes,
    environment,
    ...(journals === undefined ? {} : { journals: { of: journals, runs: runsDirectory(root), now } }),
  };
}

function restricted({ targets, calledAs }: PreparedSide, names: readonly CaseName[]): Target[] {
  return targets.flatMap((target) => {
    const kernel = calledAs ?? target.plan.name;
    const cases = target.plan.cases.filter((each) =>
      names.some((name) => name.kernel === kernel && name.case === each.name),
    );
    return cases.length === 0 ? [] : [{ ...target, plan: { ...target.plan, cases } }];
  });
}

/** Where no kernel can run here, that is what there is to say. */
function refuseNothing(base: PreparedSide, head: PreparedSide): void {
  if (head.plans.length === 0) throw nothingInCommon();
  const skipped = [...head.skipped, ...base.skipped];
  if (!skipped.some(isBroken)) refuseEmptyBench(head.targets, skipped);
}

function nothingInCommon(): PawlError {
  return new PawlError(
    'bad-data',
    'The head has no case to compare.',
    'Compare revisions that have kernels in common.',
  );
}

function onePerDevice(targets: readonly Target[]): Target[] {
  const byText = new Map(targets.map((target) => [`${target.plan.device} ${target.plan.name}`, target]));
  return [...byText.values()];
}

function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1000;
}
