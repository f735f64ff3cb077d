import type { CheckReport } from '../../model/reports/check-report.ts';
import type { CiPolicy } from '../../model/reports/ci-run.ts';
import { isAdvice, type DoctorReport } from '../../model/reports/doctor-report.ts';
import { incorrectKindOf } from '../../model/measure/fault.ts';
import { holderText } from '../../model/device/wait-text.ts';
import { VERDICT } from '../../model/judge/verdict.ts';
import { comparisonSections } from '../../report/text/comparison-sections.ts';
import { verdictSentence } from '../../report/text/verdict-sentence.ts';
import { counted } from '../../report/text/comparison-text.ts';
import { formatDuration } from '../../report/text/units.ts';
import type { StepLog } from './step-log.ts';

export function endDoctorStep(
  log: Pick<StepLog, 'end'>,
  { ready, summary, checks }: Pick<DoctorReport, 'ready' | 'summary' | 'checks'>,
): void {
  log.end('doctor', ready ? (checks.some(isAdvice) ? 'warned' : 'passed') : 'failed', summary);
}

/** What a check's report says, step by step. */
export function endCheckSteps(
  log: StepLog,
  report: CheckReport,
  { profile }: Pick<CiPolicy, 'profile'>,
): void {
  correctness(log, report);
  benchmark(log, report);
  ratchet(log, report);
  profiling(log, report, profile);
}

function correctness(log: StepLog, { comparison: { cases } }: CheckReport): void {
  const broken = cases.filter(({ fault }) => fault?.during === 'build');
  const wrong = cases.filter(({ verdict, fault }) => verdict === 'incorrect' && fault?.during !== 'build');
  const right = cases.length - broken.length - wrong.length;
  if (wrong.length > 0) {
    const kind = incorrectKindOf(wrong.map(({ fault }) => fault)) ?? 'wrong or refused';
    log.end('correctness', 'failed', `${counted(wrong.length, 'case is', 'cases are')} ${kind}`);
  } else if (right === 0) log.end('correctness', 'skipped', 'nothing was built, so nothing was checked');
  else log.end('correctness', 'passed', `nothing is wrong with ${counted(right, 'case')}`);
}

/** How long devices were waited for, and for whom. */
function waitedText({ waits }: Pick<StepLog, 'waits'>): string {
  if (waits.length === 0) return '';
  const total_ms = waits.reduce((sum, { seconds }) => sum + 1000 * seconds, 0);
  const holders = [...new Set(waits.map(({ holder }) => holderText(holder)))];
  return `, after waiting ${formatDuration(total_ms)} for ${holders.join(' and ')}`;
}

function benchmark(log: StepLog, { comparison: { cases }, cost }: CheckReport): void {
  const measured = cases.filter(({ processes }) => processes[1] > 0);
  if (measured.length === 0) {
    const isSettled = cases.some(({ verdict }) => verdict === 'maintained');
    const why = isSettled
      ? 'the binaries are the same as before'
      : 'no case was right, so nothing was measured';
    log.end('benchmark', 'skipped', why);
    return;
  }
  const processes = measured.reduce((sum, one) => sum + one.processes[0] + one.processes[1], 0);
  const took = cost?.device_s === undefined ? '' : `, ${formatDuration(1000 * cost.device_s)} of device time`;
  log.end(
    'benchmark',
    'passed',
    `${counted(measured.length, 'case')} in ${counted(processes, 'series', 'series')}${took}${waitedText(log)}`,
  );
}

function ratchet(log: StepLog, report: CheckReport): void {
  const status = { good: 'passed', undecided: 'warned', bad: 'failed' } as const;
  const { result } = VERDICT[report.verdict];
  log.end('ratchet', status[result], verdictSentence(report, comparisonSections(report)));
}

function profiling(log: StepLog, report: CheckReport, when: CiPolicy['profile']): void {
  const profiles = report.profiles ?? [];
  const [unexplained] = report.not_profiled ?? [];
  if (when === 'never') log.end('profile', 'skipped', 'not asked for');
  else if (profiles.length > 0)
    log.end('profile', 'passed', `${counted(profiles.length, 'change')} explained`);
  else if (unexplained !== undefined) log.end('profile', 'warned', unexplained.text);
  else log.end('profile', 'skipped', 'no change to profile');
}
