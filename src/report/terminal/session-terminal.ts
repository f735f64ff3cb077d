import { isStopping, workedMinutes } from '../../model/learn/session-progress.ts';
import type { Warning } from '../../model/learn/lesson.ts';
import { minutesText } from '../../model/text/number-text.ts';
import type { Session, SessionSummary, Try, TryFlag, Variable } from '../../model/learn/session.ts';
import { TRY_OUTCOME } from '../../model/learn/try-outcome.ts';
import { costText } from '../text/cost-text.ts';
import { gatesTerminal } from './gates-terminal.ts';
import { painter, type Paint, TONE_STYLE } from './paint.ts';
import { padEnd, padStart, plainText, truncate, wrap } from '../text/plain-text.ts';
import {
  FLAG_REMEDY,
  FLAG_TEXT,
  phaseTitle,
  referenceText,
  speedupText,
  variableText,
  triedChange,
} from '../text/session-text.ts';

export interface TerminalOptions {
  readonly color: boolean;
  readonly columns: number;
}

const STATES = { open: 'green', stopped: 'red', ended: 'dim' } as const;
/** The rest is a command away. */
const MOST_WARNINGS = 5;
const MOST_FIXES = 3;

/** Where a session stands: phase, checklist, time against budget, tries, advice, and the next command. */
export function renderSession(session: Session, { color, columns }: TerminalOptions): string {
  const paint = painter(color);
  const { gates, tries, notes } = session;
  const lines = [
    ...head(session, paint),
    '',
    gatesTerminal(gates, { color, columns, phases: session.phases }).trimEnd(),
    '',
    ...times(session, paint),
    ...(tries.length === 0
      ? []
      : ['', paint('bold', 'Tries'), ...tries.flatMap((one) => tryLine(one, paint, columns))]),
    ...adviceLines(session, paint, columns),
    ...(notes.length === 0 ? [] : ['', paint('bold', 'Notes')]),
    ...notes
      .slice(-5)
      .map(({ at, text }) => truncate(`  ${at.slice(0, 16).replace('T', ' ')}  ${plainText(text)}`, columns)),
    ...(session.outcome === undefined ? [] : ['', ...wrap(plainText(session.outcome.summary), columns)]),
    '',
    nextLine(session, paint),
    ...overrideLine(session),
  ];
  return lines.join('\n');
}

/** What there is to say when a session starts. */
export function renderStart(session: Session, { color, columns }: TerminalOptions): string {
  const paint = painter(color);
  const { prediction, warnings = [] } = session;
  const [low, high] = prediction.minutes_ci;
  const [least, most] = prediction.speedup_ci;
  return [
    ...head(session, paint),
    `  predicted  ${minutesText(prediction.minutes)} (${minutesText(low)} to ${minutesText(high)}), ${speedupText(prediction.speedup)} (${speedupText(least)} to ${speedupText(most)})`,
    ...wrap(plainText(prediction.basis), columns - 13).map((line) => paint('dim', `             ${line}`)),
    ...warningLines(warnings, paint, columns),
    '',
    nextLine(session, paint),
  ].join('\n');
}

export interface TryView {
  /** Those of its flags that hold it back. */
  readonly stopping: readonly TryFlag[];
  readonly isLook: boolean;
  /** Its files were put back after measuring. */
  readonly isReverted?: boolean;
}

/** A try: what changed, what is to be said about it and its outcome. */
export function renderTry(
  {
    session,
    try: one,
    measured,
  }: { readonly session: Session; readonly try: Try; readonly measured: boolean },
  { stopping, isLook, isReverted = false }: TryView,
  { color, columns }: TerminalOptions,
): string {
  const paint = painter(color);
  const { change, flags, warnings } = one;
  const changed = change.variables.map(variableText).join(', ') || 'nothing';
  return [
    `${paint('bold', `Try ${one.number}`)}  ${plainText(one.hypothesis)}`,
    ...wrap(`changed  ${plainText(changed)}`, columns - 2).map((line) => `  ${line}`),
    ...flags.map(
      (flag) =>
        `  ${paint(stopping.includes(flag) ? 'red' : 'yellow', stopping.includes(flag) ? '✗' : '!')} ${flag}: ${FLAG_TEXT[flag]}`,
    ),
    ...(measured ? [] : leftoverLines(session, one, columns)),
    ...warningLines(warnings, paint, columns),
    ...(measured ? outcomeLines(one, paint, columns) : []),
    ...(measured && !isReverted && one.kept !== true && one.change.files.length > 0
      ? ['  its files are still changed; to restore them: pawl session revert']
      : []),
    ...(measured || isLook
      ? []
      : [
          '',
          paint('red', 'Not measured.'),
          ...stopping.map((flag) => `→ ${FLAG_REMEDY[flag] ?? FLAG_TEXT[flag]}`),
          '  or give a reason to measure anyway: --anyway "REASON"',
        ]),
    ...(measured
      ? ['', ...stoppedLines(session, paint, columns), nextLine(session, paint), ...overrideLine(session)]
      : []),
  ].join('\n');
}

