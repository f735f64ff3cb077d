import type { PredictionError } from '../../model/learn/advice.ts';
import { changeText } from '../../model/text/change-text.ts';
import { isStopping, PAUSE_MIN, workedMinutes } from '../../model/learn/session-progress.ts';
import { minutesText } from '../../model/text/number-text.ts';
import { isHeldBackBefore } from '../../model/old-words.ts';
import type { Session, Try } from '../../model/learn/session.ts';
import { costText } from '../text/cost-text.ts';
import { markdownCode, markdownText } from './markdown-text.ts';
import {
  FLAG_TEXT,
  phaseTitle,
  referenceText,
  speedupText,
  variableText,
  triedChange,
} from '../text/session-text.ts';
import { TRY_OUTCOME } from '../../model/learn/try-outcome.ts';

export interface SessionMarkdownOptions {
  readonly earlier: readonly Session[];
  readonly error: PredictionError;
}

/** The report of a session: what went wrong and right, what is new, time and cost, every try with its diff. */
export function renderSessionMarkdown(session: Session, { earlier, error }: SessionMarkdownOptions): string {
  const { goal, kernel, device, by, outcome } = session;
  return [
    `# ${markdownText(`${kernel}: ${goal.text}`)}`,
    [
      `Session ${markdownCode(session.id)}, ${session.started_at.slice(0, 10)}`,
      ...(device === undefined ? [] : [markdownText(device)]),
      ...(by === undefined ? [] : [`by ${markdownText(by)}`]),
      `against ${markdownText(referenceText(session))}`,
    ].join(', ') + '.',
    outcome === undefined
      ? `Not ended yet: ${speedupText(session.speedup.best)} so far, in the phase ${markdownText(phaseTitle(session.phase, session.phases))}.`
      : `**${outcome.reached ? 'Goal reached' : 'Goal not reached'}.** ${markdownText(outcome.summary)}`,
    section('What went wrong', wentWrong(session)),
    section('What went right', wentRight(session)),
    section('New patterns', newPatterns(session)),
    `## Time and cost\n\n${timeTable(session)}`,
    `## Against earlier sessions and the prediction\n\n${comparisonTable(session, earlier)}${errorText(error)}`,
    `## Tries\n\n${triesTable(session.tries)}`,
    ...session.tries.map(tryText),
    section(
      'Notes',
      session.notes.map(({ at, text, by: who }) =>
        markdownText(`${at.slice(0, 16).replace('T', ' ')}${who === undefined ? '' : `, ${who}`}: ${text}`),
      ),
    ),
    section(
      'Annotations',
      session.annotations.map(({ about, by: who, comment }) => markdownText(`${about}, ${who}: ${comment}`)),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function section(title: string, points: readonly string[]): string {
  if (points.length === 0) return '';
  return `## ${title}\n\n${points.map((point) => `- ${point}`).join('\n')}`;
}

function wentWrong(session: Session): string[] {
  const gates = session.gates.flatMap((gate) => {
    const { title, reason, override } = gate;
    if (override !== undefined) {
      return [markdownText(`Gate overridden by ${override.by} ("${override.reason}"): ${title}. ${reason}`)];
    }
    return isStopping(gate) ? [markdownText(`Gate not passed: ${title}. ${reason}`)] : [];
  });
  const tries = session.tries.flatMap((one) => {
    if (one.outcome === undefined || one.outcome === 'improved' || one.outcome === 'corrected') return [];
    const why = one.learnt ?? one.measured?.reason ?? '';
    return [
      markdownText(
        `Try ${one.number} (${one.hypothesis}): ${TRY_OUTCOME[one.outcome].text}, ${triedChange(one)}. ${why}`,
      ),
    ];
  });
  const forced = session.tries.flatMap((one) =>
    one.override === undefined || one.flags.length === 0
      ? []
      : [markdownText(`Try ${one.number} was measured despite ${one.flags.join(', ')}: ${one.override}`)],
  );
  const over = session.phases.flatMap(({ phase, spent_s, budget_s }) =>
    spent_s > budget_s
      ? [
          `${markdownText(phaseTitle(phase, session.phases))} took ${minutesText(spent_s / 60)} of ${minutesText(budget_s / 60)}.`,
        ]
      : [],
  );
  return [...gates, ...tries, ...forced, ...over];
}

function wentRight(session: Session): string[] {
  const tries = session.tries
    .filter(({ outcome }) => outcome === 'improved' || outcome === 'corrected')
    .map((one) =>
      markdownText(
        `Try ${one.number} (${one.hypothesis}): ${one.outcome === 'corrected' ? 'corrected, ' : ''}${triedChange(one)}${one.rule === undefined ? '' : `, following ${one.rule}`}${
          one.share_of_predicted === undefined
            ? ''
            : `, ${Math.round(100 * one.share_of_predicted)} % of what was predicted`
        }.`,
      ),
    );
  const passed = session.gates.filter(({ state }) => state === 'passed').length;
  const held = session.notes.filter(isOfHeldBackTry).length;
  return [
    ...tries,
    ...(passed === 0 ? [] : [`${passed} of ${session.gates.length} gates passed.`]),
    ...(held === 0
      ? []
      : [`${held} doubtful ${held === 1 ? 'try was' : 'tries were'} held back before measuring.`]),
  ];
}

function isOfHeldBackTry(note: Session['notes'][number]): boolean {
  return note.held_back !== undefined || isHeldBackBefore(note);
}

function newPatterns(session: Session): string[] {
  return session.lessons.map(
    ({ id, title, fix }) => `${markdownCode(id)}: ${markdownText(`${title}. ${fix}`)}`,
  );
}

function timeTable(session: Session): string {
  const rows = session.phases.map(
    ({ phase, spent_s, device_s, budget_s }) =>
      `| ${markdownText(phaseTitle(phase, session.phases))} | ${minutesText(spent_s / 60)} | ${minutesText(budget_s / 60)} | ${minutesText(device_s / 60)} |`,
  );
  return [
    '| phase | time | budget | device |',
    '| --- | ---: | ---: | ---: |',
    ...rows,
    '',
    `Worked ${minutesText(workedMinutes(session))} without pauses of over ${PAUSE_MIN} minutes. Measuring took ${markdownText(costText(session.cost))}.`,
  ].join('\n');
}

function comparisonTable(session: Session, earlier: readonly Session[]): string {
  const { prediction } = session;
  const alike = earlier
    .filter(({ kind, outcome }) => kind === session.kind && outcome !== undefined)
    .slice(-10)
    .toReversed();
  const row = (name: string, minutes: string, speedup: string, reached: string) =>
    `| ${name} | ${minutes} | ${speedup} | ${reached} |`;
  const range = ([low, high]: readonly [number, number], text: (value: number) => string) =>
    `${text(low)} to ${text(high)}`;
  return [
    '| session | time | speed-up | goal |',
    '| --- | ---: | ---: | --- |',
    row(
      'this one',
      minutesText(session.outcome?.minutes ?? workedMinutes(session)),
      speedupText(session.outcome?.speedup ?? session.speedup.best),
      session.outcome === undefined ? 'open' : session.outcome.reached ? 'reached' : 'not reached',
    ),
    row(
      `predicted (${markdownText(prediction.basis)})`,
      `${minutesText(prediction.minutes)} (${range(prediction.minutes_ci, minutesText)})`,
      `${speedupText(prediction.speedup)} (${range(prediction.speedup_ci, speedupText)})`,
      '',
    ),
    ...alike.map((other) =>
      row(
        `${markdownCode(other.id)}${other.device === session.device ? '' : ` on ${markdownText(other.device ?? 'another device')}`}`,
        minutesText(other.outcome?.minutes ?? 0),
        speedupText(other.outcome?.speedup),
        other.outcome?.reached === true ? 'reached' : 'not reached',
      ),
    ),
  ].join('\n');
}

function errorText({ sessions, minutes_factor, speedup_factor }: PredictionError): string {
  if (sessions === 0 || (minutes_factor === undefined && speedup_factor === undefined)) return '';
  const parts = [
    ...(minutes_factor === undefined ? [] : [`time by a factor of ${minutes_factor.toFixed(2)}`]),
    ...(speedup_factor === undefined ? [] : [`speed-up by ${speedup_factor.toFixed(2)}`]),
  ];
  return `\n\nPredictions of ${sessions} ${sessions === 1 ? 'session' : 'sessions'} were off in ${parts.join(', ')}.`;
}

function triesTable(tries: readonly Try[]): string {
  if (tries.length === 0) return 'None.';
  const rows = tries.map((one) =>
    [
      String(one.number),
      markdownText(one.hypothesis),
      markdownText(one.change.variables.map(variableText).join(', ')) || '–',
      one.flags.join(', ') || '–',
      one.predicted_change_pct === undefined ? '–' : changeText({ change_pct: one.predicted_change_pct }),
      triedChange(one),
      one.outcome === undefined ? 'not measured' : TRY_OUTCOME[one.outcome].text,
      one.kept === true ? 'yes' : 'no',
    ].join(' | '),
  );
  return [
    '| try | hypothesis | changed | flags | predicted | measured | outcome | kept |',
    '| ---: | --- | --- | --- | ---: | ---: | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

function tryText(one: Try): string {
  const { change, measured, flags, warnings, learnt } = one;
  return [
    `### Try ${one.number}: ${markdownText(one.hypothesis)}`,
    ...(measured === undefined ? [] : [markdownText(measured.reason)]),
    ...(measured?.judge_changes ?? []).map(({ text }) => markdownText(`It alters its own judge: ${text}`)),
    ...(learnt === undefined ? [] : [`Learnt: ${markdownText(learnt)}`]),
    [
      ...flags.map((flag) => `- flag ${flag}: ${FLAG_TEXT[flag]}`),
      ...warnings.map(({ text, matched }) => `- ${markdownText(`${text} (matched: ${matched})`)}`),
    ].join('\n'),
    change.diff === '' ? '' : fenced(change.diff),
    change.truncated ? 'The diff is truncated; git has all of it.' : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** A fence longer than any in the text: what is in it stays in it. */
function fenced(diff: string): string {
  const longest = Math.max(2, ...[...diff.matchAll(/`+/gu)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  // Characters that would repaint a terminal or turn the reading order around are left out.
  const plain = diff.replaceAll(/[^\P{C}\n\t]/gu, '');
  return `${fence}diff\n${plain.trimEnd()}\n${fence}`;
}
