// For run-on-gpu.sh: `names WHERE…` prints the CUDA kernels to run there (`hot`: in that mode), `report FILE…` what became of all of them.
import { readList, readReport } from './read-report.mjs';
import { whatFired } from './what-fired.mjs';

function report(animals, files) {
  const fired = new Map();
  const times = new Map();
  for (const file of files) {
    const document = readReport(file);
    for (const [kernel, names] of whatFired(document)) {
      fired.set(kernel, new Set([...(fired.get(kernel) ?? []), ...names]));
    }
    for (const { kernel, series = [] } of document.measurements ?? []) {
      const samples = series.flatMap(({ samples_ms: ms }) => ms).sort((a, b) => a - b);
      if (samples.length > 0) times.set(kernel, samples[Math.floor(samples.length / 2)]);
    }
  }
  /** The trick changed nothing: it takes as long as an honest one that does the same work. */
  const isDefused = (name, { caughtBy, like }) =>
    caughtBy.includes('defused') && fired.get(name)?.size === 0 && times.get(name) >= 0.9 * times.get(like);
  let missed = 0;
  for (const [name, animal] of animals) {
    const { caughtBy, trick, like } = animal;
    const found = fired.get(name);
    const defused = isDefused(name, animal);
    const isRight =
      defused ||
      (found !== undefined &&
        (caughtBy.length === 0 ? found.size === 0 : caughtBy.some((detector) => found.has(detector))));
    if (!isRight) missed += 1;
    const word = caughtBy.length === 0 ? (isRight ? 'passed' : 'ALARM ') : isRight ? 'caught' : 'MISSED';
    const by =
      found === undefined
        ? 'it did not run'
        : defused
          ? `defused: ${us(times.get(name))}, ${like} ${us(times.get(like))}`
          : [...found].join(', ') || 'nothing fired';
    console.log(`${word} ${name.padEnd(28)} ${by} (${trick})`);
  }
  console.log(`${animals.length - missed} of ${animals.length} as they should be`);
  return missed === 0 ? 0 : 1;
}

const us = (ms) => `${(ms * 1e3).toFixed(1)} µs`;

const [command, ...rest] = process.argv.slice(2);
const all = await readList(new URL('animals.ts', import.meta.url));
const leftOut = new Set((process.env.LEAVE_OUT ?? '').split(','));
const animals = all.filter(([name, { device }]) => device === 'cuda' && !leftOut.has(name));
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
