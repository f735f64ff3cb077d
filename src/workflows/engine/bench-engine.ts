/** A benchmark matrix over a cluster: a job for each kernel and case, and their results as one. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { makeFolder } from '../../os/make-folder.ts';
import { commandLineProgram } from '../../build/package-root.ts';
import { writeDurably } from '../../os/write-durably.ts';
import { loadConfig, type LoadedConfig } from '../../config/load-config.ts';
import { isLive } from '../../engine/engine.ts';
import { waitingText } from '../../engine/waiting-text.ts';
import { SlurmEngine, type SlurmOptions } from '../../engine/slurm/slurm-engine.ts';
import { JUDGE_DEFAULTS } from '../../judge/judge-policy.ts';
import { CHECK_SCHEMA, checkReportSchema, type CheckReport } from '../../model/reports/check-report.ts';
import { defined } from '../../model/defined.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Samples } from '../../model/measure/samples.ts';
import { runContext, type RunContext } from '../../os/run-context.ts';
import { timeStamp } from '../../model/text/time-stamp.ts';
import { isBad } from '../../model/judge/verdict.ts';
import { benchReport } from '../../report/bench-report.ts';
import type { BenchOptions, BenchOutcome } from '../runs/bench.ts';
import { mergeComparisons, mergeSamples } from '../../judge/merge-comparisons.ts';
import type { ComparedAndReported } from '../runs/compare.ts';
import { readSamples } from '../../judge/read-samples.ts';
import type { CompareRevisionsOptions } from '../runs/compare/compare-builds.ts';
import { provenance, writeComparison } from '../runs/compare/write-comparison.ts';
import { benchResult } from '../../rig/bench-result.ts';
import { MATRIX_FILE, resultPath, taskSettingsSchema, type Matrix } from './engine-task.ts';
import { selectKernels } from '../../rig/select-kernels.ts';
import { writeReports } from '../runs/bench/write-reports.ts';

export interface EngineBenchOptions extends BenchOptions {
  readonly slurm: SlurmOptions;
}

export interface EngineCompareOptions extends CompareRevisionsOptions {
  readonly slurm: SlurmOptions;
  /** Where the report goes; default: the folder of the run. */
  readonly out?: string;
  readonly history?: boolean;
}

type EngineOptions = Pick<EngineBenchOptions, 'slurm' | 'only' | 'cases' | keyof RunContext>;

const LOOK_MS = 1000;
/** Slurm starts a lost node's jobs again by itself; this is for those that it gave up. */
const ROUNDS = 3;
/** Squeue may not list a job in the moment after it was submitted. */
const SETTLE_MS = 5000;

/** Measures every kernel and case in a job of its own. */
export async function benchOnCluster(options: EngineBenchOptions): Promise<BenchOutcome> {
  const loaded = await loadConfig(options.config);
  const run = await runMatrix(loaded, matrixOf(loaded, options), options);
  if (run.done.length === 0) throw nothingMeasured(run);
  const merged = await readSamples(join(run.folder, 'results'));
  const samples = run.missing === 0 ? merged : { ...merged, incomplete: missingText(run) };
  const report = benchReport(samples, loaded.config.thresholds);
  const files = await writeReports(samples, report, options.out ?? run.folder);
  const { skipped = [] } = samples;
  return {
    result: benchResult(samples, defined({ only: options.only })),
    samples,
    report,
    skipped,
    files,
    times: [],
  };
}

/** Compares two revisions; both sides of a case are measured in the same job, on the same device. */
export async function compareOnCluster(options: EngineCompareOptions): Promise<ComparedAndReported> {
  const loaded = await loadConfig(options.config);
  const { base, head } = options;
  const matrix = { ...matrixOf(loaded, options), revisions: { base, head } };
  const run = await runMatrix(loaded, matrix, options);
  if (run.done.length === 0) throw nothingMeasured(run);
  const folders = run.done.map((index) => join(run.folder, 'results', String(index)));
  const reports = await Promise.all(folders.map((folder) => readReport(join(folder, 'report.json'))));
  const side = async (name: string): Promise<Samples> =>
    mergeSamples(await Promise.all(folders.map((folder) => readSamples(join(folder, `${name}.json`)))));
  const samples = { base: await side('base'), head: await side('head') };
  const merged = mergeComparisons(reports.map((report) => report.comparison));
  // Of cases that no job measured nothing is known.
  const verdict = run.missing > 0 && !isBad(merged.verdict) ? 'undecided' : merged.verdict;
  const comparison = { ...merged, verdict };
  const controls = reports.flatMap(({ control }) => control ?? []);
  const report: CheckReport = {
    schema: CHECK_SCHEMA,
    verdict,
    comparison,
    ...defined({ control: controls.length === 0 ? undefined : mergeComparisons(controls) }),
    notes: run.missing === 0 ? [] : [missingText(run)],
    waived: [],
    advanced: [],
    new_cases: comparison.cases.filter(({ verdict }) => verdict === 'new'),
    ...provenance(samples),
    files: {},
  };
  return { report: await writeComparison(report, samples, options.out ?? run.folder), samples };
}

