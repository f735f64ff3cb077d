import { defined } from '../../model/defined.ts';
import { calibrationDir } from '../../build/cache-dirs.ts';
import { leastBytes } from '../../config/least-bytes.ts';
import type { CasePlan } from '../../config/plan-kernel.ts';
import { physicalFloor } from '../../correctness/physical-floor.ts';
import { CalibrationStore } from '../../device/calibration-store.ts';
import type { Mode } from '../../model/problem/mode.ts';
import type { Capture, RooflineReport } from '../../model/profile/profile-report.ts';
import type { Profile } from '../../model/profile/profile.ts';
import type { Captured, CaptureRequest, Profiler, Skipped, Taken } from '../capture/profiler.ts';
import { doubtAbout } from '../../model/device/believed-ceilings.ts';
import type { CapturedLines } from '../lines/code-lines.ts';
import { withLines } from '../lines/findings-at-lines.ts';
import { hotLines } from '../lines/hot-lines.ts';
import { SourceFiles } from '../lines/source-text.ts';
import { placeOnRoofline } from '../place-on-roofline.ts';
import type { Problem } from '../facts/problem.ts';
import type { Target } from '../../runner/target.ts';
import type { PreparedSide } from '../../rig/prepared-side.ts';
import { diagnosisOf } from '../diagnosis-of.ts';

/** A side that was profiled: what is written down, and the profile itself for comparing. */
export interface CapturedSide {
  readonly status: 'captured';
  readonly capture: Capture;
  readonly profile: Profile | undefined;
  readonly problem: Problem;
  /** Launch by launch; empty where nothing was sampled. */
  readonly lines: readonly CapturedLines[];
  readonly sources: SourceFiles;
}

export interface CaptureSideOptions extends Omit<CaptureRequest, 'target' | 'case' | 'capability' | 'cold'> {
  readonly profiler: Profiler;
  /** The project's folder as this side has it, and where people work in it. */
  readonly root: string;
  readonly main: string;
  readonly mode: Mode;
  readonly now: () => Date;
}

/** A side that was profiled. To read what the profiler left takes no device. */
export interface TakenSide {
  readonly status: 'taken';
  /** Says what the profile means. */
  read(): Promise<CapturedSide | Skipped>;
}

/** Profiles the one case of a side that was built. */
export async function takeSide(
  side: PreparedSide,
  options: CaptureSideOptions,
): Promise<TakenSide | Skipped> {
  const { profiler, mode, now, root: _, main: __, ...request } = options;
  const target = side.targets[0]!;
  const started = now();
  const taken = await profiler.take({
    ...request,
    target,
    case: target.plan.cases[0]!,
    cold: mode === 'cold',
    capability: side.gpu?.info.compute_capability,
  });
  if (taken.status === 'skipped') return taken;
  const took_ms = now().getTime() - started.getTime();
  return { status: 'taken', read: async () => readSide(side, taken, { ...options, started, took_ms }) };
}

async function readSide(
  side: PreparedSide,
  taken: Taken,
  {
    mode,
    now,
    root,
    main,
    started,
    took_ms,
  }: CaptureSideOptions & { readonly started: Date; readonly took_ms: number },
): Promise<CapturedSide | Skipped> {
  const target = side.targets[0]!;
  const plan = target.plan.cases[0]!;
  const began = now();
  const outcome = await taken.read();
  if (outcome.status === 'skipped') return outcome;
  const seconds = (took_ms + now().getTime() - began.getTime()) / 1000;
  const { profile } = outcome;
  const problem = problemOf(target, plan, mode, outcome);
  const sources = new SourceFiles(root, main);
  const hot_lines = outcome.lines?.map(({ table, lines }) => hotLines(table, lines, sources));
  const diagnosis = profile && withLines(diagnosisOf(profile, { problem }), hot_lines ?? []);
  const times_us = diagnosis?.kernels.map(({ duration_us }) => duration_us) ?? [];
  const { roofline, doubt } = await placed(target, plan, mode, outcome, sum_ms(times_us));
  return {
    status: 'captured',
    profile,
    problem,
    lines: outcome.lines ?? [],
    sources,
    capture: {
      ...defined({ commit: side.git?.commit, dirty: side.git?.dirty }),
      device: outcome.device,
      profiler: outcome.profiler,
      started_at: started.toISOString(),
      seconds,
      launches: outcome.launches,
      files: { ...outcome.files },
      ...defined({ diagnosis }),
      ...(outcome.counters === undefined ? {} : { counters: [...outcome.counters] }),
      ...defined({ hot_lines, roofline }),
      notes: [...outcome.notes, ...(doubt === undefined ? [] : [doubt])],
    },
  };
}

/** The problem's amounts are those of a whole call: of several launches, none has to move them all. */
function problemOf(
  target: Target,
  plan: CasePlan,
  mode: Mode,
  { device, launches, notes }: Captured,
): Problem {
  if (launches !== 1 || notes.length > 0) return {};
  const floor = physicalFloor(plan, { device, mode, threads: target.plan.threads });
  const minimumBytes = leastBytes(plan);
  return {
    ...defined({ minimumBytes }),
    ...(floor === undefined ? {} : { floorUs: 1000 * floor.floor_ms }),
  };
}

async function placed(
  { plan: { name } }: Target,
  plan: CasePlan,
  mode: Mode,
  { device, notes }: Captured,
  time_ms: number | undefined,
): Promise<{ readonly roofline?: RooflineReport | undefined; readonly doubt?: string | undefined }> {
  // Launches that were left out took time, too.
  if (time_ms === undefined || notes.length > 0) return {};
  const calibration = await new CalibrationStore(await calibrationDir(process.env)).find(device);
  if (calibration === undefined) return {};
  const roofline = placeOnRoofline({ kernel: name, case: plan, mode, time_ms }, calibration);
  return { roofline, doubt: doubtAbout(calibration) };
}

function sum_ms(times_us: readonly (number | undefined)[]): number | undefined {
  const known = times_us.filter((time) => time !== undefined);
  if (known.length === 0 || known.length < times_us.length) return undefined;
  return known.reduce((sum, time) => sum + time, 0) / 1000;
}
