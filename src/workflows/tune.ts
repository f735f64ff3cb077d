/** `pawl tune`: searches the variants of a kernel for a faster one, and confirms it. */
import { join, resolve } from 'node:path';

import { defined } from '../model/defined.ts';
import { makeFolder } from '../os/make-folder.ts';
import { writeDurably } from '../os/write-durably.ts';
import { didYouMean } from '../model/text/did-you-mean.ts';
import { loadConfig, type LoadedConfig } from '../config/load-config.ts';
import { planKernel } from '../config/plan-kernel.ts';
import type { Mode } from '../model/problem/mode.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Study } from '../model/tune/study-report.ts';
import type { StudySettings } from '../model/tune/study-settings.ts';
import { variantText, type Variant } from '../model/problem/variant.ts';
import type { Profilers } from '../profile/capture/profilers.ts';
import { SAMPLER_NAMES } from '../tune/search/create-sampler.ts';
import { recordStudy } from '../history/store/record-run.ts';
import { dispatchHeader, dispatchTable, type DispatchTable } from '../tune/study/dispatch-table.ts';
import { profileWinner } from './tune/profile-winner.ts';
import { runClusterStudy, type ClusterOptions } from './tune/cluster.ts';
import { runStudy, type StudyOptions } from './tune/run-study.ts';
import { latestStudy } from '../tune/study/study-folders.ts';
import { warmStart } from '../tune/search/warm-start.ts';
import { writeStudy } from './tune/write-study.ts';
import { runContext, type ProcessContext, type RunContext } from '../os/run-context.ts';

export { applyStudy } from '../tune/study/apply-study.ts';
export { showStudy } from '../tune/study/show-study.ts';

/** Which kernel to tune, for which cases, and how much to spend. */
export interface TuneOptions extends Partial<Omit<StudySettings, 'warm'>>, Partial<ProcessContext> {
  /** pawl.yaml or its folder; default: searched from the working directory upwards. */
  readonly config?: string;
  readonly kernel: string;
  /** The cases to tune for, with a study per case. Default: the kernel's only case. */
  readonly cases?: readonly string[];
  readonly mode?: Mode;
  /** Files of earlier studies, whose best variants are tried first. */
  readonly warm?: readonly string[];
  /** Continue this study, or (true) the latest study of each case. */
  readonly resume?: string | true;
  /** Builds at a time; default: processors less one, as far as memory goes. */
  readonly jobs?: number;
  /** Where reports go; default `tuning` below the project. */
  readonly out?: string;
  readonly timeout_s?: number;
  readonly clocks?: 'as-is' | 'lock';
  readonly gpu?: number;
  readonly wait_s?: number;
  /** Tune on a cluster. Default: on this machine. */
  readonly cluster?: ClusterOptions;
  /** Profile a confirmed winner. Default true; what a cluster found is profiled where there is such a device. */
  readonly profile?: boolean;
  /** The profilers to use. Default: those of the device. */
  readonly profilers?: Profilers;
  /** Store the study in the history. Default: as pawl.yaml says. */
  readonly history?: boolean;
}

