/** `pawl profile`: a case under a profiler, what that says, and what changed since another revision. */
import { join, resolve } from 'node:path';

import { makeFolder } from '../../os/make-folder.ts';
import { writeDurably } from '../../os/write-durably.ts';
import { loadConfig, type LoadedConfig } from '../../config/load-config.ts';
import { planKernel, type KernelPlan } from '../../config/plan-kernel.ts';
import { hotLineSchema, type HotLines } from '../../model/profile/hot-lines.ts';
import type { Mode } from '../../model/problem/mode.ts';
import { PawlError } from '../../model/pawl-error.ts';
import {
  PROFILE_SCHEMA,
  type CodeReport,
  type ProfileReport,
  type ProfileSkip,
} from '../../model/profile/profile-report.ts';
import type { Variant } from '../../model/problem/variant.ts';
import { PROFILERS, type Profilers } from '../../profile/capture/profilers.ts';
import type { Skipped } from '../../profile/capture/profiler.ts';
import { readCode } from '../../profile/cpu/read-code.ts';
import { compareCounters } from '../../profile/compare-counters.ts';
import { compareProfiles } from '../../profile/compare-profiles.ts';
import { refuseEmptyBench } from '../../rig/bench-result.ts';
import { secretSeed } from '../../rig/bench-settings.ts';
import { defined } from '../../model/defined.ts';
import { runsDirectory } from './bench/recover-runs.ts';
import { withDevices } from '../../rig/with-devices.ts';
import { prepareSide, type PreparedSide } from '../../rig/prepared-side.ts';
import { Worktrees, WORKTREE, type CheckedOut } from '../../rig/worktrees.ts';
import { recordProfile } from '../../history/store/record-run.ts';
import { recordCost, runCost } from '../../rig/cost-of-run.ts';
import { pairLaunches } from '../../profile/pair-launches.ts';
import { takeSide, type CapturedSide } from '../../profile/side/capture-side.ts';
import { atLines, linesSide } from './profile/compare-at-lines.ts';
import { drawLines, drawProfile } from './profile/draw-profile.ts';
import { unprofiledCode } from './profile/unprofiled-code.ts';
import { comparedSamples, sampleSides, type BuiltSide, type SampledSides } from './profile/sampled-sides.ts';
import { processContext, type ProcessContext } from '../../os/run-context.ts';

/** Which kernel and case to profile, and how. */
export interface ProfileOptions extends Partial<ProcessContext> {
  /** pawl.yaml or its folder; default: searched from the working directory upwards. */
  readonly config?: string;
  readonly kernel: string;
  /** Default: the first that the kernel has. */
  readonly case?: string;
  readonly variant?: Variant;
  /** A commit, branch or tag to profile as well, and compare with. */
  readonly base?: string;
  /** `cold` empties the caches before each pass. Default: the mode of pawl.yaml. */
  readonly mode?: Mode;
  /** `full`: all metrics; `fast`: those that the rules read. Default `full`. */
  readonly set?: 'full' | 'fast';
  /** Default: `.pawl/profiles/<time>-<kernel>-<case>`. */
  readonly out?: string;
  readonly gpu?: number;
  /** The time limit of one capture. Default 300. */
  readonly timeout_s?: number;
  readonly wait_s?: number;
  readonly profilers?: Profilers;
  /** Add the cost of the run to the project's ledger. Default true; false for a part of a larger run. */
  readonly recordsCost?: boolean;
  /** Store the profile in the history. Default: as pawl.yaml says. */
  readonly history?: boolean;
}

/** A full set takes about 40 passes a launch, each with its memory saved and restored. */
const TIMEOUT_S = 300;

/** Beyond these, a line costs next to nothing. */
const MOST_LINES = 50;

/**
 * Profiles a kernel in one case, and with `base` another revision beside it: counters, limits, hot lines, and what
 * changed. Where no profiler can run, `skipped` says why.
 *
 * @throws {PawlError} of kind `configuration` if pawl.yaml is missing or wrong; `usage` if the kernel, case or revision
 * does not exist; `does-not-build` or `unavailable` if the kernel cannot be built or run here; `try-again` if the
 * device is in use
 * @example
 * ```ts
 * import { profileKernel } from 'pawl';
 *
 * const { skipped, summary, folder } = await profileKernel({
 *   kernel: 'softmax-cpu',
 *   case: 'wide',
 *   base: 'main',
 * });
 * console.log(skipped?.message ?? summary, folder);
 * ```
 */
