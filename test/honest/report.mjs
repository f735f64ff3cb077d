// For run-repeatedly.sh: `names WHERE NEEDS` prints the kernels to run, `table WHERE NEEDS FILE…` what became of them in
// Markdown, one file of samples per repetition. WHERE is cpu or gpu; NEEDS is as in kernels.ts, separated by commas.
import { readList, readReport } from '../zoo/read-report.mjs';
import { whatFired } from '../zoo/what-fired.mjs';

const ON_GPU = new Set(['cuda', 'triton']);

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** A time below this share of that of the same work is false: work ran where nobody timed it. */
const TOO_FAST = 0.7;

/** The median over all samples of a mode in microseconds, or nothing where there is none. */
function time(reports, kernel, mode) {
  const samples = reports
    .flatMap(({ measurements = [] }) => measurements)
    .filter((one) => one.kernel === kernel && one.mode === mode)
    .flatMap(({ series }) => series.flatMap(({ samples_ms }) => samples_ms));
  return samples.length === 0 ? undefined : median(samples) * 1e3;
}

/** Three digits. @param {number | undefined} value */
function shown(value) {
  if (value === undefined) return '';
  return value < 100 ? value.toPrecision(3) : String(Math.round(value));
}

/** What is wrong with one kernel, in words; nothing when it was timed in every repetition, rightly and without accusation. */
function faults(name, sameWorkAs, reports) {
  const fired = reports.map((report) => whatFired(report).get(name));
  const faults = new Set(fired.flatMap((found) => [...(found ?? ['it did not run'])]));
  for (const mode of ['cold', 'hot']) {
    const own = time(reports, name, mode);
    const other = sameWorkAs === undefined ? undefined : time(reports, sameWorkAs, mode);
    if (own === undefined && fired.every((found) => found?.size === 0)) faults.add(`not timed ${mode}`);
    if (own !== undefined && other !== undefined && own < TOO_FAST * other) {
      faults.add(`false time: ${(own / other).toFixed(2)} of that of \`${sameWorkAs}\`, ${mode}`);
    }
  }
  const passed = fired.filter((found) => found?.size === 0).length;
  return { passed, text: [...faults].join(', ') };
}

function table(kernels, reports) {
  let wrong = 0;
  console.log('| kernel | what is particular about it | cold µs | hot µs | passed | accused of |');
  console.log('|---|---|--:|--:|--:|---|');
  for (const [name, { particular, sameWorkAs }] of kernels) {
    const { passed, text } = faults(name, sameWorkAs, reports);
    if (text !== '') wrong += 1;
    const cells = [
      `\`${name}\``,
      particular,
      ...['cold', 'hot'].map((mode) => shown(time(reports, name, mode))),
      `${passed} of ${reports.length}`,
      text === '' ? 'nothing' : `**${text}**`,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  console.log(`\n${kernels.length - wrong} of ${kernels.length} passed in every repetition`);
  return wrong === 0 ? 0 : 1;
}

const [command, where, needed, ...files] = process.argv.slice(2);
const all = await readList(new URL('kernels.ts', import.meta.url));
const chosen = all.filter(
  ([, { needs, device }]) =>
    needed.split(',').includes(needs) && (device === 'cuda' || ON_GPU.has(needs)) === (where === 'gpu'),
);
if (command === 'names') console.log(chosen.map(([name]) => name).join(','));
else
  process.exitCode = table(
    chosen,
    files.map((file) => readReport(file)),
  );