/** A study per case, and the dispatch table where there are several. */
export interface TuneOutcome {
  readonly studies: readonly Study[];
  /** Only if several cases were tuned. */
  readonly dispatch?: DispatchTable;
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Searches the variants of a kernel for a faster one, case by case, and confirms the winner against the default.
 * Changes nothing in pawl.yaml: `applyStudy` does.
 *
 * @throws {PawlError} of kind `configuration` if pawl.yaml is missing or wrong; `usage` if the kernel, case or sampler
 * does not exist; `unavailable` if the kernel cannot run here; `try-again` if it was interrupted or the device is in
 * use
 * @example
 * ```ts
 * import { applyStudy, tune } from 'pawl';
 *
 * const { studies } = await tune({ kernel: 'softmax-cpu', cases: ['small'], budget_s: 300 });
 * const [study] = studies;
 * console.log(study?.result, study?.best?.variant, study?.reason);
 * if (study?.result === 'improved') await applyStudy({ id: study.id });
 * ```
 */
export async function tune(options: TuneOptions): Promise<TuneOutcome> {
  const { signal, now, onProgress } = runContext(options);
  const loaded = await loadConfig(options.config);
  const cases = casesOf(loaded, options);
  refuseUnknownSampler(options.sampler);
  const out = resolve(options.out ?? join(loaded.root, 'tuning'));
  const warm = await warmStart(options.warm ?? []);
  const running = { ...runningOptions(options), kernel: options.kernel, signal, onProgress, now };
  const outOf = (name: string): string => (cases.length === 1 ? out : join(out, name));
  const studies: Study[] = [];
  for (const name of cases) {
    const earlier = studies.flatMap(({ result, best }) =>
      result === 'improved' && best ? [best.variant] : [],
    );
    const settings = settingsOf(options, [...earlier, ...warm]);
    const resume = await resumeOf(loaded, options, name, cases.length);
    const asked = { ...running, case: name, settings, ...resume };
    const { study, folder } = await uninterrupted(signal, () =>
      options.cluster === undefined
        ? runStudy(loaded, asked)
        : runClusterStudy(loaded, asked, options.cluster),
    );
    const profile = await profileOf(study, loaded, { ...options, signal, onProgress });
    const complete = profile === undefined ? study : { ...study, profile };
    studies.push(await writeStudy(complete, outOf(name), folder));
    await recordStudy(complete, { ...options, config: loaded.path, onProgress });
    if (signal.aborted) break;
  }
  for (const [index, study] of studies.entries()) {
    const missing = signal.aborted || options.cluster !== undefined ? [] : missingWinners(study, studies);
    if (missing.length === 0) continue;
    // What is best for one shape is tried for the others, too: one variant for all saves a branch and a binary.
    const settings = {
      warm: missing,
      trials: study.trials.length + missing.length,
      ...(study.settings.budget_s === undefined ? {} : { budget_s: study.throughput.wall_s + CROSS_S }),
    };
    const again = await uninterrupted(signal, () =>
      runStudy(loaded, { ...running, case: study.case, settings, resume: study.id }),
    );
    const isSame = again.study.best?.trial === study.best?.trial;
    const profile = isSame
      ? study.profile
      : await profileOf(again.study, loaded, { ...options, signal, onProgress });
    const complete = profile === undefined ? again.study : { ...again.study, profile };
    studies[index] = await writeStudy(complete, outOf(study.case), again.folder);
    await recordStudy(complete, { ...options, config: loaded.path, onProgress });
  }
  if (studies.length < 2) return { studies, files: studies[0]?.files ?? {} };
  const dispatch = dispatchTable(studies);
  const files = { dispatch: join(out, 'dispatch.json'), header: join(out, 'dispatch.hpp') };
  await makeFolder(out);
  await writeDurably(files.dispatch, `${JSON.stringify(dispatch, undefined, 2)}\n`);
  await writeDurably(files.header, dispatchHeader(dispatch));
  return { studies, dispatch, files };
}

/** Time for trying the winners of other shapes, beyond a study's own. */
const CROSS_S = 120;

/** Winners of other cases that a study has no trial of. */
function missingWinners({ trials, settings, case: name }: Study, studies: readonly Study[]): Variant[] {
  // Money that was not to be spent is not.
  if (settings.max_cost !== undefined) return [];
  const tried = new Set(trials.map(({ variant }) => variantText(variant)));
  return studies.flatMap(({ result, best, case: other }) =>
    other !== name && result === 'improved' && best && !tried.has(variantText(best.variant))
      ? [best.variant]
      : [],
  );
}

async function profileOf(
  study: Study,
  loaded: LoadedConfig,
  { profile, cluster, gpu = 0, wait_s = 0, ...running }: TuneOptions & ProfileRunning,
): Promise<Study['profile']> {
  const { signal, onProgress, profilers, env } = running;
  if (study.result !== 'improved' || profile === false || cluster !== undefined || signal.aborted)
    return undefined;
  return profileWinner(study, {
    config: loaded.path,
    gates: loaded.config.kernels[study.kernel]?.gates,
    gpu,
    wait_s,
    signal,
    onProgress,
    ...defined({ profilers, env }),
  });
}

type ProfileRunning = Pick<RunContext, 'signal' | 'onProgress'>;

/** What was written down is there; what was to come never began. */
async function uninterrupted<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!signal.aborted || error instanceof PawlError) throw error;
    throw new PawlError('try-again', 'Interrupted.', 'Continue with --resume.');
  }
}

/** Before anything is built: a study that cannot search must not begin. */
function refuseUnknownSampler(name: string | undefined): void {
  if (name === undefined || (SAMPLER_NAMES as readonly string[]).includes(name)) return;
  throw new PawlError(
    'usage',
    `There is no sampler ${name}${didYouMean(name, SAMPLER_NAMES)}.`,
    `There are ${SAMPLER_NAMES.join(', ')}.`,
  );
}

function casesOf(loaded: LoadedConfig, { kernel, cases }: TuneOptions): string[] {
  const known = planKernel(loaded, kernel).cases.map(({ name }) => name);
  if (cases === undefined || cases.length === 0) {
    if (known.length === 1) return known;
    throw new PawlError(
      'usage',
      `Kernel ${kernel} has several cases.`,
      `Give --case NAME, once or more: ${known.join(', ')}`,
    );
  }
  // Throws for one that the kernel does not have, and says which there are.
  planKernel(loaded, kernel, { cases });
  return [...new Set(cases)];
}

/** Only what was said: a resumed study keeps the rest. */
function settingsOf(options: TuneOptions, warm: StudySettings['warm']): Partial<StudySettings> {
  const { sampler, seed, trials, budget_s, max_cost, start, confirm, processes, samples } = options;
  const said = { sampler, seed, trials, budget_s, max_cost, start, confirm, processes, samples };
  const settings = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  return warm.length === 0 ? settings : { ...settings, warm };
}

function runningOptions({ mode, jobs, timeout_s, clocks, gpu, wait_s }: TuneOptions): Partial<StudyOptions> {
  const said = { mode, jobs, timeout_s, clocks, gpu, wait_s };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** Of several cases, those that have no study yet are begun: the kill may have come before them. */
async function resumeOf(
  loaded: LoadedConfig,
  { resume, kernel, cluster }: TuneOptions,
  name: string,
  cases: number,
): Promise<{ readonly resume?: string | true }> {
  if (resume === undefined) return {};
  if (typeof resume === 'string' && cases > 1) {
    throw new PawlError(
      'usage',
      '--resume with an id works for one case only.',
      'Give --resume without an id, or one --case.',
    );
  }
  if (
    cluster === undefined &&
    cases > 1 &&
    (await latestStudy(loaded.root, { kernel, case: name })) === undefined
  )
    return {};
  return { resume };
}
