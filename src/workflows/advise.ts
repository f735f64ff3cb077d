/** `pawl advise`: what to do next about a kernel, by its profile and by how such fixes turned out before. */
import { defined } from '../model/defined.ts';
import { loadConfig, type LoadedConfig } from '../config/load-config.ts';
import { adviceFor, longestLaunch, profiledBy, type Profiled } from '../learn/advice/advice-for.ts';
import type { Advice } from '../model/learn/advice.ts';
import { ownHint, PawlError } from '../model/pawl-error.ts';
import type { Session } from '../model/learn/session.ts';
import type { Variant } from '../model/problem/variant.ts';
import type { Profilers } from '../profile/capture/profilers.ts';
import { latestProfile } from '../profile/latest-profile.ts';
import { diagnoseFile } from './diagnose.ts';
import { profileKernel } from './runs/profile.ts';
import { onlyKernel } from './project.ts';
import { earlierSessions } from '../learn/session/earlier-sessions.ts';
import type { ProcessContext } from '../os/run-context.ts';

/** Which kernel to advise on, and the profile to read: the latest one, a file, or one that is taken now. */
export interface AdviseOptions extends Partial<ProcessContext> {
  /** pawl.yaml or its folder; default: searched from the working directory upwards. */
  readonly config?: string;
  /** Default: the only kernel of pawl.yaml, or the kernel of the latest profile. */
  readonly kernel?: string;
  readonly case?: string;
  /** A file of Nsight Compute, as `pawl diagnose` takes it. Default: the latest profile below .pawl/profiles. */
  readonly profile?: string;
  /** Take a profile now. */
  readonly measure?: boolean;
  readonly variant?: Variant;
  /** Sessions to learn from. Default: those of the project and of its history. */
  readonly sessions?: (config: LoadedConfig) => Promise<readonly Session[]>;
  readonly gpu?: number;
  readonly wait_s?: number;
  readonly profilers?: Profilers;
}

/**
 * Ranks the fixes that a profile suggests, by how such fixes turned out in earlier sessions.
 *
 * @throws {PawlError} of kind `configuration` if pawl.yaml is missing or wrong; `usage` if it has no such kernel;
 * `unavailable` if there is no profile with findings
 */
export async function advise(options: AdviseOptions): Promise<Advice> {
  const loaded = await loadConfig(options.config);
  const profiled = await profileFor(loaded, options);
  const { sessions: read = (config) => earlierSessions(config, options.onProgress) } = options;
  const sessions = await read(loaded);
  return adviceFor(profiled, sessions, loaded);
}

async function profileFor(loaded: LoadedConfig, options: AdviseOptions): Promise<Profiled> {
  const { profile, measure, case: name, env, signal } = options;
  if (options.kernel !== undefined) checkKernel(loaded, options.kernel);
  if (profile !== undefined) {
    const kernel = options.kernel ?? onlyKernel(loaded);
    const running = defined({ env, signal });
    const { findings, device } = longestLaunch(await diagnoseFile({ file: profile, ...running }));
    return {
      kernel,
      device,
      findings,
      profile: { source: profile, ...defined({ case: name }) },
    };
  }
  if (measure === true) return measured(loaded, options);
  const { kernel } = options;
  const latest = await latestProfile(loaded.root, defined({ kernel, case: name }));
  const profiled = latest && isKnown(loaded, latest.kernel) ? profiledBy(latest) : undefined;
  if (profiled !== undefined) return profiled;
  throw new PawlError(
    'unavailable',
    `No profile${kernel === undefined ? '' : ` of ${kernel}`} has findings.`,
    `\`pawl advise ${kernel ?? 'KERNEL'} --measure\` takes one; \`--profile FILE.csv\` reads one from Nsight Compute.`,
  );
}

async function measured(loaded: LoadedConfig, options: AdviseOptions): Promise<Profiled> {
  const { case: name, variant, gpu, wait_s, profilers, env, signal, onProgress, now } = options;
  const report = await profileKernel({
    ...defined({ case: name, variant, gpu, wait_s, profilers, env, signal, onProgress, now }),
    config: loaded.path,
    kernel: options.kernel ?? onlyKernel(loaded),
  });
  const profiled = profiledBy(report);
  if (profiled !== undefined) return profiled;
  if (report.skipped !== undefined)
    throw new PawlError('unavailable', report.skipped.message, report.skipped.remedy);
  throw new PawlError(
    'unavailable',
    `The profile of ${report.kernel} has counters only; advice needs an Nsight Compute profile.`,
    ownHint('Choose a CUDA kernel, or see the counters with `pawl profile`.', 'profile'),
  );
}

function isKnown({ config }: LoadedConfig, kernel: string): boolean {
  return Object.hasOwn(config.kernels, kernel);
}

function checkKernel(loaded: LoadedConfig, kernel: string): void {
  if (isKnown(loaded, kernel)) return;
  throw new PawlError(
    'usage',
    `pawl.yaml has no kernel ${JSON.stringify(kernel)}.`,
    `It has ${Object.keys(loaded.config.kernels).join(', ')}.`,
  );
}
