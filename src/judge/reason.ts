import { changeWords, intervalWords, shortSize } from '../model/text/change-text.ts';
import type { CaseEstimate, Change } from '../model/judge/comparison.ts';
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
  const warning = tailWarning(decision, estimate) ?? evidenceText(estimate);
  return warning === undefined ? `${sentence}.` : `${sentence}; ${warning}.`;
}

/** What a verdict from summaries is based on. */
function evidenceText({ evidence, level, noise }: CaseEstimate): string | undefined {
  if (evidence === undefined) return undefined;
  const figure = level === 'stated' ? 'the one value in the files' : `stated ${level}s`;
  return `judged by ${figure}, without samples${noise === 'assumed' ? ', so the interval is wide' : ''}`;
}

function mainClause(
  decision: Decision,
  estimate: CaseEstimate,
  few: string | undefined,
  policy: JudgePolicy,
): string {
  const { cycles, median } = estimate;
  const seen = toldChange(estimate);
  switch (decision.basis) {
    case 'slower-median':
      return `the median sample is ${toldChange(median)}, though the fastest samples are ${changeWords(estimate.change_pct)}`;
    case 'same-median':
      return `the fastest samples are ${seen}, but the median sample is not: ${toldChange(median)}`;
    case 'clock':
      return `a clock change, not a change of the kernel: ${seen} in time, ${toldChange(cycles!)} in cycles`;
    case 'cycles-unclear':
      return `${seen} in time, but in cycles it may be nothing: ${toldChange(cycles!)}; ${needsText(estimate)}`;
    case 'own-clock':
      return `${byLevel(decision, estimate, seen, few, policy)}; in cycles it is ${toldChange(cycles!)}: ${ownClock(estimate)}`;
    case 'launch-latency':
      return `${seen}, but only the times of the ${estimate.change_pct < 0 ? 'candidate' : 'baseline'} contain the launch, because it waits for the device or launches longer than it works: ${decision.outcome === 'regressed' ? 'the change put it there' : 'measure both with `pawl bench --timing plain` and compare the files'}`;
    case 'level':
      return byLevel(decision, estimate, seen, few, policy);
  }
}

function byLevel(
  decision: Decision,
  estimate: CaseEstimate,
  seen: string,
  few: string | undefined,
  { question, regressionPct, improvementPct }: JudgePolicy,
): string {
  switch (decision.outcome) {
    case 'regressed':
      return few === undefined
        ? `${seen}: ${slowerText(estimate, question, shortSize(regressionPct), regressionPct)}`
        : `${seen}: too large to be chance, but ${few}`;
    case 'improved':
      return few === undefined
        ? `${seen}: ${fasterText(estimate, shortSize(improvementPct), improvementPct)}`
        : `${seen}: too large to be chance, but ${few}`;
    case 'maintained':
      return isSlower(estimate)
        ? `${seen}: slower, but less than the threshold of ${shortSize(regressionPct)} %, so it passes; the baseline stays, so repeated small slowdowns are caught`
        : `${seen}: a slowdown of ${shortSize(regressionPct)} % is excluded${notImproved(estimate, few, improvementPct)}`;
    case 'undecided':
      return few === undefined
        ? `${seen}: neither "no change" nor a slowdown of ${shortSize(regressionPct)} % is excluded; ${needsText(estimate)}`
        : `${seen}, and ${few}; ${needsText(estimate)}`;
  }
}

/** Clear of no change, on the slower side. */
const isSlower = ({ ci_pct: [, high] }: CaseEstimate): boolean => high < 0;

function slowerText(
  { ci_pct: [, high] }: CaseEstimate,
  question: JudgePolicy['question'],
  threshold: string,
  regressionPct: number,
): string {
  if (high <= -regressionPct) return `the whole interval is beyond the threshold of ${threshold} %`;
  return question === 'gate'
    ? `"no change" is excluded, and a slowdown of ${threshold} % is not`
    : `"no change" is excluded, and the estimate is closer to ${threshold} % than to 0`;
}

function fasterText({ ci_pct: [low] }: CaseEstimate, gain: string, improvementPct: number): string {
  if (low >= improvementPct) return `the whole interval is beyond a gain of ${gain} %`;
  return `"no change" is excluded, and the estimate is closer to a gain of ${gain} % than to 0`;
}

/** A gain as large as an improvement, beside a verdict that it is none, needs a word on why. */
function notImproved({ change_pct }: CaseEstimate, few: string | undefined, improvementPct: number): string {
  if (change_pct < improvementPct) return '';
  return few === undefined
    ? ', but "no change" is not: the processes differ too much to call it faster'
    : `, but it is not called a gain: ${few}`;
}

function ownClock({ change_pct, cycles }: CaseEstimate): string {
  const clock_pct = 100 * ((1 - cycles!.change_pct / 100) / (1 - change_pct / 100) - 1);
  const higher = clock_pct > 0;
  return `its clock is ${shortSize(Math.abs(clock_pct))} % ${higher ? 'higher' : 'lower'} than that of the baseline, although they were measured in turns, so it draws ${higher ? 'less' : 'more'} power at the device's limit`;
}

function fewText([baseline, candidate]: readonly [number, number]): string {
  const count = Math.min(baseline, candidate);
  return `${count === 1 ? 'one process on a side proves' : 'two processes on a side prove'} little, since the noise between processes is only assumed`;
}

function needsText({ needs, noise }: CaseEstimate): string {
  if (needs === undefined) {
    return 'the processes differ so much that more of them would hardly decide it: find out what disturbs them';
  }
  const { processes, seconds } = needs;
  const more = `${processes} more process${processes === 1 ? '' : 'es'} per side`;
  const cost = seconds === undefined ? '' : `about ${secondsText(seconds)}`;
  return noise === 'assumed'
    ? `take ${more}${cost === '' ? '' : `, ${cost}`} (at least ${PROCESSES_TO_START} are needed to estimate their noise)`
    : `about ${more}${cost === '' ? '' : ` (${cost})`} would decide it`;
}

function tailWarning({ outcome }: Decision, { tail, change_pct }: CaseEstimate): string | undefined {
  if (tail === undefined || !tail.moved) return undefined;
  const saysTheSame = tail.change_pct < 0 ? outcome === 'regressed' : outcome === 'improved';
  if (saysTheSame || Math.sign(tail.change_pct) * change_pct >= Math.abs(tail.change_pct)) return undefined;
  return `the slowest samples (95 % quantile) are ${changeWords(tail.change_pct)}`;
}

/** `3.1 % faster (+2.7 % to +3.5 %)`. */
function toldChange({ change_pct, ci_pct }: Change): string {
  return `${changeWords(change_pct)} (${intervalWords(ci_pct)})`;
}

function secondsText(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
