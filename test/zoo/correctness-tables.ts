import { DETECTORS } from '../../src/model/detector.ts';
import { ANIMALS } from './animals.ts';

const WHERE = {
  check: 'check',
  timed: 'timed series',
  fuzz: 'fuzzing',
  sanitize: 'sanitizer',
} as const;

/** The tables of docs/correctness.md (what each detector means) and docs/results/zoo.md (what catches each trick). */
export function correctnessTables(): { readonly detectors: string; readonly tricks: string } {
  const detectors = Object.entries(DETECTORS).map(([name, { scope, explanation }]) => [
    `\`${name}\``,
    explanation,
    scope,
  ]);
  const tricks = Object.entries(ANIMALS)
    .filter(([, { caughtBy }]) => caughtBy.length > 0)
    .map(([name, { trick, caughtBy, where, device }]) => [
      `\`${name}\``,
      trick,
      caughtBy.map((detector) => `\`${detector}\``).join(', '),
      `${WHERE[where]}${device === undefined ? '' : ', GPU'}`,
    ]);
  return {
    detectors: table(['detector', 'what it says', 'when it looks'], detectors),
    tricks: table(['kernel', 'trick', 'caught by (one of)', 'where'], tricks),
  };
}

/** Padded as the formatter pads it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((text, column) =>
    Math.max(text.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join(
    '\n',
  );
}
