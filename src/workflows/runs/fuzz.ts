import { join, relative, resolve } from 'node:path';

import { defined } from '../../model/defined.ts';
import { loadConfig, type LoadedConfig } from '../../config/load-config.ts';
import { isJudged } from '../../config/plan-kernel.ts';
import { underJudge } from '../../config/under-judge.ts';
import { Corpus } from '../../correctness/corpus.ts';
import { parseReplayLine } from '../../correctness/replay-line.ts';
import { gitState } from '../../device/environment.ts';
import { isKernelsOwn } from '../../model/measure/fault.ts';
import type { FuzzedKernel, FuzzReport } from '../../model/correctness/fuzz-report.ts';
import { FUZZ_SCHEMA } from '../../model/correctness/fuzz-report.ts';
import type { OnProgress } from '../../model/measure/progress.ts';
import type { Variant } from '../../model/problem/variant.ts';
import { checkedSeed, secretSeed } from '../../rig/bench-settings.ts';
import { withDevices } from '../../rig/with-devices.ts';
import { recordCost } from '../../rig/cost-of-run.ts';
import { fuzzSubjects } from '../../rig/fuzz/fuzz-subjects.ts';
import { fuzzTargets } from '../../rig/fuzz/fuzz-targets.ts';
import { prepareFuzz } from '../../rig/fuzz/prepare-fuzz.ts';
import { mayHaveReference, referenceSubjects } from '../../correctness/fuzz/reference-targets.ts';
import { writeFuzzReport, type FuzzFiles } from './fuzz/write-fuzz-report.ts';
import { runsDirectory } from './bench/recover-runs.ts';
import { runContext, type RunContext } from '../../os/run-context.ts';

/** Which kernels to run, in which cases, and for how long. */
export interface FuzzOptions extends Partial<RunContext> {
  /** pawl.yaml or its folder; default: searched from the working directory upwards. */
  readonly config?: string;
  /** The project whose oracles and tolerances are used. Default: the same project. */
  readonly judge?: LoadedConfig;
  readonly only?: readonly string[];
  readonly variant?: Variant;
  /** Only these declared cases. */
  readonly cases?: readonly string[];
  /** Only the matrix. */
  readonly matrix?: boolean;
  /** Only this case, as a failure prints it. */
  readonly replay?: string;
  /** Cases to generate for each kernel; default 200, or as many as the time allows where one is given. */
  readonly count?: number;
  /** For all kernels together. */
  readonly time_s?: number;
  /** Decimal digits; the same seed gives the same cases. */
  readonly seed?: string;
  /** Default: pawl-corpus.jsonl beside pawl.yaml. */
  readonly corpus?: string;
  /** Write failures to the corpus; default true. */
  readonly save?: boolean;
  /** Compare the oracles' own references with the oracles: no kernel is run. */
  readonly oracleOnly?: boolean;
  /** Audit kernels in every case (true) or in none (false). Default: in the first and every hundredth. */
  readonly audit?: boolean;
  /** Run under these sanitizers, with a process per case; an empty list means all that apply. */
  readonly sanitize?: readonly string[];
  readonly maxFailures?: number;
  /** A kernel that gives no answer for this long hangs. */
  readonly timeout_s?: number;
  readonly gpu?: number;
  readonly wait_s?: number;
  /** The HTML report; default: `.pawl/fuzz/report.html`. */
  readonly out?: string;
}

/** The report of `fuzz`, and the files that it wrote. */
export interface FuzzOutcome {
  readonly report: FuzzReport;
  readonly files: FuzzFiles;
}

const CORPUS_FILE = 'pawl-corpus.jsonl';
const DEFAULT_COUNT = 200;
const DEFAULT_MAX_FAILURES = 5;

/**
 * Runs kernels against their oracles in many generated cases. It minimises each failure, adds it to the corpus, and
 * writes a report.
 *
 * @throws {PawlError} of kind `configuration` if pawl.yaml is missing or wrong; `usage` if a kernel, a case or a seed
 * is wrong; `try-again` if the device is in use
 */
