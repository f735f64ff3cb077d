/** `pawl tune`: searches the variants of a kernel for a faster one, and confirms it (S24–S27). */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { writeDurably } from '../build/write-durably.ts';
import { loadConfig, type LoadedConfig } from '../config/load-config.ts';
import { planKernel } from '../config/plan-kernel.ts';
import type { Mode } from '../model/mode.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { OnProgress } from '../model/progress.ts';
import type { Study } from '../model/study-report.ts';
import type { StudySettings } from '../model/study-settings.ts';
import { dispatchHeader, dispatchTable, type DispatchTable } from './tune/dispatch-table.ts';
import { profileWinner } from './tune/profile-winner.ts';
import { runClusterStudy, type ClusterOptions } from './tune/cluster.ts';
import { runStudy, type StudyOptions } from './tune/run-study.ts';
import { latestStudy } from './tune/study-folders.ts';
import { warmStart } from './tune/warm-start.ts';
import { writeStudy } from './tune/write-study.ts';

export { applyStudy, type AppliedStudy, type ApplyOptions } from './tune/apply-study.ts';
export { showStudy } from './tune/show-study.ts';

export interface TuneOptions extends Partial<Omit<StudySettings, 'warm'>> {
  /** pawl.yaml or its folder; default: searched from the working directory upwards. */
  readonly config?: string;
  readonly kernel: string;
  /** A study for each. Default: the kernel's only case. */
  readonly cases?: readonly string[];
  readonly mode?: Mode;
  /** Studies whose best variants are tried first: files that an earlier study wrote. */
  readonly warm?: readonly string[];
  /** Go on with this study, or with the latest one of each case. */
  readonly resume?: string | true;
  /** Builds at a time; default: processors less one, as far as memory goes. */
  readonly jobs?: number;
  /** Where reports go; default `tuning` below the project. */
  readonly out?: string;
  readonly timeout_s?: number;
  readonly clocks?: 'as-is' | 'lock';
  readonly gpu?: number;
  readonly wait_s?: number;
  /** Let a cluster do it. Default: this machine. */
  readonly cluster?: ClusterOptions;
  /** Profile a confirmed winner. Default true; what a cluster found is profiled where there is such a device. */
  readonly profile?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
  readonly now?: () => Date;
}

export interface TuneOutcome {
  readonly studies: readonly Study[];
  /** Where several cases were tuned. */
  readonly dispatch?: DispatchTable;
  readonly files: Readonly<Record<string, string>>;
}

/** Tunes a kernel for each case, one study after the other. */
export async function tune(options: TuneOptions): Promise<TuneOutcome> {
  const signal = options.signal ?? new AbortController().signal;
  const onProgress = options.onProgress ?? (() => undefined);
  const now = options.now ?? (() => new Date());
  const loaded = await loadConfig(options.config);
  const cases = casesOf(loaded, options);
  const out = resolve(options.out ?? join(loaded.root, 'tuning'));
  const warm = await warmStart(options.warm ?? []);
  const studies: Study[] = [];
  for (const name of cases) {
    const running = { ...runningOptions(options), signal, onProgress, now, kernel: options.kernel, case: name };
    const earlier = studies.flatMap(({ result, best }) => (result === 'improved' && best ? [best.variant] : []));
    const settings = settingsOf(options, [...earlier, ...warm]);
    const resume = await resumeOf(loaded, options, name, cases.length);
    try {
      const asked = { ...running, settings, ...resume };
      const { study, folder } = await (options.cluster === undefined
        ? runStudy(loaded, asked)
        : runClusterStudy(loaded, asked, options.cluster));
      const profile =
        study.result === 'improved' &&
        options.profile !== false &&
        options.cluster === undefined &&
        !signal.aborted
          ? await profileWinner(study, {
              config: loaded.path,
              gpu: options.gpu ?? 0,
              wait_s: options.wait_s ?? 0,
              signal,
              onProgress,
            })
          : undefined;
      const complete = profile === undefined ? study : { ...study, profile };
      studies.push(await writeStudy(complete, cases.length === 1 ? out : join(out, name), folder));
    } catch (error) {
      // What was written down is there; what was to come never began.
      if (!signal.aborted || error instanceof PawlError) throw error;
      throw new PawlError('try-again', 'Interrupted.', 'Go on with --resume.');
    }
    if (signal.aborted) break;
  }
  if (studies.length < 2) return { studies, files: studies[0]?.files ?? {} };
  const dispatch = dispatchTable(studies);
  const files = { dispatch: join(out, 'dispatch.json'), header: join(out, 'dispatch.hpp') };
  await mkdir(out, { recursive: true });
  await writeDurably(files.dispatch, `${JSON.stringify(dispatch, undefined, 2)}\n`);
  await writeDurably(files.header, dispatchHeader(dispatch));
  return { studies, dispatch, files };
}

function casesOf(loaded: LoadedConfig, { kernel, cases }: TuneOptions): string[] {
  const known = planKernel(loaded, kernel).cases.map(({ name }) => name);
  if (cases === undefined || cases.length === 0) {
    if (known.length === 1) return known;
    throw new PawlError(
      'usage',
      `Kernel ${kernel} has several cases: say which to tune for.`,
      `--case NAME, once or more: ${known.join(', ')}`,
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
    throw new PawlError('usage', 'One study is of one case.', 'Give --resume without an id, or one --case.');
  }
  if (cluster === undefined && cases > 1 && (await latestStudy(loaded.root, { kernel, case: name })) === undefined) return {};
  return { resume };
}