/** What came of a session, what it taught, and where the report is. */
export function renderEnd(session: Session, report: string, { color, columns }: TerminalOptions): string {
  const paint = painter(color);
  const { outcome, lessons, gates } = session;
  const open = gates.filter(({ phase, state }) => phase === 'validate' && state === 'open');
  return [
    ...head(session, paint),
    '',
    paint(
      outcome?.reached === true ? 'green' : 'yellow',
      outcome?.reached === true ? 'Goal reached.' : 'Goal not reached.',
    ),
    ...wrap(plainText(outcome?.summary ?? ''), columns),
    ...(open.length === 0 ? [] : [`Open: ${open.map(({ gate }) => plainText(gate)).join(', ')}`]),
    ...times(session, paint),
    ...(lessons.length === 0 ? [] : ['', paint('bold', 'Learnt')]),
    ...lessons.map(({ id, title }) => truncate(`  ${plainText(id)}: ${plainText(title)}`, columns)),
    '',
    report,
  ].join('\n');
}

export function renderSessions(
  sessions: readonly SessionSummary[],
  { color, columns }: TerminalOptions,
): string {
  if (sessions.length === 0)
    return 'No sessions yet.\n→ pawl session start --goal "1.2x on CASE" --kernel KERNEL';
  const paint = painter(color);
  const width = Math.max(...sessions.map(({ id }) => id.length));
  return sessions
    .map(({ id, state, title, tries, speedup, minutes }) =>
      truncate(
        `${padEnd(plainText(id), width)}  ${paint(STATES[state], padEnd(state, 7))}  ${padStart(speedup === undefined ? '' : speedupText(speedup), 7)}  ${padStart(minutesText(minutes), 10)}  ${padStart(String(tries), 2)} tries  ${plainText(title)}`,
        color ? columns + 10 : columns,
      ),
    )
    .join('\n');
}

function head(session: Session, paint: Paint): string[] {
  const { kernel, goal, state, phase, speedup, device } = session;
  return [
    `${paint('bold', plainText(`${kernel}: ${goal.text}`))}  ${paint(STATES[state], state)}`,
    `  session    ${plainText(session.id)}`,
    `  against    ${plainText(referenceText(session))}${device === undefined ? '' : ` on ${plainText(device)}`}`,
    ...(speedup.best === undefined
      ? []
      : [
          `  speed-up   ${speedupText(speedup.best)} of ${speedupText(goal.speedup)}${speedup.first === undefined ? '' : `, ${speedupText(speedup.first)} at the start`}`,
        ]),
    `  phase      ${plainText(phaseTitle(phase, session.phases))}`,
  ];
}

function times(session: Session, paint: Paint): string[] {
  return [
    paint('bold', 'Time'),
    ...session.phases
      .filter(({ spent_s }) => spent_s > 0)
      .map(({ phase, spent_s, budget_s }) => {
        const text = `  ${padEnd(plainText(phaseTitle(phase, session.phases)), 21)} ${padStart(minutesText(spent_s / 60), 10)} of ${minutesText(budget_s / 60)}`;
        return spent_s > budget_s ? paint('red', text) : text;
      }),
    `  ${padEnd('all', 21)} ${padStart(minutesText(workedMinutes(session)), 10)} of ${minutesText(session.prediction.minutes)} predicted; measuring took ${costText(session.cost)}`,
  ];
}

function tryLine(one: Try, paint: Paint, columns: number): string[] {
  const { text, tone } =
    one.outcome === undefined ? ({ text: 'not measured', tone: 'warn' } as const) : TRY_OUTCOME[one.outcome];
  const rest = `${one.kept === true ? 'kept' : '    '}  ${padStart(triedChange(one), 26)}  ${plainText(one.hypothesis)}`;
  return [
    `  ${padStart(String(one.number), 2)}  ${paint(TONE_STYLE[tone], padEnd(text, 12))}  ${truncate(rest, columns - 20)}`,
  ];
}

