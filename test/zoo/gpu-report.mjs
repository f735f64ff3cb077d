// For run-on-gpu.sh: `names WHERE…` prints the CUDA kernels to run there (`hot`: in that mode), `report FILE…` what became of all of them.
import { readList, readReport } from './read-report.mjs';
import { whatFired } from './what-fired.mjs';

function report(animals, files) {
  const fired = new Map();
  for (const file of files) {
    for (const [kernel, names] of whatFired(readReport(file))) {
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
const all = await readList(new URL('animals.ts', import.meta.url));
const animals = all.filter(([, { device }]) => device === 'cuda');
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
