/**
 * Numbers as ncu prints them under any locale: `1,234.56`, `1.234,56`, `1 234,56`, `1'234.56`. Which mark is the
 * decimal one is a property of the whole table, so a number that could be read both ways waits for the others.
 */

/** Which mark stands before the fraction. `mixed`: some numbers say the one, some the other. */
export type DecimalMark = '.' | ',' | 'mixed' | 'unknown';

/**
 * - `absent`: ncu says that there is no value (`n/a`, `nan`, an empty field)
 * - `text`: not a number in any locale
 * - `whole`, `point`, `comma`: a number that can be read in one way only
 * - `either`: `1,234` and `1.234`, a thousand and something or one and something
 */
type NumberForm = 'absent' | 'text' | 'whole' | 'point' | 'comma' | 'either';

export interface ParsedNumber {
  readonly form: NumberForm;
  /** As JavaScript writes numbers; for `either` with its mark as the decimal one. */
  readonly decimal: string;
}

const ABSENT: ParsedNumber = { form: 'absent', decimal: '' };
const TEXT: ParsedNumber = { form: 'text', decimal: '' };

const NO_VALUE = /^(?:|-|n\/a|no data|[+-]?(?:nan|inf|infinity)(?:\(.*\))?)$/i;
const SHAPE = /^([+-]?)(\d[\d.,'’ \u00a0\u202f]*)(e[+-]?\d{1,3})?$/i;
/** Groups of three after one to three digits, all with the same mark: no locale that ncu meets begins with a zero. */
const GROUPED = /^[1-9]\d{0,2}(?:([.,'’ \u00a0\u202f])\d{3})(?:\1\d{3})*$/;
const PLAIN = /^(?:0|[1-9]\d*)$/;

export function parseNumber(text: string): ParsedNumber {
  const trimmed = text.trim();
  if (NO_VALUE.test(trimmed)) return ABSENT;
  const [, sign = '', body, exponent = ''] = SHAPE.exec(trimmed) ?? [];
  if (body === undefined) return TEXT;
  const number = parseBody(body, exponent !== '');
  return number === TEXT ? TEXT : { form: number.form, decimal: `${sign}${number.decimal}${exponent}` };
}

function parseBody(body: string, hasExponent: boolean): ParsedNumber {
  if (PLAIN.test(body)) return { form: 'whole', decimal: body };
  const mark = Math.max(body.lastIndexOf('.'), body.lastIndexOf(','));
  const group = GROUPED.exec(body)?.[1];
  if (group !== undefined && !hasExponent) {
    const isOnlyMark = body.indexOf(group) === body.lastIndexOf(group);
    if (group !== '.' && group !== ',') return { form: 'whole', decimal: digitsOf(body) };
    if (isOnlyMark) return { form: 'either', decimal: body.replace(',', '.') };
    return { form: group === ',' ? 'point' : 'comma', decimal: digitsOf(body) };
  }
  if (mark === -1) return TEXT;
  const before = body.slice(0, mark);
  const fraction = body.slice(mark + 1);
  const beforeGroup = GROUPED.exec(before)?.[1];
  const isSound =
    /^\d+$/.test(fraction) &&
    (PLAIN.test(before) || (beforeGroup !== undefined && beforeGroup !== body[mark]));
  if (!isSound) return TEXT;
  return { form: body[mark] === '.' ? 'point' : 'comma', decimal: `${digitsOf(before)}.${fraction}` };
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}

/** What a number that can be read in one way says about its table; one of `either` form, if it counts whole things. */
export function evidenceOf(text: string, { form }: ParsedNumber, isWhole: boolean): '.' | ',' | undefined {
  if (form === 'point') return '.';
  if (form === 'comma') return ',';
  if (form === 'either' && isWhole) return text.includes(',') ? '.' : ',';
  return undefined;
}

/** The value, times ten to the power of `shift` without a rounding of its own; undefined: it cannot be known. */
export function numberValue(
  text: string,
  { form, decimal }: ParsedNumber,
  mark: DecimalMark,
  shift: number,
): number | undefined {
  if (form === 'absent' || form === 'text') return undefined;
  if (form === 'either') {
    if (mark === 'mixed' || mark === 'unknown') return undefined;
    return finite(text.includes(mark) ? decimal : decimal.replace('.', ''), shift);
  }
  if (form === 'point' && mark === ',') return undefined;
  if (form === 'comma' && mark === '.') return undefined;
  return finite(decimal, shift);
}

function finite(decimal: string, shift: number): number | undefined {
  const [mantissa = '', exponent = '0'] = decimal.toLowerCase().split('e');
  const value = Number(`${mantissa}e${Number(exponent) + shift}`);
  return Number.isFinite(value) ? value : undefined;
}
