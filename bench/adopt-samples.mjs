/**
 * Whether the suites' own sample solutions get the verdict that their suites give them. Prints a line of JSON for each.
 *
 *   node bench/adopt-samples.mjs --kernelbench DIR --gpumode DIR --sol DIR [--jobs 4] [--only TEXT] [--out FILE.jsonl]
 *
 * DIR are checkouts of KernelBench, GPU MODE's reference-kernels and SOL-ExecBench. Each sample is adopted beside its
 * problem and checked, not timed; those that cheat with time are judged as `pawl judge` does it. What a suite says of a sample is in its
 * path: `wrong`, `hack` and `evil` must not pass, all others must. `PAWL_PYTHON` names a Python with PyTorch.
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { complaints, pawlSays } from './adopt-pawl.mjs';

const { values: flags } = parseArgs({
  options: {
    kernelbench: { type: 'string' },
    gpumode: { type: 'string' },
    sol: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    out: { type: 'string', default: 'adopt-samples.jsonl' },
    scratch: { type: 'string', default: '.bench/adopt-samples' },
    timeout: { type: 'string', default: '200' },
  },
});
const scratch = resolve(flags.scratch);
mkdirSync(scratch, { recursive: true });
const asking = (lock) => ({ lock, timeout_s: Number(flags.timeout), cwd: scratch });

function filesBelow(root, isSample) {
  return readdirSync(root, { recursive: true })
    .filter((path) => isSample(path))
    .toSorted((a, b) => a.localeCompare(b))
    .map((path) => join(root, path));
}

/** Nearest folder above a file that has a file of this name. */
function above(file, name) {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, name))) return folder;
  return undefined;
}

const SUITES = {
  /** `model_new_ex_add_triton.py` solves `model_ex_add.py`. */
  kernelbench: (root) =>
    filesBelow(root, (path) => /(^|\/)model_new_ex_\w+\.py$/u.test(path)).flatMap((candidate) => {
      const name = basename(candidate, '.py').replace('model_new_', 'model_');
      const names = [name, name.replace(/_[^_]+$/u, '')];
      const problem = names
        .map((one) => join(dirname(candidate), `${one}.py`))
        .find((one) => existsSync(one));
      return problem === undefined ? [] : [{ candidate, problem: [problem] }];
    }),
  gpumode: (root) =>
    filesBelow(join(root, 'problems'), (path) =>
      /(^|\/)(submission\.py|solutions\/(correct|wrong)\/[\w-]+\.py)$/u.test(path),
    ).flatMap((candidate) => {
      const folder = above(candidate, 'task.yml');
      return folder === undefined
        ? []
        : [{ candidate, problem: [join(folder, 'task.yml')], firstCase: true }];
    }),
  /** Hacks are solutions of another sample's definition, which they name. */
  sol: (root) => {
    const definitions = new Map(
      filesBelow(root, (path) => basename(path) === 'definition.json').map((file) => [
        JSON.parse(readFileSync(file, 'utf8')).name,
        file,
      ]),
    );
    return filesBelow(root, (path) => /(^|\/)solution\w*\.json$/u.test(path)).flatMap((candidate) => {
      const beside = join(dirname(candidate), 'definition.json');
      const named = definitions.get(JSON.parse(readFileSync(candidate, 'utf8')).definition);
      const definition = existsSync(beside) ? beside : named;
      if (definition === undefined) return [];
      const workload = join(dirname(definition), 'workload.jsonl');
      const workloads = existsSync(workload) ? ['--workload', workload] : [];
      return [{ candidate, problem: [definition, ...workloads], firstCase: true }];
    });
  },
};

async function judged({ suite, path, candidate, problem, firstCase }, lock) {
  const expected = /wrong|hack|evil/u.test(path) ? 'refused' : 'right';
  const started = Date.now();
  const answer = await verdictOf({ path, candidate, problem, firstCase, expected }, lock);
  const verdict = answer.found ?? 'not run';
  const agrees = verdict === 'not run' ? null : verdict === expected;
  return {
    suite,
    path,
    expected,
    verdict,
    agrees,
    reason: answer.reason,
    seconds: (Date.now() - started) / 1000,
  };
}

async function verdictOf({ path, candidate, problem, firstCase, expected }, lock) {
  const project = `${join(scratch, path.replaceAll(/[^\w.-]/gu, '_'))}.project`;
  rmSync(project, { recursive: true, force: true });
  try {
    const adopted = await pawlSays(
      ['adopt', ...problem, '--candidate', candidate, '--out', project],
      asking(lock),
    );
    if (adopted.report === undefined) return { reason: adopted.reason };
    const [first] = Object.keys(adopted.report.cases ?? {});
    const cases = firstCase && first !== undefined ? ['--case', first] : [];
    // What cheats with time shows it only where it is timed.
    const how = expected === 'right' ? ['--check-only'] : ['--processes', '2', '--samples', '20'];
    const { report, reason } = await pawlSays(
      ['bench', '-C', project, '--only', 'mine', ...how, ...cases],
      asking(lock),
    );
    if (report === undefined) return { reason };
    const { measurements } = report;
    const why = complaints(report).join(' | ').slice(0, 500) || undefined;
    if (measurements.some(({ check }) => check === 'failed')) return { found: 'refused', reason: why };
    if (measurements.length > 0 && measurements.every(({ check }) => check === 'passed'))
      return { found: 'right', reason: why };
    return { reason: why ?? 'not checked' };
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

const samples = Object.entries(SUITES).flatMap(([suite, find]) => {
  if (flags[suite] === undefined) return [];
  const root = resolve(flags[suite]);
  return find(root).map(({ candidate, problem, firstCase }) => ({
    suite,
    path: relative(root, candidate),
    candidate,
    problem,
    firstCase,
  }));
});
const waiting = samples.filter(({ path }) => path.includes(flags.only));
const work = async (_, job) => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const line = JSON.stringify(await judged(next, `adopt-samples-${job}`));
    appendFileSync(flags.out, `${line}\n`);
    process.stdout.write(`${line}\n`);
  }
};
await Promise.all(Array.from({ length: Number(flags.jobs) }, work));
