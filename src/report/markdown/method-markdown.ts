import type { Gate, Method } from '../../model/learn/gate.ts';

/** The method for people and assistants: phases with their time, and what every gate wants. */
export function renderMethodMarkdown({ phases, gates, settings }: Method): string {
  const sections = phases.map(({ id, title, budget_min }) => {
    const own = gates.filter(({ phase }) => phase === id).map(gateSection);
    return [`## ${title} (${budget_min} minutes)`, ...own].join('\n\n');
  });
  const numbers = Object.entries(settings).map(([name, value]) => `- \`${name}\`: ${value}`);
  return [
    '# The method',
    'Gates are evaluated in order, from measurements. A gate that stops blocks the rest until it passes, or is overridden with a recorded reason.',
    ...sections,
    '## Settings',
    numbers.join('\n'),
    '',
  ].join('\n\n');
}

function gateSection({ id, number, title, why, pass, applies, severity, next }: Gate): string {
  return [
    `### ${number === undefined ? '' : `${number} `}${title} (\`${id}\`)`,
    why,
    [
      `- Passes where: \`${pass}\``,
      ...(applies === undefined ? [] : [`- Applies where: \`${applies}\``]),
      `- Otherwise it ${severity === 'stop' ? 'stops' : 'warns'}; next: \`${next}\``,
    ].join('\n'),
  ].join('\n\n');
}
