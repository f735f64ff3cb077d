/** Finds the template's fields in a pull-request description, whatever its formatting. What it says is data. */
import { PawlError } from '../model/pawl-error.ts';
import type { ClaimField } from '../model/judge/claim.ts';

/** Far above any description that a person writes; GitHub allows 65,536 characters. */
const MAX_CHARACTERS = 1_000_000;
/** No value that is checked is longer, and the patterns here take quadratic time on hostile text. */
const MAX_VALUE = 2_000;
/** A label is short; what is longer before its colon is a sentence. */
const MAX_LABEL = 60;

type StatedField = Exclude<ClaimField, 'correctness'>;

/** Labels after `labelOf`, by field. */
const LABELS: Readonly<Record<string, StatedField>> = {
  'target shape': 'target-shapes',
  'target shapes': 'target-shapes',
  shapes: 'target-shapes',
  hypothesis: 'hypothesis',
  'nsight evidence': 'evidence',
  'profile evidence': 'evidence',
  evidence: 'evidence',
  'median δ': 'median-change',
  'median delta': 'median-change',
  'median change': 'median-change',
  'ci overlap': 'ci-overlap',
  '95% ci overlap': 'ci-overlap',
  'cis overlap': 'ci-overlap',
  'cliffs δ': 'cliffs-delta',
  'cliffs delta': 'cliffs-delta',
  verdict: 'verdict',
};

/** Every value stated for a field, in order: two that differ are for the caller to refuse. */
export type ClaimFields = ReadonlyMap<StatedField, readonly string[]>;

export function claimFields(markdown: string): ClaimFields {
  if (markdown.length > MAX_CHARACTERS) {
    throw new PawlError('bad-data', 'the description is too long', 'Check the file name.');
  }
  const fields = new Map<StatedField, string[]>();
  // Set while the value of a label stands on the lines after it.
  let open: StatedField | undefined;
  let parts: string[] = [];
  const close = (): void => {
    if (open !== undefined && parts.length > 0) add(fields, open, parts.join('\n').slice(0, MAX_VALUE));
    open = undefined;
    parts = [];
  };
  for (const line of proseLines(markdown)) {
    const found = fieldOf(line);
    if (found !== undefined) {
      close();
      if (found.value === '') open = found.field;
      else add(fields, found.field, found.value);
    } else if (/^\s*#/.test(line) || (line.trim() === '' && parts.length > 0) || endsValue(line)) {
      close();
    } else if (open !== undefined && line.trim() !== '') {
      parts.push(plain(line));
    }
  }
  close();
  return fields;
}

function add(fields: Map<StatedField, string[]>, field: StatedField, value: string): void {
  const known = fields.get(field);
  if (known === undefined) fields.set(field, [value]);
  else known.push(value);
}

/** The lines that state something: comments are the template's, and fenced blocks quote (a benchmark's output, say). */
function proseLines(markdown: string): string[] {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of withoutComments(markdown).split(/\r\n|[\n\r]/)) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && mark !== undefined) fence = mark;
    else if (fence !== undefined && mark?.startsWith(fence) === true) fence = undefined;
    else if (fence === undefined) lines.push(line.slice(0, MAX_VALUE));
  }
  return lines;
}

/** An unclosed comment hides the rest, as it does where the description is shown. */
function withoutComments(text: string): string {
  let kept = '';
  let from = 0;
  for (;;) {
    const start = text.indexOf('<!--', from);
    if (start === -1) return kept + text.slice(from);
    kept += text.slice(from, start);
    const end = text.indexOf('-->', start + 4);
    if (end === -1) return kept;
    from = end + 3;
  }
}

function fieldOf(line: string): { readonly field: StatedField; readonly value: string } | undefined {
  const text = plain(line);
  const isHeading = /^\s*#/.test(line);
  const isTableRow = /^\s*\|/.test(line);
  const at = isTableRow ? text.indexOf('|') : text.search(/[:=]/);
  const label = labelOf(at === -1 ? text : text.slice(0, at));
  const field = Object.hasOwn(LABELS, label) ? LABELS[label] : undefined;
  if (field === undefined || (at === -1 && !isHeading)) return undefined;
  const value = at === -1 ? '' : text.slice(at + 1);
  return { field, value: (isTableRow ? value.replaceAll('|', ' ') : value).trim() };
}

/** A label that is not ours ends the value before it: `Result:`. */
function endsValue(line: string): boolean {
  return /^\s*(\*\*|__)[^*_]{1,60}(:\s*(\*\*|__)|(\*\*|__)\s*:)/.test(line);
}

/** A line without its list, quote, heading and emphasis marks. */
function plain(line: string): string {
  return line
    .normalize('NFKC')
    .replaceAll('\u2206', '\u0394')
    .replace(/^[\s>#|]*/, '')
    .replace(/^([-*+]|\d{1,3}[.)])\s+/, '')
    .replace(/^\[[ xX]\]\s*/, '')
    .replaceAll(/\*\*|__|`/g, '')
    .replace(/\s*\|\s*$/, '')
    .trim();
}

function labelOf(text: string): string {
  if (text.length > MAX_LABEL) return '';
  return text
    .replaceAll(/\([^)]*\)/g, '')
    .replaceAll(/['’‘`´]/g, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .trim()
    .toLowerCase();
}
