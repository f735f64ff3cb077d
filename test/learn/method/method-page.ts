import { FACTS } from '../../../src/learn/gates/facts.ts';
import { NAMES } from '../../../src/learn/gates/gate-names.ts';
import type { Gate, Method } from '../../../src/model/gate.ts';

/** The part of docs/method.md that is made from the method and the facts: everything from "The gates" on. */
export function methodPage(method: Method): string {
  const phases = method.phases.flatMap(({ id, title, budget_min }) => [
    `### ${title}`,
    `\`${id}\`, budget ${budget_min} minutes.`,
    ...method.gates.filter(({ phase }) => phase === id).flatMap(gateText),
  ]);
  const facts = Object.entries(FACTS).flatMap(([kind, names]) => [
    `### \`${kind}\``,
    table(
      ['fact', 'what it is'],
      Object.entries(names).map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
  ]);
  return [
    '## The gates',
    ...phases,
    '## Settings',
    table(
      ['setting', 'default'],
      Object.entries(method.settings).map(([name, value]) => [`\`${name}\``, String(value)]),
    ),
    '## Facts',
    'By the evidence that has them. A share is 1 for all of it; times and amounts have their unit in the name.',
    ...facts,
    '## Names in texts',
    table(
      ['name', 'what it is'],
      Object.entries(NAMES).map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
  ].join('\n\n');
}

function gateText(gate: Gate): string[] {
  const { id, title, why, pass, applies, severity, evidence, number, next } = gate;
  const lines = [
    `- passes where \`${pass}\`${applies === undefined ? '' : `; applies where \`${applies}\``}`,
    `- evidence: \`${evidence}\`; a failure ${severity === 'stop' ? 'stops' : 'warns'}${number === undefined ? '' : `; ${number} of the method`}`,
    `- next: \`${next}\``,
  ];
  return [`**${id}**: ${title}. ${why}`, lines.join('\n')];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
