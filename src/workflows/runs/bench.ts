import { loadConfig, type LoadedConfig } from '../../config/load-config.ts';
import { underJudge } from '../../config/under-judge.ts';
import { recoverClocks } from '../../device/clocks.ts';
import { gitState, hostEnvironment } from '../../device/environment.ts';
import { measure } from '../../measure/measure.ts';
import { RunJournal } from '../../measure/run-journal.ts';
import { STOPPING_RULES } from '../../measure/stopping-rules.ts';
import type { BenchReport } from '../../model/reports/bench-report.ts';
import type { Samples } from '../../model/measure/samples.ts';
import { isBroken, type SkippedKernel } from '../../model/measure/skipped-kernel.ts';
import type { Variant } from '../../model/problem/variant.ts';
import { benchReport } from '../../report/bench-report.ts';
import { Xoshiro128 } from '../../stats/index.ts';
import { BenchRecorder } from '../../rig/bench-recorder.ts';
import { benchResult, refuseEmptyBench, type BenchResult } from '../../rig/bench-result.ts';
import { benchSettings, type BenchOverrides } from '../../rig/bench-settings.ts';
import { verifyTargets } from '../../rig/verify-targets.ts';
import { watchLoad } from '../../rig/watch-load.ts';
import { withDevices } from '../../rig/with-devices.ts';
import { prepareTargets } from '../../rig/prepare-targets.ts';
import { recoverRuns, runsDirectory } from './bench/recover-runs.ts';
import { selectKernels } from '../../rig/select-kernels.ts';
import { withCeilings } from '../../profile/with-ceilings.ts';
import { withRoofline } from '../../profile/with-roofline.ts';
import { makeRoom, writeReports, type BenchFiles } from './bench/write-reports.ts';
import { recordCost, runCost, type DeviceTime } from '../../rig/cost-of-run.ts';
import { recordRun } from '../../history/store/record-run.ts';
import { benchRun } from '../../history/stored-runs.ts';
import { runContext, type RunContext } from '../../os/run-context.ts';

/** Which kernels and cases to measure, how, and where the results go. */
export interface BenchOptions extends BenchOverrides, Partial<RunContext> {
  /** pawl.yaml or its folder; default: searched from the working directory upwards. */
  readonly config?: string;
  readonly only?: readonly string[];
  readonly cases?: readonly string[];
  readonly variant?: Variant;
  readonly clocks?: 'as-is' | 'lock';
  /** The index of the GPU in nvidia-smi. */
  readonly gpu?: number;
  /** How long to wait for a device that another Pawl is using. */
  readonly wait_s?: number;
  /** Compare results with the oracle before timing; a kernel that is wrong is not timed. Default true. */
  readonly check?: boolean;
  /** Measure kernels whose results are right. Default true; false: check only, and store nothing in the history. */
  readonly timed?: boolean;
  /**
   * Audit the kernels, and compare the outputs of timed repetitions with the oracle. Default false; it has no effect
   * without `check`.
   */
  readonly verified?: boolean;
  /** The project whose oracles, cases and thresholds are used. Default: the same project. */
  readonly judge?: LoadedConfig;
  /**
   * Return an outcome, with the reasons in `skipped`, if no kernel can run on this machine. Default false: throw. A
   * kernel that does not build is always an outcome.
   */
  readonly allowNone?: boolean;
  /** The samples file; default: `.pawl/runs/<time>/samples.json`. */
  readonly out?: string;
  /** Add the cost of the run to the project's ledger. Default true; false for a part of a larger run. */
  readonly recordsCost?: boolean;
  /** Store the run in the history. Default: as pawl.yaml says. */
  readonly history?: boolean;
}

/** What `bench` measured, and the files that it wrote. */
export interface BenchOutcome {
  readonly result: BenchResult;
  readonly samples: Samples;
  readonly report: BenchReport;
  readonly skipped: readonly SkippedKernel[];
  readonly files: BenchFiles;
  /** How long each device was held. */
  readonly times: readonly DeviceTime[];
}

