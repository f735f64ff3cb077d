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

/** The median over all samples of a mode in microseconds, or nothing where there is none. */
function time(reports, kernel, mode) {
  const samples = reports
    .flatMap(({ measurements = [] }) => measurements)
    .filter((one) => one.kernel === kernel && one.mode === mode)
    .flatMap(({ series }) => series.flatMap(({ samples_ms }) => samples_ms));
  return samples.length === 0 ? '' : (median(samples) * 1e3).toPrecision(3);
}

function table(kernels, reports) {
  let wrong = 0;
  console.log('| kernel | what is particular about it | cold µs | hot µs | repetitions | accused of |');
  console.log('|---|---|--:|--:|--:|---|');
  const fired = reports.map((report) => whatFired(report));
  for (const [name, { particular }] of kernels) {
    const ran = fired.filter((each) => each.has(name));
    const accusations = ran.map((each) => [...each.get(name)]).filter((found) => found.length > 0);
    const times = ['cold', 'hot'].map((mode) => time(reports, name, mode));
    // A kernel that was not timed in every repetition is not shown to be let through.
    const isGood = ran.length === reports.length && accusations.length === 0 && !times.includes('');
    if (!isGood) wrong += 1;
    const by = [...new Set(accusations.flat())].join(', ') || (isGood ? 'nothing' : '**it did not run**');
    console.log(
      `| \`${name}\` | ${particular} | ${times.join(' | ')} | ${ran.length - accusations.length} of ${reports.length} | ${by} |`,
    );
  }
  console.log(`\n${kernels.length - wrong} of ${kernels.length} as they should be`);
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
