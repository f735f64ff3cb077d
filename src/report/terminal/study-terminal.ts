import { confirmedBest } from '../../model/judge/confirmed-best.ts';
import type { Study } from '../../model/tune/study-report.ts';
import { variantText } from '../../model/problem/variant.ts';
import { painter } from './paint.ts';
import { moneyText } from '../text/cost-text.ts';
import { padEnd, padStart, plainText, truncate, wrap } from '../text/plain-text.ts';
import {
  changedFrom,
  ENDED_BY,
  fastestTrials,
  percentOf,
  rejectionRows,
  speedupText,
  STUDY_TITLES,
} from '../text/study-text.ts';
import { formatDuration, timeText } from '../text/units.ts';

const STYLES = {
  improved: 'green',
  kept: 'dim',
  undecided: 'yellow',
  unconfirmed: 'yellow',
  'none-valid': 'red',
} as const;

export function renderStudyTerminal(
  study: Study,
  { color, columns }: { readonly color: boolean; readonly columns: number },
): string {
  const paint = painter(color);
  const { kernel, case: name, result, throughput, trials } = study;
  const confirmed = confirmedBest(study);
  const lines = [
    `${paint('bold', plainText(`${kernel} ${name}`))}  ${paint(STYLES[result], STUDY_TITLES[result])}${confirmed === undefined ? '' : `  ${paint('bold', speedupText(confirmed))}`}`,
    ...wrap(plainText(study.reason), columns - 2).map((line) => `  ${line}`),
  ];
  if (study.best !== undefined) {
    const changed = variantText(changedFrom(study.default, study.best.variant));
    const what = confirmed === undefined ? ', fastest trial, not confirmed' : '';
    lines.push(
      `  ${timeText(study.best.time_ms)}${what}  ${changed === '' ? 'the default variant' : plainText(changed)}`,
    );
  }
  const top = fastestTrials(study, 5);
  if (top.length > 0) lines.push('', paint('dim', '  fastest in the search'));
  for (const { trial, outcome } of top) {
    const verdict = study.confirmations.find((each) => each.trial === trial.number)?.verdict;
    const mark =
      trial.phase === 'default' ? 'default' : (verdict ?? (outcome.stopped_early ? 'stopped early' : ''));
    lines.push(
      truncate(
        `  ${padStart(String(trial.number), 4)}  ${padStart(timeText(outcome.time_ms), 10)}  ${padEnd(mark, 13)}  ${plainText(variantText(trial.variant))}`,
        columns,
      ),
    );
  }
  const rejections = rejectionRows(study);
  if (rejections.length > 0) {
    lines.push('', `  rejected  ${rejections.map(({ reason, count }) => `${count} ${reason}`).join(', ')}`);
  }
  if (study.importance !== undefined) {
    const shares = study.importance.parameters.slice(0, 4);
    lines.push(
      `  depends on  ${shares.map(({ name: each, share }) => `${each} ${percentOf(share)}`).join(', ')}`,
    );
  }
  const { money } = study.cost;
  lines.push(
    '',
    paint(
      'dim',
      `  ${trials.length} trials; ${study.space.extent}; ${ENDED_BY[study.ended_by] ?? study.ended_by}`,
    ),
    paint(
      'dim',
      `  ${formatDuration(1000 * throughput.wall_s)}, ${throughput.trials_per_minute.toFixed(1)} trials per minute, measuring ${percentOf(throughput.measuring_share)} of the search${money === undefined ? '' : `, ${plainText(moneyText(money))}`}`,
    ),
    ...study.notes.map((note) => paint('dim', `  ${plainText(note)}`)),
  );
  if (study.profile?.summary !== undefined) lines.push(`  profile: ${plainText(study.profile.summary)}`);
  for (const { gate, message } of study.profile?.warnings ?? [])
    lines.push(paint('yellow', `  ${gate}: ${plainText(message)}`));
  if (study.profile?.skipped !== undefined)
    lines.push(paint('dim', `  not profiled: ${plainText(study.profile.skipped)}`));
  lines.push(`  study ${study.id}`);
  for (const [what, file] of Object.entries(study.files))
    lines.push(paint('dim', `  ${padEnd(what, 20)} ${file}`));
  return `${lines.join('\n')}\n`;
}
