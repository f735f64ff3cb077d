import { FACTS } from '../../../src/learn/gates/facts.ts';
import { NAMES } from '../../../src/learn/gates/gate-names.ts';
import type { Gate, Method } from '../../../src/model/gate.ts';

const INTRODUCTION =
  'A gate with a formula in brackets applies only where that holds. If a gate does not pass, it stops the session (✗) or warns (!).';
const FACTS_INTRODUCTION = 'Grouped by `evidence`. A share of 1 is all of it; units are in the names.';

/** The part of docs/method.md that is made from the method and the facts: everything from "The gates" on. */
export function methodPage(method: Method): string {
  const phases = method.phases.flatMap(({ id, title, budget_min }) => [
    `### ${title}`,
    `\`${id}\`, ${budget_min} minutes.`,
    table(
      ['gate', 'what it asks, and why', 'passes if (applies if)', 'else'],
      method.gates.filter(({ phase }) => phase === id).map(gateCells),
    ),
  ]);
  return [
    '## The gates',
    INTRODUCTION,
    ...phases,
    '## Settings',
    table(
      ['setting', 'default'],
      Object.entries(method.settings).map(([name, value]) => [`\`${name}\``, String(value)]),
    ),
    '## Facts',
    FACTS_INTRODUCTION,
    ...factTables(),
    '## Names in texts',
    meanings(Object.entries(NAMES)),
  ].join('\n\n');
}

function gateCells({ id, title, why, pass, applies, severity }: Gate): string[] {
  return [
    `**${id}**`,
    `${title}. ${why}`,
    `\`${pass}\`${applies === undefined ? '' : ` (\`${applies}\`)`}`,
    severity === 'stop' ? '✗' : '!',
  ];
}

/** A fact that means the same in several kinds of evidence is explained once. */
function factTables(): string[] {
  const kinds = Object.entries(FACTS).map(([kind, names]) => [kind, Object.entries(names)] as const);
  const all = kinds.flatMap(([, names]) => names.map(([name, meaning]) => `${name}: ${meaning}`));
  const isShared = ([name, meaning]: readonly [string, string]) =>
    all.filter((other) => other === `${name}: ${meaning}`).length > 1;
  const shared = new Map(kinds.flatMap(([, names]) => names.filter(isShared)));
  return [
    '### In several kinds of evidence',
    meanings([...shared]),
    ...kinds.flatMap(([kind, names]) => {
      const also = names.filter(isShared).map(([name]) => `\`${name}\``);
      const own = meanings(names.filter((fact) => !isShared(fact)));
      const heading = `### \`${kind}\``;
      return also.length === 0 ? [heading, own] : [heading, `Also ${also.join(', ')}.`, own];
    }),
  ];
}

const meanings = (entries: readonly (readonly [string, string])[]): string =>
  entries.map(([name, meaning]) => `- \`${name}\`: ${meaning}`).join('\n');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
