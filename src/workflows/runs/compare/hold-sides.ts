import type { Config } from '../../../config/schema.ts';
import { recoverClocks } from '../../../device/clocks.ts';
import { hostEnvironment } from '../../../device/environment.ts';
import type { JudgePolicy } from '../../../judge/judge-policy.ts';
import type { Load } from '../../../model/device/load.ts';
import type { Clocks, Environment, Samples } from '../../../model/measure/samples.ts';
import { withCeilings } from '../../../profile/with-ceilings.ts';
import type { RunContext } from '../../../os/run-context.ts';
import { benchSettings, type BenchOverrides, type BenchSettings } from '../../../rig/bench-settings.ts';
import type { HeldDevices } from '../../../rig/hold-devices.ts';
import type { PreparedSide } from '../../../rig/prepared-side.ts';
import type { RecordedSide, Recording } from '../../../rig/recorded-side.ts';
import type { SideJournals } from '../../../rig/side-journals.ts';
import { watchLoad } from '../../../rig/watch-load.ts';
import { withDevices } from '../../../rig/with-devices.ts';
import type { Target } from '../../../runner/target.ts';
import { recoverRuns, runsDirectory } from '../bench/recover-runs.ts';

/** How two sides are measured and judged. */
export interface CompareOptions extends Omit<BenchOverrides, 'processes'>, Partial<RunContext> {
  /** The most processes per side; fewer are taken where the answer is clear. Default 24. */
  readonly processes?: number;
  /** Stop measuring after about this long, decided or not. Default: no limit. */
  readonly budget_s?: number;
  readonly policy?: Partial<JudgePolicy>;
  /** Also measure the base against itself, as a control. Default true. */
  readonly control?: boolean;
  /** Measure even if both sides are the same binary. Default false. */
  readonly measureIdentical?: boolean;
  /**
   * Of the cases asked for, only these are timed. The others are checked, and nothing is timed where the head is wrong
   * in one of them. Default: all are timed.
   */
  readonly timedCases?: readonly string[];
  /** Compare results with the oracle before timing. Default true. */
  readonly check?: boolean;
  /** Audit the kernels, and compare the outputs of timed repetitions with the oracle. Default: as `check`. */
  readonly verified?: boolean;
  /**
   * The base's timed repetitions were compared before, and are not compared again. Default false, as a base that is only
   * fast where it is timed makes the head look slow.
   */
  readonly baseIsVerified?: boolean;
  readonly clocks?: Clocks['policy'];
  /** The index of the GPU in nvidia-smi. */
  readonly gpu?: number;
  /** How long to wait for a device that another Pawl is using. */
  readonly wait_s?: number;
  /** The devices, if the caller holds them already. */
  readonly held?: Pick<HeldDevices, 'names'>;
  /** Journals that series are written to as they are taken. The caller finishes them. */
  readonly journals?: SideJournals;
}

/** What measuring cost. */
export interface MeasuringCost {
  readonly wall_s: number;
  /** How long the devices were held. */
  readonly device_s: number;
  /** The devices, as prices name them. */
  readonly devices: readonly string[];
  /** Processes in which series were taken, of all sides together. */
  readonly processes: number;
  readonly looks: number;
}

/** The most a side; fewer are taken where the answer is clear. */
export const COMPARE_PROCESSES = 24;

export interface SidesOptions extends Omit<CompareOptions, keyof RunContext>, RunContext {
  readonly policy: JudgePolicy;
  readonly config: Pick<Config, 'measure' | 'thresholds'>;
  /** The project whose files are compared. */
  readonly root: string;
  readonly started: Date;
}

/** A run that holds its devices. */
export interface Running extends SidesOptions {
  readonly settings: BenchSettings;
  readonly environment: Environment;
  readonly recording: Recording;
  /** What there is of a side when measuring has ended. */
  readonly finish: (load: Load, side: RecordedSide) => Promise<Samples>;
  readonly loadSoFar: () => Promise<Load>;
}

type Work = Pick<MeasuringCost, 'processes' | 'looks'>;

/** Works while every device that the sides run on is held, and says what that cost. */
export async function holdSides<Outcome extends { readonly cost: Work }>(
  sides: readonly PreparedSide[],
  options: SidesOptions,
  work: (running: Running) => Promise<Outcome>,
): Promise<Omit<Outcome, 'cost'> & { readonly cost: MeasuringCost }> {
  const { signal, now, journals, wait_s, clocks, held, onProgress } = options;
  const settings = benchSettings(options.config.measure, {
    ...options,
    processes: options.processes ?? COMPARE_PROCESSES,
  });
  const runs = runsDirectory(options.root);
  await recoverClocks();
  if (journals !== undefined) await recoverRuns(runs, options.config.thresholds, onProgress);
  const gpu = sides.find((side) => side.gpu !== undefined)?.gpu;
  const targets = onePerDevice(sides.flatMap((side) => side.targets));
  const asked = { gpu, wait_s, clocks, held, signal, now, onProgress, runs };
  return withDevices(targets, asked, async (lease) => {
    const loadSoFar = await watchLoad(targets, { gpu, signal });
    const environment = {
      ...(await hostEnvironment()),
      started_at: options.started.toISOString(),
      clocks: lease.clocks,
      seed: settings.seed,
    };
    const recording = {
      modes: settings.modes,
      environment,
      ...(journals === undefined ? {} : { journals: { of: journals, runs, now } }),
    };
    const finish = async (load: Load, { builder, targets }: RecordedSide): Promise<Samples> => {
      builder.add({ type: 'environment', environment: { finished_at: now().toISOString(), load } });
      const taken = builder.build(signal.aborted ? 'interrupted' : undefined);
      return withCeilings(taken, targets, process.env);
    };
    const outcome = await work({ ...options, settings, environment, recording, finish, loadSoFar });
    const ended = now();
    return {
      ...outcome,
      cost: {
        ...outcome.cost,
        wall_s: secondsBetween(options.started, ended),
        device_s: secondsBetween(lease.since, ended),
        devices: lease.names,
      },
    };
  });
}

function onePerDevice(targets: readonly Target[]): Target[] {
  const byText = new Map(targets.map((target) => [`${target.plan.device} ${target.plan.name}`, target]));
  return [...byText.values()];
}

function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1000;
}
