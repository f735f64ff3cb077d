import type { Claim, ClaimedNumber, ClaimedShape, Stated } from '../model/judge/claim.ts';
import { changePct } from '../model/text/change-pct.ts';
import type { MeasuredVerdict } from '../model/judge/verdict.ts';
import { claimFields } from './claim-fields.ts';

/** Values that say nothing: an untouched template. For short text only: on long text it takes quadratic time. */
const PLACEHOLDER = /^[\s_.…?[\]()<>{}-]*(tbd|todo|n\/?a|none|fill in|your .*)?[\s_.…?[\]()<>{}-]*$/i;

/** Reads a pull-request description in the template's form: tolerant of form, strict about meaning. */
export function parseClaim(markdown: string): Claim {
  const fields = claimFields(markdown);
  const read = <T>(
    field: Parameters<typeof fields.get>[0],
    parse: (text: string) => T | Unreadable,
  ): Stated<T> | undefined => {
    const values = fields.get(field) ?? [];
    const stated = [...new Set(values)].filter(
      (text) => field === 'ci-overlap' || text.length > 100 || !PLACEHOLDER.test(text),
    );
    const [text] = stated;
    if (text === undefined) return undefined;
    if (stated.length > 1)
      return { state: 'unreadable', why: 'it is stated more than once, with different values', text };
    const value = parse(text);
    return value instanceof Unreadable
      ? { state: 'unreadable', why: value.why, text }
      : { state: 'read', value, text };
  };
  return {
    shapes: read('target-shapes', parseShapes),
    hypothesis: read('hypothesis', (text) => text),
    evidence: read('evidence', parseEvidence),
    change: read('median-change', parseChange),
    overlap: read('ci-overlap', parseOverlap),
    delta: read('cliffs-delta', parseDelta),
    verdict: read('verdict', parseVerdict),
  };
}

class Unreadable {
  readonly why: string;
  constructor(why: string) {
    this.why = why;
  }
}

/** `B=32, H=8, S=512, D=64; training_512`. A dimension named again begins another shape. */
function parseShapes(text: string): readonly ClaimedShape[] | Unreadable {
  const shapes: ClaimedShape[] = [];
  for (const part of text.split(/[;\n]|\band\b/i)) {
    let dims: Record<string, number> = {};
    const flush = (): void => {
      if (Object.keys(dims).length > 0) shapes.push({ kind: 'dims', dims });
      dims = {};
    };
    for (const token of part.replaceAll(/\s*=\s*/g, '=').split(/[\s,()]+/)) {
      const dim = /^([A-Za-z_]\w{0,40})=(\d{1,15})$/.exec(token);
      if (dim !== null) {
        const [, name = '', value] = dim;
        if (Object.hasOwn(dims, name)) flush();
        dims[name] = Number(value);
      } else if (token.includes('=')) {
        return new Unreadable(`"${clip(token)}" is not a dimension`);
      } else if (token !== '' && !ELEMENT_TYPE.test(token)) {
        shapes.push({ kind: 'name', name: token });
      }
    }
    flush();
  }
  return shapes.length > 0 ? shapes : new Unreadable('it names no case or dimensions');
}

/** People add the element type to a shape; it is a property of the kernel's tensors, not a case. */
const ELEMENT_TYPE = /^(fp|f|bf|float|int|i|u)(8|16|32|64)$|^half$/i;

/** `[report](artifacts/a.ncu-rep)`, `artifacts/a.ncu-rep, https://…`: words without a dot or a slash are prose. */
function parseEvidence(text: string): readonly string[] | Unreadable {
  const linked = [...text.matchAll(/\]\(([^()\s]{1,1000})\)/g)].map((match) => match[1]!);
  const bare = text
    .replaceAll(/\[[^\][]{0,300}\]\([^()\s]{1,1000}\)/g, ' ')
    .split(/[\s,;()<>"']+/)
    .map((word) => word.replace(/[.:!?]+$/, ''))
    .filter((word) => /[\w)]\.[A-Za-z][\w-]{0,15}$|^https?:\/\/\S+|\w\/\w/.test(word));
  const named = [...new Set([...linked, ...bare])];
  return named.length > 0 ? named : new Unreadable('it names no file or link');
}