export async function profileKernel(options: ProfileOptions): Promise<ProfileReport> {
  const report = await captureAndReport(options);
  await recordProfile(report, options);
  return report;
}

async function captureAndReport(options: ProfileOptions): Promise<ProfileReport> {
  const { profilers = PROFILERS } = options;
  const { signal, now, onProgress, env } = processContext(options);
  const started = now();
  const main = await loadConfig(options.config);
  const plan = oneCase(main, options);
  const mode = options.mode ?? main.config.measure.mode;
  const subject = {
    schema: PROFILE_SCHEMA,
    kernel: plan.name,
    case: plan.cases[0]!.name,
    variant: plan.variant,
    mode,
  } as const;
  const seconds = () => (now().getTime() - started.getTime()) / 1000;
  const profiler = profilers[plan.device];
  // Before anything is built: most machines that have no profiler will never have one.
  const found = await profiler.find(env);
  const folder = resolve(options.out ?? join(main.root, '.pawl', 'profiles', folderName(plan, started)));
  const write = (report: ProfileReport): Promise<void> =>
    writeDurably(join(folder, 'profile.json'), `${JSON.stringify(report, undefined, 2)}\n`);

  const worktrees = new Worktrees(main, signal);
  try {
    const building = { main, gpuIndex: options.gpu ?? 0, onProgress, signal };
    const build = async (plans: readonly KernelPlan[], checkedOut: CheckedOut): Promise<PreparedSide> =>
      prepareSide(plans, { ...building, ...checkedOut });
    const waiting = { wait_s: options.wait_s, signal, now, onProgress, runs: runsDirectory(main.root) };
    const timeout_ms = (options.timeout_s ?? TIMEOUT_S) * 1000;
    const sample = (is: BuiltSide, was: BuiltSide | undefined): Promise<SampledSides | undefined> =>
      sampleSides(is, was, { main: main.root, seed: secretSeed(), timeout_ms, env, signal });
    /** Of a CUDA library that cannot be profiled, its code still says something. */
    const unprofiled = (side: PreparedSide) =>
      unprofiledCode(side, { main, plan, mode, seed: secretSeed(), timeout_ms, env, signal, now });
    const unprofiledAlone = async (built: PreparedSide) => {
      if (built.targets.length === 0 || plan.device !== 'cuda') return {};
      const asked = { gpu: built.gpu, ...waiting, command: 'profile' };
      return withDevices(built.targets, asked, () => unprofiled(built));
    };
    /** Where nothing can be counted, the lines still can be sampled, and those of the base beside them. */
    const sampledAlone = async (built: PreparedSide) => {
      if (built.targets.length === 0 || plan.device !== 'cpu') return undefined;
      const base = await baseSide(worktrees, options, plan, build);
      const asked = { gpu: built.gpu, ...waiting, command: 'profile' };
      return withDevices(built.targets, asked, async (lease) => {
        const sides = await sample({ side: built, root: main.root }, base);
        const device_s = (now().getTime() - lease.since.getTime()) / 1000;
        return sides && { sides, device_s, device: lease.names[0] };
      });
    };
    if (found.status === 'skipped') {
      const built =
        plan.device === 'cpu'
          ? await build([plan], await worktrees.checkOut(WORKTREE))
          : await builtIfPossible(async () => build([plan], await worktrees.checkOut(WORKTREE)));
      const code = built && (await codeOf(built, { env, signal, now }));
      const compiled = built === undefined ? {} : await unprofiledAlone(built);
      const samples = built && (await sampledAlone(built));
      const report: ProfileReport = {
        ...subject,
        skipped: skipOf(found),
        ...defined({ code }),
        ...compiled,
        ...(samples === undefined ? {} : sampledPart(samples.sides)),
        seconds: seconds(),
        device_s: samples?.device_s ?? 0,
        ...defined({ device: samples?.device }),
      };
      if ([code, samples, compiled.static_lines].every((one) => one === undefined)) return report;
      await makeFolder(folder);
      const told = { ...report, folder, ...(await drawLines(folder, report)) };
      await write(told);
      return told;
    }
    const prepare = async (plans: readonly KernelPlan[], checkedOut: CheckedOut): Promise<PreparedSide> => {
      const side = await build(plans, checkedOut);
      refuseEmptyBench(side.targets, side.skipped);
      return side;
    };
    const head = await prepare([plan], await worktrees.checkOut(WORKTREE));
    const base = await baseSide(worktrees, options, plan, prepare);
    const code = await codeOf(head, { env, signal, now });
    await makeFolder(folder);
    const asked = { gpu: head.gpu, ...waiting, command: 'profile' };
    const sides = base === undefined ? 1 : 2;
    const held = await withDevices(head.targets, asked, async (lease) => {
      const take = (side: PreparedSide, stem: string, root: string) => {
        onProgress({ type: 'step', done: stem === 'head' ? 0 : 1, label: `${plan.name} ${stem}` });
        return takeSide(side, {
          profiler,
          root,
          main: main.root,
          mode,
          set: options.set ?? 'full',
          folder,
          stem,
          timeout_ms,
          seed: secretSeed(),
          env,
          signal,
          now,
        });
      };
      onProgress({ type: 'started', title: 'profiling', work: 'profile', total: sides });
      const is = await take(head, 'head', main.root);
      const was =
        base === undefined || is.status === 'skipped' ? undefined : await take(base.side, 'base', base.root);
      const samples = is.status === 'taken' ? await sample({ side: head, root: main.root }, base) : undefined;
      const compiled = is.status === 'skipped' ? await unprofiled(head) : undefined;
      const ended = now();
      const device_s = (ended.getTime() - lease.since.getTime()) / 1000;
      return { is, was, samples, compiled, times: lease.times(ended), device_s, device: lease.names[0] };
    });
    // Reading takes seconds, and the device is not idle for it.
    onProgress({ type: 'step', done: sides, label: `reading ${plan.name}` });
    const [is, was] = await Promise.all([
      held.is.status === 'taken' ? held.is.read() : held.is,
      held.was?.status === 'taken' ? held.was.read() : held.was,
    ]);
    onProgress({ type: 'finished' });
    const compiled = held.compiled ?? (is.status === 'skipped' ? await unprofiledAlone(head) : {});
    const samples = is.status === 'captured' ? held.samples : undefined;
    const pages =
      is.status === 'captured'
        ? await drawProfile(folder, is, was?.status === 'captured' ? was : undefined, env)
        : undefined;
    const run = {
      what: 'profile',
      kernels: [plan.name],
      times: held.times,
      wall_s: seconds(),
      commit: is.status === 'captured' ? is.capture.commit : undefined,
    };
    const { money } =
      options.recordsCost === false
        ? runCost(run.times, run.wall_s, main.config.cost)
        : await recordCost(main, run, { env, now, onProgress });
    const report: ProfileReport = {
      ...subject,
      ...(is.status === 'captured' ? { head: is.capture } : { skipped: skipOf(is) }),
      ...(is.status === 'captured' && was?.status === 'captured' ? { base: was.capture } : {}),
      ...(is.status === 'captured' && was?.status === 'skipped' ? { skipped: skipOf(was) } : {}),
      ...defined({ lines: linesOf(is), code }),
      ...compiled,
      ...(is.status === 'captured' && was?.status === 'captured' ? compared(was, is, samples) : {}),
      ...(samples === undefined ? {} : sampledLines(samples)),
      seconds: run.wall_s,
      device_s: held.device_s,
      ...defined({ device: held.device, money }),
      folder,
      ...defined({ pages }),
    };
    // Counters have no picture; the lines of the same kernel have a page.
    const told = pages === undefined ? { ...report, ...(await drawLines(folder, report)) } : report;
    await write(told);
    return told;
  } finally {
    await worktrees.remove();
  }
}

