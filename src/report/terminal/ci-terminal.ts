import type { CiRun, CiStep } from '../../model/reports/ci-run.ts';
import { ciSentence, plainLinesOf, untoldJudgeChanges } from '../markdown/ci-sentence.ts';
import { renderComparisonTerminal } from './comparison-terminal.ts';
import { plainText } from '../text/plain-text.ts';
import { formatDuration } from '../text/units.ts';

const MARKS: Readonly<Record<CiStep['status'], string>> = {
  passed: '✓',
  warned: '!',
  failed: '✗',
  skipped: '-',
};

/** A run for the log of a job: its steps, what they found, and one last line. */
export function renderCiTerminal(
  run: CiRun,
  fallbacks: readonly string[],
  options: { readonly color: boolean; readonly columns: number },
): string {
  const steps = run.steps.map(({ name, status, seconds, detail }) => {
    const took = seconds === undefined ? '' : formatDuration(1000 * seconds);
    return `${MARKS[status]} ${name.padEnd(12)}${took.padStart(12)}  ${plainText(detail ?? '')}`.trimEnd();
  });
  const failure = run.failure === undefined ? [] : plainLinesOf(run.failure.message);
  const hint = run.failure?.hint;
  const { word, text: sentence } = ciSentence(run);
  const blocks = [
    run.check === undefined ? '' : renderComparisonTerminal(run.check, options),
    steps.join('\n'),
    untoldJudgeChanges(run)
      .map(({ text }) => `! this change alters its own judge: ${plainText(text)}`)
      .join('\n'),
    // A line that begins with `::` is a command to GitHub's runner.
    [...failure.map((line) => `│ ${line}`), ...(hint === undefined ? [] : [`→ ${plainText(hint)}`])].join(
      '\n',
    ),
    fallbacks.map((fallback) => `! ${plainText(fallback)}`).join('\n'),
    `pawl ci: ${word}: ${sentence} (${run.conclusion})`,
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}
