// For run-on-gpu.sh: `names WHERE…` prints the CUDA kernels to run there (`hot`: in that mode), `report FILE…` what became of all of them.
import { readFileSync } from 'node:fs';

import { whatFired } from './what-fired.mjs';

/** animals.ts holds one literal of plain values, which is JavaScript as well. */
async function readAnimals() {
  const text = readFileSync(new URL('animals.ts', import.meta.url), 'utf8');
  const literal = text.slice(text.indexOf('= {\n') + 2, text.lastIndexOf('};') + 1);
  const all = await import(`data:text/javascript,export default ${encodeURIComponent(literal)}`);
  return Object.entries(all.default).filter(([, { device }]) => device === 'cuda');
}

/** A report that a command could not write is a reason for everything being missed, not for ending here. */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    console.log(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    return {};
  }
}

function report(animals, files) {
  const fired = new Map();
  for (const file of files) {
    for (const [kernel, names] of whatFired(read(file))) {
      fired.set(kernel, new Set([...(fired.get(kernel) ?? []), ...names]));
    }
  }
  let missed = 0;
  for (const [name, { caughtBy, trick }] of animals) {
    const found = fired.get(name);
    const isRight =
      found !== undefined &&
      (caughtBy.length === 0 ? found.size === 0 : caughtBy.some((detector) => found.has(detector)));
    if (!isRight) missed += 1;
    const word = caughtBy.length === 0 ? (isRight ? 'passed' : 'ALARM ') : isRight ? 'caught' : 'MISSED';
    const by = found === undefined ? 'it did not run' : [...found].join(', ') || 'nothing fired';
    console.log(`${word} ${name.padEnd(28)} ${by} (${trick})`);
  }
  console.log(`${animals.length - missed} of ${animals.length} as they should be`);
  return missed === 0 ? 0 : 1;
}

const [command, ...rest] = process.argv.slice(2);
const animals = await readAnimals();
if (command === 'names') {
  const chosen = animals.filter(([, { caughtBy, where, mode }]) => {
    if (rest.includes('hot')) return mode === 'hot';
    if (caughtBy.length === 0) return rest.some((word) => word !== 'sanitize');
    return mode === undefined && rest.includes(where);
  });
  console.log(chosen.map(([name]) => name).join(','));
} else {
  process.exitCode = report(animals, rest);
}