const NUMBER = /([+\-−–]?)\s*(\d{1,9}(?:[.,]\d{1,9})?)\s*(%|×|x\b)/gi;

/** `+15.2% faster`, `15,2 %`, `1.18× faster`. Positive is faster; a sign and a word that disagree are refused. */
function parseChange(text: string): ClaimedNumber | Unreadable {
  // What is in brackets explains: `+15.2 % (95 % interval 14 to 16 %)`.
  const main = text.replaceAll(/\([^()]*\)|\[[^\][]*\]/g, ' ');
  const [first, ...others] = [...main.matchAll(NUMBER)];
  if (first === undefined) return new Unreadable('it has no percentage or speed-up');
  if (others.length > 0) return new Unreadable('it has more than one number');
  const [, sign = '', digits = '', unit] = first;
  const isSlower = /slow|regress|longer/i.test(main);
  const isFaster = /fast|improve|speed-?\s?up|gain/i.test(main);
  const isNegative = /[-−–]/.test(sign);
  if ((isNegative && isFaster) || (sign === '+' && isSlower) || (isSlower && isFaster)) {
    return new Unreadable('its sign and its word disagree: positive is faster');
  }
  const { value, rounding } = numberOf(digits);
  if (unit !== '%') {
    if (value <= 0 || isSlower || sign !== '')
      return new Unreadable('a speed-up is a number above 0 without a sign');
    // The rounding of the factor, carried over to the percentage.
    return { value: changePct(value, 1), rounding: (100 * rounding) / (value * value) };
  }
  return { value: isNegative || isSlower ? -value : value, rounding };
}

function parseDelta(text: string): ClaimedNumber | Unreadable {
  const match = /^[^\d+\-−–.]{0,20}([+\-−–]?)\s*(\d?[.,]?\d{1,9})(?![\d.,]*\d)/.exec(
    text.replaceAll(/\([^()]*\)/g, ' '),
  );
  if (match === null) return new Unreadable('it has no number');
  const [, sign = '', digits = ''] = match;
  const { value, rounding } = numberOf(digits);
  if (value > 1) return new Unreadable('Cliff’s δ lies between −1 and 1');
  return { value: /[-−–]/.test(sign) ? -value : value, rounding };
}

function numberOf(digits: string): ClaimedNumber {
  const text = digits.replace(',', '.');
  const decimals = text.split('.')[1]?.length ?? 0;
  return { value: Number(text), rounding: 0.5 * 10 ** -decimals };
}

function parseOverlap(text: string): boolean | Unreadable {
  const said = text.toLowerCase();
  const isNo = /^\W*(no|none|false)\b|non-?\s?overlapping|not? overlap/.test(said);
  const isYes = /^\W*(yes|true)\b|^\W*overlap/.test(said);
  return isNo === isYes ? new Unreadable('it says neither yes nor no') : isYes;
}

const VERDICT_WORDS = {
  improved: /\bimprov\w*/,
  maintained: /\b(maintain\w*|unchanged|no change)\b/,
  regressed: /\bregress\w*/,
  undecided: /\b(undecided|no sig\w*)\b/,
} satisfies Record<MeasuredVerdict, RegExp>;

function parseVerdict(text: string): MeasuredVerdict | Unreadable {
  const said = text.toLowerCase();
  const found = (Object.keys(VERDICT_WORDS) as MeasuredVerdict[]).filter((verdict) =>
    VERDICT_WORDS[verdict].test(said),
  );
  const [only] = found;
  if (only === undefined)
    return new Unreadable('it is not a verdict: improved, maintained, regressed or undecided');
  if (found.length > 1 || /\b(no|not|never)\b/.test(said.replace(/\bno (sig|change)/, ''))) {
    return new Unreadable('it says more than one thing');
  }
  return only;
}

/** Others' words as they are shown: short, one line, nothing that repaints a terminal. */
export function clip(text: string): string {
  const shown = text.replaceAll(/\s+/gu, ' ').replaceAll(/\p{C}/gu, '').trim();
  return shown.length > 80 ? `${shown.slice(0, 79)}…` : shown;
}
