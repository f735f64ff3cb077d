import { defined } from '../../model/defined.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { ADVICE_SCHEMA, type Advice } from '../../model/learn/advice.ts';
import type { Diagnosis, Finding } from '../../model/profile/diagnosis.ts';
import type { ProfileReport } from '../../model/profile/profile-report.ts';
import type { Session } from '../../model/learn/session.ts';
import { UNKNOWN_DEVICE } from './likeness.ts';
import { outcomesOf } from './outcomes-of.ts';
import { predictionError } from './prediction-error.ts';
import { rankFixes } from './rank-fixes.ts';
import { RECORDED_OUTCOMES } from './recorded-outcomes.ts';

/** What was profiled, wherever it comes from. */
export interface Profiled {
  readonly kernel: string;
  readonly device: string;
  readonly findings: readonly Finding[];
  readonly profile: NonNullable<Advice['profile']>;
}

/** The advice for findings that are at hand. */
export function adviceFor(
  { kernel, device, findings, profile }: Profiled,
  sessions: readonly Session[],
  { config }: Pick<LoadedConfig, 'config'>,
): Advice {
  const kind = config.kernels[kernel]!.problem;
  const outcomes = [...RECORDED_OUTCOMES, ...outcomesOf(sessions)];
  const fixes = rankFixes({ findings, outcomes, kind, device });
  const open = sessions.findLast((one) => one.kernel === kernel && one.state !== 'ended');
  const error = predictionError(sessions);
  return {
    schema: ADVICE_SCHEMA,
    kernel,
    kind,
    device,
    profile,
    fixes,
    basis: fixes.some(({ outcomes }) => outcomes > 0) ? 'recorded' : 'rules',
    ...defined({ prediction: open?.prediction }),
    ...(error.sessions === 0 ? {} : { prediction_error: error }),
  };
}

/**
 * The profile of a kernel by Pawl itself; undefined where there is none with findings.
 *
 * @param device where the profile does not say
 */
export function profiledBy(report: ProfileReport, device: string = UNKNOWN_DEVICE): Profiled | undefined {
  const { kernel, case: name, head, code, folder = '' } = report;
  if (head?.diagnosis === undefined) {
    // Of a CPU kernel rules read the compiled code: counters have no diagnosis.
    if (code === undefined || code.findings.length === 0) return undefined;
    const profile = { source: folder, case: name, taken_at: head?.started_at ?? code.read_at };
    return { kernel, device: head?.device?.name ?? device, findings: code.findings, profile };
  }
  const { findings, device: launched } = longestLaunch(head.diagnosis);
  return {
    kernel,
    device: head.device?.name ?? launched,
    findings,
    profile: { source: folder, case: name, taken_at: head.started_at },
  };
}

/** Of several launches, the one that takes the most time is what to work on. */
export function longestLaunch({ kernels }: Diagnosis): { findings: readonly Finding[]; device: string } {
  const [first] = kernels.toSorted((one, other) => (other.duration_us ?? 0) - (one.duration_us ?? 0));
  return { findings: first?.findings ?? [], device: first?.device ?? UNKNOWN_DEVICE };
}
