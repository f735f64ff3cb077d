import type { Advice, Prediction, PredictionError, RankedFix } from '../../model/learn/advice.ts';
import { painter, type Paint } from './paint.ts';
import { padEnd, padStart, plainText, truncate, wrap } from '../text/plain-text.ts';

export interface AdviceTerminalOptions {
  readonly color?: boolean;
  readonly columns?: number;
  /** Also the outcomes that each rank rests on. */
  readonly verbose?: boolean;
}

interface View {
  readonly paint: Paint;
  readonly columns: number;
  readonly verbose: boolean;
  /** Percent of the time at the end of the bars. */
  readonly full_pct: number;
}

const MAX_COLUMNS = 110;
const BAR_COLUMNS = 30;
const INDENT = 5;

export function renderAdvice(advice: Advice, options: AdviceTerminalOptions = {}): string {
  const { fixes, profile, prediction, prediction_error } = advice;
  const paint = painter(options.color ?? false);
  const columns = Math.max(40, Math.min(options.columns ?? 100, MAX_COLUMNS));
  const full_pct = Math.max(
    10,
    ...fixes.map(({ rule_gain_pct, ci_pct }) => Math.max(rule_gain_pct, ci_pct[1])),
  );
  const view = { paint, columns, verbose: options.verbose ?? false, full_pct };
  const source = profile && [profile.case, profile.taken_at?.slice(0, 10), profile.source];
  const lines = [
    `${paint('bold', plainText(advice.kernel))} · ${plainText(advice.kind)} · ${plainText(advice.device)}`,
    ...(source === undefined
      ? []
      : [paint('dim', `profile: ${source.filter(isSaid).map(plainText).join(' · ')}`)]),
    ...text(basisText(advice), 0, columns).map((line) => paint('cyan', line)),
    ...fixes.flatMap((fix) => ['', ...fixLines(fix, view)]),
    ...(fixes.length === 0 ? [] : ['', paint('dim', legend(full_pct))]),
    ...(prediction === undefined ? [] : ['', ...text(predictionText(prediction), 0, columns)]),
    ...(prediction_error === undefined ? [] : text(errorText(prediction_error), 0, columns)),
  ];
  return `${lines.join('\n')}\n`;
}

function basisText({ basis, fixes }: Advice): string {
  if (fixes.length === 0) return 'No rule found anything to fix.';
  return basis === 'recorded'
    ? 'Ranked by what such fixes gained in recorded sessions.'
    : 'No recorded outcome of such fixes: the order is that of the rules.';
}

function fixLines(fix: RankedFix, view: View): string[] {
  const { paint, columns, verbose } = view;
  const expected = `${percent(fix.expected_gain_pct)} %`;
  const head = `${padStart(`${fix.rank}.`, 4)} ${padEnd(fix.rule, 23)} ${bar(fix, view)} ${paint('green', padStart(expected, 6))}`;
  const lines = [
    head,
    ...text(fix.diagnosis, INDENT, columns),
    ...text(`→ ${fix.fix}`, INDENT, columns),
    ...text(fix.explanation, INDENT, columns).map((line) => paint('dim', line)),
  ];
  if (!verbose) return lines;
  const evidence = fix.evidence.map(
    ({ date, session, try: number, kind, device, expected_gain_pct, change_pct }) =>
      `${date.slice(0, 10)} ${session}, try ${number}, ${kind} on ${device}: ${percent(change_pct)} % of ${percent(expected_gain_pct)} %`,
  );
  return [
    ...lines,
    ...evidence.map((line) =>
      paint('dim', `${' '.repeat(INDENT + 2)}${truncate(plainText(line), columns - INDENT - 2)}`),
    ),
  ];
}

/** `█` what is expected, `▒` up to the end of the interval, `│` what the rule says. */
function bar({ expected_gain_pct, ci_pct, rule_gain_pct }: RankedFix, { full_pct, paint }: View): string {
  const place = (pct: number): number =>
    Math.round((Math.min(Math.max(pct, 0), full_pct) / full_pct) * BAR_COLUMNS);
  const [expected, high] = [place(expected_gain_pct), place(ci_pct[1])];
  const rule = Math.min(BAR_COLUMNS - 1, place(rule_gain_pct));
  return Array.from({ length: BAR_COLUMNS }, (_, at) => {
    if (at === rule) return '│';
    if (at < expected) return paint('green', '█');
    return paint('dim', at < high ? '▒' : '░');
  }).join('');
}

function legend(full_pct: number): string {
  return `█ expected  ▒ to the upper end of the 80 % interval  │ the rule's own estimate; bars end at ${percent(full_pct)} % of the time`;
}

function predictionText({ minutes, minutes_ci, speedup, speedup_ci, basis }: Prediction): string {
  const time = `${minutes.toFixed(0)} min (${minutes_ci.map((value) => value.toFixed(0)).join(' to ')})`;
  const far = `${factor(speedup)} (${speedup_ci.map(factor).join(' to ')})`;
  return `The open session was predicted to take ${time} and to reach ${far}. ${basis}`;
}

function errorText({ sessions, minutes_factor, speedup_factor }: PredictionError): string {
  const said = [
    minutes_factor === undefined ? undefined : `minutes by ${factor(minutes_factor)}`,
    speedup_factor === undefined ? undefined : `speed-ups by ${factor(speedup_factor)}`,
  ].filter((one) => one !== undefined);
  const ended = sessions === 1 ? '1 session that ended was' : `${sessions} sessions that ended were`;
  return `Predictions of ${ended} off by, on average: ${said.join(', ')}.`;
}

function text(words: string, indent: number, columns: number): string[] {
  const plain = plainText(words);
  return plain === '' ? [] : wrap(plain, columns - indent).map((line) => `${' '.repeat(indent)}${line}`);
}

function isSaid(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}

const factor = (value: number): string => `${value.toFixed(2)}×`;

function percent(value: number): string {
  return (Math.abs(value) < 10 ? value.toFixed(1) : value.toFixed(0)).replace('-', '−');
}