export async function fuzz(options: FuzzOptions = {}): Promise<FuzzOutcome> {
  const { only, variant, cases } = options;
  const { signal, now, onProgress } = runContext(options);
  const started = now();
  const project = await loadConfig(options.config);
  const loaded = options.judge === undefined ? project : underJudge(project, options.judge);
  const seed = options.seed === undefined ? secretSeed() : checkedSeed(options.seed);
  const replay = options.replay === undefined ? undefined : parseReplayLine(options.replay);
  const asked = fuzzSubjects(loaded, { only, variant, cases, replay });
  const ofReferences = options.oracleOnly === true;
  const subjects = ofReferences ? referenceSubjects(asked) : asked;
  const corpus = await Corpus.open(
    options.corpus === undefined ? join(loaded.root, CORPUS_FILE) : resolve(options.corpus),
  );
  noteBrokenLines(corpus, onProgress);
  const plans = subjects
    .map(({ plan }) => plan)
    .filter((plan) => (ofReferences ? mayHaveReference(plan) : isJudged(plan)));
  const [prepared, git] = await Promise.all([
    prepareFuzz(plans, {
      loaded,
      gpuIndex: options.gpu ?? 0,
      onProgress,
      signal,
      ofReferences,
      sanitize: options.sanitize,
    }),
    gitState(loaded.root),
  ]);
  const held = prepared.targets.map(({ target }) => target);
  const { wait_s } = options;
  const runs = runsDirectory(loaded.root);
  const leasing = { gpu: prepared.gpu, wait_s, signal, now, onProgress, runs, command: 'fuzz' };
  const { kernels, times } = await withDevices(held, leasing, async (lease) => {
    const fuzzed = await fuzzTargets(subjects, {
      targets: prepared.targets,
      skipped: prepared.skipped,
      ofReferences,
      sequence: {
        seed: BigInt(seed),
        count: options.count ?? (options.time_s === undefined ? DEFAULT_COUNT : Infinity),
        corpus: corpus.entries,
        matrix: options.matrix === true,
        names: cases,
        replay,
      },
      time_s: options.time_s,
      corpus: options.save === false || ofReferences || replay !== undefined ? undefined : corpus,
      commit: git?.commit,
      variant,
      audit: auditOf(options.audit, replay !== undefined),
      maxFailures: options.maxFailures ?? DEFAULT_MAX_FAILURES,
      timeout_ms: (options.timeout_s ?? loaded.config.measure.timeout_s) * 1000,
      signal,
      onProgress,
      now,
    });
    return { kernels: fuzzed, times: lease.times(now()) };
  }).finally(() => prepared.dispose());
  const ended = now();
  const cost = await recordCost(
    loaded,
    {
      what: 'fuzz',
      kernels: held.map(({ plan }) => plan.name),
      times,
      wall_s: (ended.getTime() - started.getTime()) / 1000,
      commit: git?.commit,
    },
    { now, onProgress },
  );
  const report: FuzzReport = {
    schema: FUZZ_SCHEMA,
    subject: ofReferences ? 'references' : 'kernels',
    result: resultOf(kernels, signal.aborted, { only, ofReferences }),
    seed,
    started_at: started.toISOString(),
    duration_s: cost.wall_s,
    cost,
    ...defined({ commit: git?.commit, dirty: git?.dirty }),
    corpus: relative(loaded.root, corpus.path),
    ...(signal.aborted ? { incomplete: 'interrupted before all cases were run' } : {}),
    kernels,
  };
  return { report, files: await writeFuzzReport(report, loaded.root, options.out) };
}

/** A single case is looked at in every way there is. */
function auditOf(audit: boolean | undefined, isSingle: boolean): 'all' | 'some' | 'none' {
  if (audit === false) return 'none';
  return audit === true || isSingle ? 'all' : 'some';
}

function resultOf(
  kernels: readonly FuzzedKernel[],
  isInterrupted: boolean,
  { only, ofReferences }: { readonly only: readonly string[] | undefined; readonly ofReferences: boolean },
): FuzzReport['result'] {
  // A kernel that does not build, or that cannot be loaded, as one without `pawl_run`.
  const isBroken = ({ absence }: FuzzedKernel) =>
    absence !== undefined &&
    (absence.reason === 'build-failed' || (!ofReferences && isKernelsOwn(absence.reason)));
  if (kernels.some((one) => one.state === 'failed' || isBroken(one))) return 'failed';
  if (isInterrupted || kernels.every(({ state }) => state === 'absent')) return 'undecided';
  // A kernel for a device that is not here is not a fault of this machine, unless it was asked for by name.
  const isMissed = kernels.some(({ kernel, state }) => state === 'absent' && only?.includes(kernel) === true);
  return isMissed ? 'undecided' : 'passed';
}

function noteBrokenLines({ brokenLines, path }: Corpus, onProgress: OnProgress): void {
  if (brokenLines.length === 0) return;
  const lines = `line${brokenLines.length === 1 ? '' : 's'} ${brokenLines.join(', ')}`;
  onProgress({
    type: 'note',
    level: 'warning',
    text: `${path}: ${lines} left out as unreadable`,
  });
}
