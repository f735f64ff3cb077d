// Fills the last column of docs/results/attacks.md from what was run: `fill-attacks.mjs FILE…`, each a samples file, a
// report of `pawl fuzz --json`, or what zoo.test.ts wrote to PAWL_ZOO_ANSWERS.
import { readFileSync, writeFileSync } from 'node:fs';

import { whatFired } from './what-fired.mjs';

const DOCUMENT = new URL('../../docs/results/attacks.md', import.meta.url);
/** Its table has a row for each animal that is not honest, and says what may answer it. */
const TRICKS = readFileSync(new URL('../../docs/results/zoo.md', import.meta.url), 'utf8').split('\n');

const fired = new Map();
for (const file of process.argv.slice(2)) {
  for (const [kernel, names] of whatFired(JSON.parse(readFileSync(file, 'utf8')))) {
    fired.set(kernel, new Set([...(fired.get(kernel) ?? []), ...names]));
  }
}

function answerOf(animal) {
  const names = fired.get(animal);
  if (names === undefined) return 'not run';
  if (names.size > 0) return [...names].map((name) => `\`${name}\``).join(', ');
  const trick = TRICKS.find((line) => line.startsWith(`| \`${animal}\` `));
  if (trick === undefined) return 'accepted, as it should be';
  return trick.includes('`defused`')
    ? 'without effect: timed as the honest work that it does'
    : '**accepted**';
}

/** Rows of four columns whose third names animals; others stay as they are. */
function filled(line) {
  const cells = line.split('|').map((cell) => cell.trim());
  const animals = [...(cells[3] ?? '').matchAll(/`([\w-]+)`/gu)].map(([, name]) => name);
  if (cells.length !== 6 || animals.length === 0 || cells[4] === 'not applicable') return line;
  const answers = [...new Set(animals.map(answerOf))];
  const text =
    answers.length === 1 ? answers[0] : animals.map((name) => `${name}: ${answerOf(name)}`).join('; ');
  return `| ${[...cells.slice(1, 4), text].join(' | ')} |`;
}

const text = readFileSync(DOCUMENT, 'utf8');
writeFileSync(DOCUMENT, text.split('\n').map(filled).join('\n'));