function matrixOf(loaded: LoadedConfig, options: EngineOptions): Matrix {
  return {
    schema: 'pawl.matrix/1',
    config: loaded.path,
    settings: taskSettingsSchema.parse(options),
    false_alarm: JUDGE_DEFAULTS.falseAlarm,
    cells: selectKernels(loaded, options).flatMap((plan) =>
      plan.cases.map((each) => ({ kernel: plan.name, case: each.name })),
    ),
  };
}

interface MatrixRun {
  readonly folder: string;
  /** Cells with a result, by number. */
  readonly done: readonly number[];
  readonly missing: number;
}

async function runMatrix(loaded: LoadedConfig, matrix: Matrix, options: EngineOptions): Promise<MatrixRun> {
  const { signal, now, onProgress } = runContext(options);
  const name = `pawl-bench-${timeStamp(now())}-${randomBytes(3).toString('hex')}`;
  const folder = join(loaded.root, '.pawl', 'cluster', name);
  await makeFolder(join(folder, 'results'));
  await writeDurably(join(folder, MATRIX_FILE), `${JSON.stringify(matrix, undefined, 1)}\n`);
  const engine = new SlurmEngine(options.slurm);
  const all = matrix.cells.map((_, index) => index);
  const isDone = (index: number): boolean => existsSync(resultPath(folder, matrix, index));
  onProgress({ type: 'started', title: `${all.length} jobs, ${name}`, total: all.length });
  for (let round = 0; round < ROUNDS && !signal.aborted; round++) {
    const open = all.filter((index) => !isDone(index));
    if (open.length === 0) break;
    await engine.submit({
      name,
      tasks: open.length,
      commands: open.map((index) => taskCommand(folder, index)),
      exclusive: false,
      output: join(folder, 'slurm-%A_%a.out'),
      folder: loaded.root,
    });
    await watch(engine, name, open, { isDone, signal, onProgress, total: all.length });
  }
  if (signal.aborted) await engine.cancel(name);
  onProgress({ type: 'finished' });
  const done = all.filter(isDone);
  return { folder, done, missing: all.length - done.length };
}

function taskCommand(folder: string, index: number) {
  return {
    program: process.execPath,
    args: [commandLineProgram(), 'engine', 'task', folder, String(index)],
    env: { PAWL_RUNS: join(folder, 'runs', String(index)) },
  };
}

/** Until every cell of the round has its result, or no job of it is left. The files are believed, not the jobs. */
async function watch(
  engine: SlurmEngine,
  name: string,
  open: readonly number[],
  options: Pick<RunContext, 'signal' | 'onProgress'> & {
    readonly isDone: (index: number) => boolean;
    readonly total: number;
  },
): Promise<void> {
  const { isDone, signal, onProgress, total } = options;
  const submitted_ms = performance.now();
  while (!signal.aborted) {
    const left = open.filter((index) => !isDone(index)).length;
    const tasks = await engine.tasks(name);
    const running = tasks.filter(({ state }) => state === 'running').length;
    const detail = `${running} running, ${waitingText(tasks) ?? '0 in the queue'}`;
    onProgress({ type: 'step', done: total - left, label: 'jobs', detail });
    if (left === 0) return;
    if (!tasks.some(isLive) && performance.now() - submitted_ms > SETTLE_MS) return;
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function readReport(path: string): Promise<CheckReport> {
  return checkReportSchema.parse(JSON.parse(await readFile(path, 'utf8')));
}

function missingText({ missing, folder }: MatrixRun): string {
  return `${missing} jobs gave no result; their output: ${folder}/slurm-*.out`;
}

function nothingMeasured(run: MatrixRun): PawlError {
  return new PawlError(
    'unavailable',
    'No job of the matrix gave a result.',
    `Their output: ${run.folder}/slurm-*.out`,
  );
}
