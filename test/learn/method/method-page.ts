import { FACTS } from '../../../src/learn/gates/facts.ts';
import { NAMES } from '../../../src/learn/gates/gate-names.ts';
import type { Gate, Method } from '../../../src/model/learn/gate.ts';

const INTRODUCTION =
  'A gate whose formula does not hold stops the session (✗) or warns (!). A formula after "if" says where the gate applies. Commands print the title of each gate.';
const FACTS_INTRODUCTION = 'Grouped by `evidence`. A share of 1 is all of it; units are in the names.';

/** The part of docs/method.md that is made from the method and the facts: everything from "The gates" on. */
export function methodPage(method: Method): string {
  const phases = method.phases.flatMap(({ id, title, budget_min }) => [
    `### ${title}`,
    `\`${id}\`, ${budget_min} minutes.`,
    list(method.gates.filter(({ phase }) => phase === id).map(gateItem)),
  ]);
  return [
    '## The gates',
    INTRODUCTION,
    ...phases,
    '## Settings',
    `${Object.entries(method.settings)
      .map(([name, value]) => `\`${name}\` ${value}`)
      .join(', ')}.`,
    '## Facts',
    FACTS_INTRODUCTION,
    ...factTables(),
    '## Names in texts',
    meanings(Object.entries(NAMES)),
  ].join('\n\n');
}

function gateItem({ id, why, pass, applies, severity }: Gate): string {
  const condition = applies === undefined ? '' : ` if \`${applies}\``;
  return `**${id}** (${severity === 'stop' ? '✗' : '!'}): \`${pass}\`${condition}. ${why}`;
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
  list(entries.map(([name, meaning]) => `\`${name}\`: ${meaning}`));

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');
