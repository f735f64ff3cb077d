import type { CasePlan } from '../../config/plan-kernel.ts';
import type { DeviceInfo } from '../../model/device/device.ts';
import type { Capture, Counter, ProfileSkip } from '../../model/profile/profile-report.ts';
import type { Profile } from '../../model/profile/profile.ts';
import type { Target } from '../../runner/target.ts';
import type { ProcessContext } from '../../os/run-context.ts';
import type { Environment } from '../../os/environment.ts';
import type { CapturedLines } from '../lines/code-lines.ts';

/** What is to be profiled, and where its files go. */
export interface CaptureRequest extends Pick<ProcessContext, 'signal' | 'env'> {
  readonly target: Target;
  readonly case: CasePlan;
  /** Whether caches are emptied before each pass, as cold samples have it. */
  readonly cold: boolean;
  readonly set: 'full' | 'fast';
  /** Of the GPU, where it is known: `9.0`. */
  readonly capability?: string | undefined;
  /** An existing folder, and what the names of files in it begin with. */
  readonly folder: string;
  readonly stem: string;
  /** The most that the capture may take, all of it. */
  readonly timeout_ms: number;
  readonly seed: string;
}

export interface Captured {
  readonly status: 'captured';
  readonly profiler: Capture['profiler'];
  readonly device: DeviceInfo;
  readonly launches: number;
  readonly files: Readonly<Record<string, string>>;
  /** ncu's. */
  readonly profile?: Profile;
  /** ncu's, launch by launch: samples by instruction. */
  readonly lines?: readonly CapturedLines[];
  /** perf's. */
  readonly counters?: readonly Counter[];
  readonly notes: readonly string[];
}

/** The device has done its part: what the profiler left is read without it. */
export interface Taken {
  readonly status: 'taken';
  read(): Promise<Captured | Skipped>;
}

/** Failing is normal for a profiler, and must not cost the run that asked for it: it is a value. */
export interface Skipped extends ProfileSkip {
  readonly status: 'skipped';
}

export type ProfilerSearch =
  | { readonly status: 'found'; readonly path: string; readonly version: string | undefined }
  | Skipped;

/** A program that tells why a kernel takes the time it takes. */
export interface Profiler {
  readonly name: Capture['profiler']['name'];
  /** Whether it is there and can count. Quick: asked before anything is built. */
  find(env: Environment): Promise<ProfilerSearch>;
  take(request: CaptureRequest): Promise<Taken | Skipped>;
}

export function skipped(reason: ProfileSkip['reason'], message: string, remedy: string): Skipped {
  return { status: 'skipped', reason, message, remedy };
}
