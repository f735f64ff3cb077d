import { DETECTORS } from '../../src/model/correctness/detector.ts';
import { ANIMALS } from './animals.ts';

const WHERE = {
  check: 'check',
  timed: 'timed series',
  fuzz: 'fuzzing',
  sanitize: 'sanitizer',
} as const;

/** When detectors of each scope look. */
const HEADINGS: Readonly<Record<(typeof DETECTORS)[keyof typeof DETECTORS]['scope'], string>> = {
  always: '**Always**, in every check and series',
  verified: '**Verified**, in `check`, `compare`, `bench --verified` and some cases of `fuzz`',
  sanitize: '**Sanitize**, in `fuzz --sanitize`',
};

/** The list of docs/correctness.md (what each detector means) and the table of docs/results/zoo.md (what catches each trick). */
export function correctnessTables(): { readonly detectors: string; readonly tricks: string } {
  const scopes = [...new Set(Object.values(DETECTORS).map(({ scope }) => scope))];
  const detectors = scopes.map((scope) =>
    [
      `${HEADINGS[scope]}:\n`,
      ...Object.entries(DETECTORS)
        .filter(([, detector]) => detector.scope === scope)
        .map(([name, { explanation }]) => `- \`${name}\`: ${explanation}`),
    ].join('\n'),
  );
  const tricks = Object.entries(ANIMALS)
    .filter(([, { caughtBy }]) => caughtBy.length > 0)
    .map(([name, { trick, caughtBy, where, device }]) => [
      `\`${name}\``,
      trick,
      caughtBy.map((detector) => `\`${detector}\``).join(', '),
      `${WHERE[where]}${device === undefined ? '' : ', GPU'}`,
    ]);
  return {
    detectors: detectors.join('\n\n'),
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
