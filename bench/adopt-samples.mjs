/**
 * Whether the suites' own sample solutions get the verdict that their suites give them. Prints a line of JSON for each.
 *
 *   node bench/adopt-samples.mjs --kernelbench DIR --gpumode DIR --sol DIR --kernelbot DIR --flashinfer DIR
 *     [--jobs 4] [--only TEXT] [--out FILE.jsonl] [--timeout 200] [--list]
 *
 * DIR are checkouts of KernelBench, GPU MODE's reference-kernels and kernelbot, SOL-ExecBench and FlashInfer-Bench. Each
 * sample is adopted beside its problem and checked, not timed; those that must be refused are judged with everything
 * `pawl check` has, since what cheats with time shows it only where it is timed. What a suite says of a sample is in its
 * path: `wrong`, `hack`, `evil`, `cheat`, adversarial unit tests and templates must not pass, all others must. The
 * program goes on where it was stopped: what FILE has is not tried again. `PAWL_PYTHON` names a Python with PyTorch.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { complaints, pawlSays } from './adopt-pawl.mjs';
import { missingModules, samplesOf } from './adopt-sample-files.mjs';

const { values: flags } = parseArgs({
  options: {
    kernelbench: { type: 'string' },
    gpumode: { type: 'string' },
    sol: { type: 'string' },
    kernelbot: { type: 'string' },
    flashinfer: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
    out: { type: 'string', default: 'adopt-samples.jsonl' },
    scratch: { type: 'string', default: '.bench/adopt-samples' },
    timeout: { type: 'string', default: '200' },
  },
});
const scratch = resolve(flags.scratch);
mkdirSync(scratch, { recursive: true });
const asking = (lock) => ({ lock, timeout_s: Number(flags.timeout), cwd: scratch });

async function judged({ sample, missing }, lock) {
  const { suite, path, expected } = sample;
  const started = Date.now();
  const answer =
    missing.length > 0
      ? { reason: `needs Python modules that are not installed: ${missing.join(', ')}` }
      : await verdictOf(sample, lock);
  const verdict = answer.found ?? 'not run';
  const agrees = verdict === 'not run' ? null : verdict === expected;
  const seconds = (Date.now() - started) / 1000;
  return { suite, path, expected, verdict, agrees, reason: answer.reason, seconds };
}

async function verdictOf({ path, candidate, problem, firstCase, expected }, lock) {
  const project = `${join(scratch, path.replaceAll(/[^\w.-]/gu, '_'))}.project`;
  rmSync(project, { recursive: true, force: true });
  try {
    const adopted = await pawlSays(
      ['adopt', ...problem, '--candidate', candidate, '--out', project],
      asking(lock),
    );
    if (adopted.report === undefined) {
      // A file without the function that the suite calls is refused by both; a problem that is not taken says nothing.
      const isRefusal = adopted.reason.startsWith(`${basename(candidate)} has no function`);
      return isRefusal ? { found: 'refused', reason: adopted.reason } : { reason: adopted.reason };
    }
    const [first] = Object.keys(adopted.report.cases ?? {});
    const cases = firstCase && first !== undefined ? ['--case', first] : [];
    const how =
      expected === 'right' ? ['--check-only'] : ['--verified', '--processes', '2', '--samples', '20'];
    const { report, reason } = await pawlSays(
      ['bench', '-C', project, '--only', 'mine', ...how, ...cases],
      asking(lock),
    );
    if (report === undefined) return { reason };
    const { measurements } = report;
    const why = complaints(report).join(' | ').slice(0, 500) || undefined;
    // What could not be built or imported here was not judged.
    if (measurements.some(({ fault }) => fault?.detector === 'load-failed')) return { reason: why };
    if (measurements.some(({ check, fault }) => check === 'failed' || fault !== undefined))
      return { found: 'refused', reason: why };
    if (measurements.length > 0 && measurements.every(({ check }) => check === 'passed'))
      return { found: 'right', reason: why };
    return { reason: why ?? 'not checked' };
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** A row for each suite, of what came of all that is in the file. */
function summary(rows) {
  return [...new Set(rows.map(({ suite }) => suite))].map((suite) => {
    const all = rows.filter((row) => row.suite === suite);
    const ran = all.filter(({ verdict }) => verdict !== 'not run');
    const agree = ran.filter(({ agrees }) => agrees);
    return `${suite.padEnd(12)} ${all.length} samples, ${ran.length} run, ${agree.length} as their suite says`;
  });
}

const known = existsSync(flags.out)
  ? readFileSync(flags.out, 'utf8').trim().split('\n').filter(Boolean).map(JSON.parse)
  : [];
const nameOf = ({ suite, path }) => `${suite} ${path}`;
const done = new Map(known.map((row) => [nameOf(row), row]));
const asked = samplesOf(flags, scratch).filter(
  (one) => nameOf(one).includes(flags.only) && !done.has(nameOf(one)),
);
const lacking = asked.length > 0 ? missingModules(asked) : [];
// Those that must be refused come first: most can go wrong there.
const waiting = asked
  .map((sample, at) => ({ sample, missing: lacking[at] }))
  .toSorted((a, b) => a.sample.expected.localeCompare(b.sample.expected));
if (flags.list) {
  for (const { sample, missing: modules } of waiting)
    process.stdout.write(`${sample.expected.padEnd(8)} ${nameOf(sample)} ${modules.join(',')}\n`);
  waiting.length = 0;
}
const work = async (_, job) => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const row = await judged(next, `adopt-samples-${job}`);
    done.set(nameOf(row), row);
    appendFileSync(flags.out, `${JSON.stringify(row)}\n`);
    process.stdout.write(`${JSON.stringify(row)}\n`);
  }
};
await Promise.all(Array.from({ length: Number(flags.jobs) }, work));
const rows = [...done.values()];
for (const row of rows.filter(({ agrees }) => agrees !== true))
  process.stdout.write(
    `${row.agrees === false ? 'OTHERWISE' : 'not run'} ${nameOf(row)}: ${row.reason?.slice(0, 160)}\n`,
  );
process.stdout.write(`${summary(rows).join('\n')}\n`);
