import { defined } from '../../model/defined.ts';
import { recoverClocks } from '../clocks.ts';
import type { ClockOptions } from '../clocks.ts';
import { runCommand } from '../../os/run-command.ts';
import type { DoctorProbe, DoctorFix, DoctorReport } from '../../model/reports/doctor-report.ts';

/** Asks the user whether to run a fix. */
export type Ask = (probe: DoctorProbe, fix: DoctorFix) => Promise<boolean>;

export interface FixOutcome {
  readonly id: string;
  readonly description: string;
  readonly status: 'done' | 'declined' | 'failed';
  /** The last lines that the command printed, if it failed. */
  readonly message?: string;
}

export interface FixOptions extends Pick<ClockOptions, 'stateDir' | 'env'> {
  readonly signal?: AbortSignal;
}

/** Package installers fetch from the network; slower than this is stuck. */
const FIX_TIMEOUT_MS = 10 * 60_000;

/**
 * Runs the fixes of a doctor report, one after the other, each after `ask` has agreed. A fix that fails is an outcome.
 * The only GPU setting it changes is a clock lock that Pawl itself left behind.
 */
export async function applyFixes(
  report: DoctorReport,
  ask: Ask,
  options: FixOptions = {},
): Promise<FixOutcome[]> {
  const outcomes: FixOutcome[] = [];
  for (const probe of report.checks) {
    const { fix, id } = probe;
    if (fix === undefined || probe.state === 'ok') continue;
    const { description } = fix;
    if (!(await ask(probe, fix))) {
      outcomes.push({ id, description, status: 'declined' });
      continue;
    }
    const message = id === 'clock-lock' ? await undoClockLocks(options) : await runFix(fix, options);
    outcomes.push(
      message === undefined
        ? { id, description, status: 'done' }
        : { id, description, status: 'failed', message },
    );
  }
  return outcomes;
}

async function undoClockLocks(options: FixOptions): Promise<string | undefined> {
  const failed = (await recoverClocks(options)).filter((lock) => lock.status === 'failed');
  return failed.length === 0 ? undefined : failed.map((lock) => `${lock.uuid}: ${lock.message}`).join('; ');
}

async function runFix(fix: DoctorFix, { env, signal }: FixOptions): Promise<string | undefined> {
  const [command = '', ...args] = fix.command;
  const run = await runCommand(command, args, {
    timeout_ms: FIX_TIMEOUT_MS,
    ...defined({ env, signal }),
  });
  if (run.status === 'missing') return run.message;
  if (run.status === 'exited' && run.code === 0) return undefined;
  const said = `${run.stdout}\n${run.stderr}`.trim().split('\n').slice(-3).join(' ');
  return said || `the command was ${run.status}`;
}