/** A machine that has no profiler may have no compiler either: that is not what was asked for. */
async function builtIfPossible(build: () => Promise<PreparedSide>): Promise<PreparedSide | undefined> {
  try {
    return await build();
  } catch (error) {
    if (!(error instanceof PawlError)) throw error;
    return undefined;
  }
}

/** What the compiled code shows, of a CPU kernel that has one. */
async function codeOf(
  { targets: [target] }: PreparedSide,
  working: Pick<ProcessContext, 'env' | 'signal' | 'now'>,
): Promise<CodeReport | undefined> {
  const library = target?.plan.device === 'cpu' ? target.open.kernel : undefined;
  if (library === undefined || !('library' in library)) return undefined;
  return readCode(library.library, { flags: target?.binary?.flags ?? [], ...working });
}

/** Tables of lines change nothing in the code of a C or C++ kernel; CUDA's builds have them anyway. */
function withLineInfo(plan: KernelPlan): KernelPlan {
  return plan.device === 'cpu' && plan.language !== 'python'
    ? { ...plan, flags: [...plan.flags, '-g1'] }
    : plan;
}

function oneCase(loaded: LoadedConfig, { kernel, variant, ...options }: ProfileOptions): KernelPlan {
  const plan = planKernel(loaded, kernel, {
    ...defined({ variant }),
    ...(options.case === undefined ? {} : { cases: [options.case] }),
  });
  const [first] = plan.cases;
  if (first === undefined) throw new PawlError('configuration', `Kernel ${kernel} has no case to profile.`);
  return { ...withLineInfo(plan), cases: [first] };
}