function outcomeLines(one: Try, paint: Paint, columns: number): string[] {
  if (one.outcome === undefined) return [];
  const { text, tone } = TRY_OUTCOME[one.outcome];
  const share =
    one.share_of_predicted === undefined
      ? ''
      : `, ${String(Math.round(100 * one.share_of_predicted)).replace('-', '−')} % of what was predicted`;
  return [
    '',
    `${paint(TONE_STYLE[tone], text)}  ${triedChange(one)}${share}  ${one.kept === true ? 'kept' : 'not kept'}`,
    ...wrap(plainText(one.measured?.reason ?? ''), columns - 2).map((line) => `  ${line}`),
    ...(one.measured?.judge_changes ?? []).flatMap(({ text }) =>
      wrap(`! ${plainText(text)}`, columns - 2).map((line) => paint('yellow', `  ${line}`)),
    ),
  ];
}

function warningLines(warnings: readonly Warning[], paint: Paint, columns: number): string[] {
  const lines: string[] = [];
  for (const { text, fix, matched } of warnings.slice(0, MOST_WARNINGS)) {
    for (const line of wrap(`! ${plainText(text)}`, columns - 2)) lines.push(paint('yellow', `  ${line}`));
    lines.push(paint('dim', truncate(`    matched: ${plainText(matched)}`, columns)));
    for (const line of fix === undefined ? [] : wrap(`→ ${plainText(fix)}`, columns - 4))
      lines.push(`    ${line}`);
  }
  if (warnings.length > MOST_WARNINGS) lines.push(`  and ${warnings.length - MOST_WARNINGS} more (--json)`);
  return lines;
}

function adviceLines({ advice }: Session, paint: Paint, columns: number): string[] {
  if (advice === undefined || advice.fixes.length === 0) return [];
  const lines = ['', paint('bold', 'Advice')];
  for (const { rank, rule, fix, expected_gain_pct, explanation } of advice.fixes.slice(0, MOST_FIXES)) {
    const text = `  ${rank}. ${rule}  about ${expected_gain_pct.toFixed(0)} %  ${plainText(fix)}`;
    lines.push(truncate(text, columns));
    for (const line of wrap(plainText(explanation), columns - 5)) lines.push(paint('dim', `     ${line}`));
  }
  return lines;
}

/** What is left of the previous try is part of this one, and may explain its flags. */
function leftoverLines({ tries }: Session, one: Try, columns: number): string[] {
  const before = tries.findLast(({ number }) => number < one.number);
  if (before?.outcome === undefined || before.kept === true || before.change.files.length === 0) return [];
  const isThere = (each: Variable) =>
    one.change.variables.some(
      ({ kind, name, to }) => kind === each.kind && name === each.name && to === each.to,
    );
  if (!before.change.variables.every(isThere)) return [];
  const text = `→ try ${before.number}, which was not kept, is still in the files; restore them first: pawl session revert`;
  return wrap(text, columns - 2).map((line) => `  ${line}`);
}

/** Why nothing goes on, where this try was one too many. */
function stoppedLines({ state, gates }: Session, paint: Paint, columns: number): string[] {
  const blocking = gates.find(isStopping);
  if (state !== 'stopped' || blocking === undefined) return [];
  return wrap(plainText(`The session is stopped at ${blocking.gate}: ${blocking.reason}`), columns).map(
    (line) => paint('red', line),
  );
}

/** That a gate is overridden, and for how long. */
export function renderOverride(session: Session, id: string, { color, columns }: TerminalOptions): string {
  const gate = session.gates.find((each) => each.gate === id);
  const until =
    gate?.evidence?.kind === 'tries'
      ? 'for one try: gates about tries are evaluated again after every try.'
      : gate?.phase === 'validate'
        ? 'until the next kept change.'
        : 'for this session.';
  return [
    ...wrap(plainText(`${id} is overridden ${until}`), columns),
    nextLine(session, painter(color)),
  ].join('\n');
}

function overrideLine({ state, gates }: Session): string[] {
  const blocking = gates.find(isStopping);
  if (state !== 'stopped' || blocking === undefined) return [];
  const override = `pawl session override ${plainText(blocking.gate)} --reason "…"`;
  // Nothing but another try changes what the tries say.
  if (blocking.evidence?.kind === 'tries') {
    return ['  or end it: pawl session end', `  or, for one more try: ${override}`];
  }
  return ['  then: pawl session check', `  or, if it does not matter: ${override}`];
}

function nextLine({ next }: Session, paint: Paint): string {
  return paint('cyan', `→ ${plainText(next)}`);
}
