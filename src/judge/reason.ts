import type { CaseEstimate } from '../model/comparison.ts';
import { signed } from '../model/number-text.ts';
import type { Decision } from './decide.ts';
import type { JudgePolicy } from './judge-policy.ts';
import { PROCESSES_TO_START } from './needed-processes.ts';

/** What a verdict was made of, as a person would say it. */
export function reasonOf(
  decision: Decision,
  estimate: CaseEstimate,
  processes: readonly [number, number],
  policy: JudgePolicy,
): string {
  const few = estimate.noise === 'assumed' ? fewText(processes) : undefined;
  const sentence = mainClause(decision, estimate, few, policy);
  const warning = tailWarning(decision, estimate);
  return warning === undefined ? `${sentence}.` : `${sentence}; ${warning}.`;
}

function mainClause(
  decision: Decision,
  estimate: CaseEstimate,
  few: string | undefined,
  policy: JudgePolicy,
): string {
  const { cycles, median } = estimate;
  const seen = `${changeText(estimate.change_pct)} ${intervalText(estimate.ci_pct)}`;
  switch (decision.basis) {
    case 'slower-median':
      return `the median sample is ${changeText(median.change_pct)} ${intervalText(median.ci_pct)}, though the fastest samples are ${changeText(estimate.change_pct)}`;
    case 'same-median':
      return `the fastest samples are ${seen}, but the median sample is not: ${changeText(median.change_pct)} ${intervalText(median.ci_pct)}`;
    case 'clock':
      return `a clock change, not a change of the kernel: ${seen} in time, ${changeText(cycles!.change_pct)} ${intervalText(cycles!.ci_pct)} in cycles`;
    case 'cycles-unclear':
      return `${seen} in time, but in cycles it may be nothing: ${changeText(cycles!.change_pct)} ${intervalText(cycles!.ci_pct)}; ${needsText(estimate)}`;
    case 'own-clock':
      return `${byLevel(decision, estimate, seen, few, policy)}; in cycles it is ${changeText(cycles!.change_pct)} ${intervalText(cycles!.ci_pct)}: ${ownClock(estimate)}`;
    case 'level':
      return byLevel(decision, estimate, seen, few, policy);
  }
}

function byLevel(
  decision: Decision,
  estimate: CaseEstimate,
  seen: string,
  few: string | undefined,
  { regressionPct, improvementPct }: JudgePolicy,
): string {
  switch (decision.outcome) {
    case 'regressed':
      return few === undefined
        ? `${seen}: clear of no change, and nearer to the threshold of ${number(regressionPct)} % than to nothing`
        : `${seen}: too large for a lucky process, but ${few}`;
    case 'improved':
      return few === undefined
        ? `${seen}: clear of no change, and nearer to a gain of ${number(improvementPct)} % than to nothing`
        : `${seen}: too large for a lucky process, but ${few}`;
    case 'maintained':
      return `${seen}: a slowdown of ${number(regressionPct)} % is excluded`;
    case 'undecided':
      return few === undefined
        ? `${seen}: neither no change nor a slowdown of ${number(regressionPct)} % is excluded; ${needsText(estimate)}`
        : `${seen}, and ${few}; ${needsText(estimate)}`;
  }
}

function ownClock({ change_pct, cycles }: CaseEstimate): string {
  const clock_pct = 100 * ((1 - cycles!.change_pct / 100) / (1 - change_pct / 100) - 1);
  const higher = clock_pct > 0;
  return `its clock is ${number(Math.abs(clock_pct))} % ${higher ? 'higher' : 'lower'} than that of the baseline, in turns with which it was measured, so it draws ${higher ? 'less' : 'more'} power at the device's limit`;
}

function fewText([baseline, candidate]: readonly [number, number]): string {
  const count = Math.min(baseline, candidate);
  return `${count === 1 ? 'one process on a side proves' : 'two processes on a side prove'} little, for how much processes differ is only assumed`;
}

function needsText({ needs, noise }: CaseEstimate): string {
  if (needs === undefined) {
    return 'the processes differ so much that more of them would hardly decide it: look for what disturbs them';
  }
  const { processes, seconds } = needs;
  const more = `${processes} more process${processes === 1 ? '' : 'es'} a side`;
  const cost = seconds === undefined ? '' : `, about ${secondsText(seconds)}`;
  return noise === 'assumed'
    ? `take ${more}${cost} (${PROCESSES_TO_START} are the fewest that tell how much they differ)`
    : `about ${more}${cost}, would decide it`;
}

function tailWarning({ outcome }: Decision, { tail, change_pct }: CaseEstimate): string | undefined {
  if (tail === undefined || !tail.moved) return undefined;
  const saysTheSame = tail.change_pct < 0 ? outcome === 'regressed' : outcome === 'improved';
  if (saysTheSame || Math.sign(tail.change_pct) * change_pct >= Math.abs(tail.change_pct)) return undefined;
  return `the slowest samples (95 % quantile) are ${changeText(tail.change_pct)}`;
}

function changeText(change_pct: number): string {
  const size = number(Math.abs(change_pct));
  if (Number(size) === 0) return 'unchanged';
  return `${size} % ${change_pct < 0 ? 'slower' : 'faster'}`;
}

/** With signs, since an interval may reach to both sides: positive is faster. */
function intervalText([low, high]: readonly [number, number]): string {
  return `(${signed(low, number)} % to ${signed(high, number)} %)`;
}

/** Two decimals below 1 % and one above: as fine as the numbers are good for. */
function number(value: number): string {
  return String(Number(value.toFixed(value < 1 ? 2 : 1)));
}

function secondsText(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
