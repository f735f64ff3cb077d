/** Hot lines in a terminal: the share, the place, the source beside it, why it takes the time, and its instructions. */
import type { HotInstruction, HotLine, HotLines, LineWork } from '../../model/profile/hot-lines.ts';
import { stallWords } from '../../model/profile/stall-reasons.ts';
import { chainText, loopTexts, mixTexts, resourceTexts } from '../text/line-text.ts';
import type { Paint } from './paint.ts';
import { hanging, padEnd, padStart, plainText, truncate } from '../text/plain-text.ts';

export interface HotLinesView {
  readonly paint: Paint;
  readonly columns: number;
  /** All lines and instructions instead of those that matter. */
  readonly verbose: boolean;
}

const SHOWN_LINES = 8;
const SHOWN_INSTRUCTIONS = 2;
/** What costs less is left out, of lines and of reasons. */
const LEAST_PCT = 1;
/** The instructions of a line are shown from this share on. */
const LEAST_WITH_CODE_PCT = 5;
const INDENT = 9;

export function hotLinesLines(hot: HotLines, view: HotLinesView): string[] {
  const { paint, verbose } = view;
  const telling = hot.lines.filter(({ share_pct }) => verbose || share_pct >= LEAST_PCT);
  const shown = verbose ? telling : telling.slice(0, SHOWN_LINES);
  const rest = hot.lines.slice(shown.length).reduce((sum, { share_pct }) => sum + share_pct, 0);
  if (shown.length === 0) return [];
  return [
    paint('bold', BASIS[hot.basis]),
    paint(
      'dim',
      hot.basis === 'static'
        ? 'shares are of instructions, not of time'
        : `${figure(hot.samples)} samples${unlocated(hot)}`,
    ),
    ...[...resourceTexts(hot), ...loopTexts(hot)].flatMap((text) =>
      hanging('', 2, plainText(text), view.columns),
    ),
    ...shown.flatMap((line) => lineBlock(line, view)),
    ...(rest >= 0.05 ? [paint('dim', `${share(rest)}  ${hot.lines.length - shown.length} other lines`)] : []),
  ];
}

const BASIS: Readonly<Record<HotLines['basis'], string>> = {
  'hardware-samples': 'Where the time goes, by line',
  'timer-samples': 'Where the time goes, by line (sampled by a timer)',
  static: 'What the compiled code says, by line (static: nothing was measured at lines)',
};

function unlocated({ located_pct }: HotLines): string {
  if (located_pct >= 99.95) return '';
  return located_pct === 0
    ? ', none with a line: build with -lineinfo'
    : `, ${(100 - located_pct).toFixed(1)} % without a line`;
}

function lineBlock(line: HotLine, { paint, columns, verbose }: HotLinesView): string[] {
  const place = line.line === 0 ? 'no line' : `${plainText(line.file)}:${line.line}`;
  const source = plainText(line.source ?? '');
  const room = columns - INDENT - place.length - 2;
  const code = verbose || line.share_pct >= LEAST_WITH_CODE_PCT ? instructionLines(line, verbose) : [];
  return [
    `${paint('bold', share(line.share_pct))}  ${paint('cyan', place)}${source === '' || room < 12 ? '' : `  ${truncate(source, room)}`}`,
    ...(source !== '' && room < 12 ? [`${' '.repeat(INDENT)}${truncate(source, columns - INDENT)}`] : []),
    ...hanging(
      ' '.repeat(INDENT),
      INDENT,
      [...mixTexts(line), ...reasons(line.stalls), ...workWords(line)].join(' · '),
      columns,
    ),
    ...inlinedLines(line, columns).map((text) => paint('dim', text)),
    ...code.map((text) => paint('dim', truncate(text, columns))),
  ];
}

function inlinedLines(line: HotLine, columns: number): string[] {
  const chain = chainText(line);
  if (chain === '') return [];
  const others = (line.ways ?? 1) - 1;
  const more = others === 0 ? '' : ` (and by ${others} other ${others === 1 ? 'way' : 'ways'})`;
  return hanging(' '.repeat(INDENT), INDENT, `inlined into ${chain}${more}`, columns);
}

/** `waits for global or local memory 61 %`. */
function reasons(stalls: Readonly<Record<string, number>>): string[] {
  return Object.entries(stalls)
    .filter(([reason, pct]) => pct >= LEAST_PCT && reason !== 'misc')
    .slice(0, 3)
    .map(([reason, pct]) => `${stallWords(reason)} ${pct.toFixed(0)} %`);
}

/** What was counted that should not be there. */
function workWords(work: LineWork): string[] {
  const {
    excess_wavefronts = 0,
    wavefronts = 0,
    excess_sectors = 0,
    sectors = 0,
    local_sectors = 0,
    threads,
  } = work;
  return [
    ...(excess_wavefronts > 0.1 * wavefronts && wavefronts > 0
      ? [`bank conflicts: ${ratio(excess_wavefronts, wavefronts)} of its passes over shared memory are extra`]
      : []),
    ...(excess_sectors > 0.1 * sectors && sectors > 0
      ? [`uncoalesced: ${ratio(excess_sectors, sectors)} of its sectors are extra`]
      : []),
    ...(local_sectors > 0 ? [`${figure(local_sectors)} sectors of local memory`] : []),
    ...(threads !== undefined && threads < 24 ? [`${threads.toFixed(1)} of 32 threads take part`] : []),
    ...(work.executed === undefined ? [] : [`${figure(work.executed)} instructions`]),
    ...(work.registers === undefined ? [] : [`${work.registers} registers live`]),
  ];
}

function instructionLines({ instructions }: HotLine, verbose: boolean): string[] {
  const costly = instructions.toSorted((one, other) => other.share_pct - one.share_pct);
  const shown = verbose
    ? instructions
    : costly.slice(0, SHOWN_INSTRUCTIONS).filter(({ share_pct }) => share_pct >= LEAST_PCT);
  return shown.map((one) => {
    const why = Object.keys(one.stalls)[0];
    return `${' '.repeat(INDENT)}${share(one.share_pct)}  ${padEnd(one.address, 7)} ${padEnd(plainText(one.text), 40)}  ${[...(why === undefined ? [] : [stallWords(why)]), ...counts(one)].join(' · ')}`;
  });
}

function counts({ executed, registers, samples }: HotInstruction): string[] {
  return [
    ...(samples === 0 ? [] : [`${figure(samples)} samples here`]),
    ...(executed === undefined ? [] : [`executed ${figure(executed)}`]),
    ...(registers === undefined ? [] : [`${registers} registers`]),
  ];
}

function share(pct: number): string {
  return `${padStart(pct.toFixed(1), 5)} %`;
}

function ratio(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(0)} %`;
}

function figure(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}