async function baseSide(
  worktrees: Worktrees,
  { base, variant }: ProfileOptions,
  { name, cases }: KernelPlan,
  prepare: (plans: readonly KernelPlan[], checkedOut: CheckedOut) => Promise<PreparedSide>,
): Promise<BuiltSide | undefined> {
  if (base === undefined) return undefined;
  const checkedOut = await worktrees.checkOut(base);
  const plan = planKernel(checkedOut.loaded, name, {
    cases: cases.map((each) => each.name),
    ...defined({ variant }),
  });
  return { side: await prepare([withLineInfo(plan)], checkedOut), root: checkedOut.loaded.root };
}

/** Of a CPU kernel that was sampled, whether or not it was counted. */
function sampledPart(sides: SampledSides): Partial<ProfileReport> {
  return { ...sampledLines(sides), ...comparedSamples(sides, undefined) };
}

function sampledLines({ head, base }: SampledSides): Partial<ProfileReport> {
  return { lines: linesAlone(head.hot), sampled: head.hot, ...defined({ base_sampled: base?.hot }) };
}

function compared(
  was: CapturedSide,
  is: CapturedSide,
  samples: SampledSides | undefined,
): Pick<ProfileReport, 'comparisons' | 'summary'> {
  if (was.profile === undefined || is.profile === undefined) {
    const summary = compareCounters(was.capture.counters ?? [], is.capture.counters ?? []);
    return samples === undefined ? { summary } : comparedSamples(samples, summary);
  }
  try {
    const comparisons = pairLaunches(was.profile.launches, is.profile.launches).map(([before, after]) =>
      atLines(compareProfiles(before, after, is.problem), {
        was: linesSide(was, before),
        is: linesSide(is, after),
      }),
    );
    const longest = comparisons.toSorted((one, other) => (other.after_us ?? 0) - (one.after_us ?? 0))[0];
    return { comparisons, ...defined({ summary: longest?.summary }) };
  } catch (error) {
    // Two implementations that share no function are still two diagnoses.
    if (!(error instanceof PawlError)) throw error;
    return { summary: error.message };
  }
}

const withoutCode = hotLineSchema.omit({ instructions: true });

function linesAlone({ lines }: HotLines): ProfileReport['lines'] {
  return lines.slice(0, MOST_LINES).map((line) => withoutCode.parse(line));
}

/** Of several launches, the longest is what the time goes into. */
function linesOf(side: CapturedSide | Skipped): ProfileReport['lines'] {
  if (side.status === 'skipped') return undefined;
  const { hot_lines = [], diagnosis } = side.capture;
  const time = (index: number): number => diagnosis?.kernels[index]?.duration_us ?? 0;
  const [longest] = [...hot_lines.entries()].toSorted(([one], [other]) => time(other) - time(one));
  return longest && linesAlone(longest[1]);
}

function folderName({ name, cases }: KernelPlan, started: Date): string {
  const time = started.toISOString().replaceAll(/[:.]/g, '-');
  return `${time}-${name}-${cases[0]?.name ?? ''}`;
}

function skipOf({ reason, message, remedy }: Skipped): ProfileSkip {
  return { reason, message, remedy };
}