/**
 * Builds kernels, checks their results against the oracle, measures them, writes the report and stores the run in the
 * history. A kernel that is wrong or does not build makes `result` `bad` and is not an exception.
 *
 * @throws {PawlError} of kind `configuration` if pawl.yaml is missing or wrong; `usage` if it has no such kernel or
 * case; `unavailable` if none of the kernels can run on this machine; `try-again` if the device is in use
 * @example
 * ```ts
 * import { bench } from 'pawl';
 *
 * const { result, report } = await bench({ only: ['softmax-cpu'] });
 * for (const one of report.measurements) {
 *   if (one.state === 'measured') console.log(one.kernel, one.case, one.median_ms, one.ci_ms);
 * }
 * console.log(result); // 'good', 'bad' or 'undecided'
 * ```
 */
export async function bench(options: BenchOptions = {}): Promise<BenchOutcome> {
  if (options.out !== undefined) await makeRoom(options.out);
  const outcome = await measureAndReport(options);
  // Here, and not while the device is held: others wait for that.
  if (options.timed !== false) await recordRun(benchRun(outcome.samples, runContext(options).now()), options);
  return outcome;
}

async function measureAndReport(options: BenchOptions): Promise<BenchOutcome> {
  const { signal, now, onProgress } = runContext(options);
  const started = now();
  const project = await loadConfig(options.config);
  const loaded = options.judge === undefined ? project : underJudge(project, options.judge);
  const { thresholds } = loaded.config;
  const settings = benchSettings(loaded.config.measure, options);
  const random = new Xoshiro128(BigInt(settings.seed));
  const runs = runsDirectory(loaded.root);

  const plans = selectKernels(loaded, options);
  await Promise.all([recoverRuns(runs, thresholds, onProgress), recoverClocks()]);
  const [{ targets, skipped, gpu }, host, git] = await Promise.all([
    prepareTargets(plans, { loaded, gpuIndex: options.gpu ?? 0, onProgress, signal }),
    hostEnvironment(),
    gitState(loaded.root),
  ]);
  // That a kernel does not build is an answer, and it is in every document; that none can run here is none.
  if (options.allowNone !== true && !skipped.some(isBroken)) refuseEmptyBench(targets, skipped);

  const { wait_s, clocks } = options;
  return withDevices(targets, { gpu, wait_s, clocks, signal, now, onProgress, runs }, async (lease) => {
    const loadSoFar = await watchLoad(targets, { gpu, signal });
    const environment = {
      ...host,
      started_at: now().toISOString(),
      clocks: lease.clocks,
      seed: settings.seed,
    };
    const journal = await RunJournal.start(runs, environment, now());
    if (skipped.length > 0) journal.add({ type: 'skipped', skipped: [...skipped] });
    const recorder = new BenchRecorder(journal, { targets, modes: settings.modes, git });
    const verified = options.verified === true && options.check !== false;
    const running = {
      ...settings,
      random,
      signal,
      now,
      onProgress,
      verified,
      audit: verified,
      blind: true,
    };
    const right = options.check === false ? targets : await verifyTargets(targets, recorder, running);
    if (options.timed !== false) {
      await measure(right, {
        ...running,
        rule: STOPPING_RULES[settings.stopping](settings.samples),
        onRecord: (record) => recorder.series(record),
      });
    }
    const load = await loadSoFar();
    journal.add({ type: 'environment', environment: { finished_at: now().toISOString(), load } });
    const taken = journal.build(signal.aborted ? 'interrupted' : undefined);
    const ended = now();
    const run = {
      what: 'bench',
      kernels: targets.map(({ plan }) => plan.name),
      times: lease.times(ended),
      wall_s: (ended.getTime() - started.getTime()) / 1000,
      commit: git?.commit,
    };
    const cost =
      options.recordsCost === false
        ? runCost(run.times, run.wall_s, loaded.config.cost)
        : await recordCost(loaded, run, { now, onProgress });
    const summary = { ...benchReport(taken, thresholds), cost };
    const report = await withRoofline(summary, taken, targets, { env: process.env, now });
    // After that: a ceiling that this very run speaks against is none.
    const samples = await withCeilings(taken, targets, process.env);
    const files = await writeReports(samples, report, options.out ?? journal.directory);
    await journal.finish();
    const result = benchResult(samples, options);
    return { result, samples, report, skipped, files, times: run.times };
  });
}
