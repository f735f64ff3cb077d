/**
 * How many problems of public suites `pawl adopt` takes unchanged: by suite, and where not, why. Prints Markdown.
 *
 *   node bench/adopt-suites.mjs --kernelbench DIR --gpumode DIR --flashinfer DIR [--run] [--jobs 4] [--out FILE.jsonl]
 *
 * DIR are checkouts of KernelBench, GPU MODE's reference-kernels and FlashInfer-Bench. Without --run each problem is
 * only looked at (`--dry-run`). With --run its reference is checked, which must be right, and a candidate that returns
 * zeros, which must be wrong; nothing is timed, so that several problems can share a device (--jobs). Results are appended to a file of JSON lines; what is in it already is not run again.
 * Where a suite's tolerance is blind, the problem is run as `adopt --run` runs it, with one that sees.
 * `PAWL_PYTHON` names a Python with PyTorch. --only TEXT,TEXT takes problems whose path has one of these texts, --limit N
 * the first N.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { complaints, pawlSays, runAdopted } from './adopt-pawl.mjs';

const { values: flags } = parseArgs({
  options: {
    kernelbench: { type: 'string' },
    gpumode: { type: 'string' },
    flashinfer: { type: 'string' },
    run: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '2' },
    out: { type: 'string', default: 'adopt-suites.jsonl' },
    scratch: { type: 'string', default: '.bench/adopt-suites' },
    timeout: { type: 'string', default: '300' },
    only: { type: 'string', default: '' },
    limit: { type: 'string', default: 'Infinity' },
  },
});
const scratch = resolve(flags.scratch);
mkdirSync(scratch, { recursive: true });
const asking = (lock) => ({ lock, timeout_s: Number(flags.timeout), cwd: scratch });

/** Every file below a folder whose name says that it is a problem. */
function problemsBelow(folder, isProblem) {
  return readdirSync(folder, { recursive: true })
    .filter((path) => isProblem(path))
    .map((path) => join(folder, path))
    .sort();
}

const SUITES = {
  kernelbench: {
    find: (root) => problemsBelow(join(root, 'KernelBench'), (path) => /^level\d\/.*\.py$/u.test(path)),
    zeros: (file, into) => write(into, '.py', zerosOfModel(file)),
  },
  gpumode: {
    find: (root) => problemsBelow(join(root, 'problems'), (path) => basename(path) === 'task.yml'),
    // One test: there are up to forty, and most of them are larger.
    firstCase: true,
    zeros: (_, into) => write(into, '.py', ZEROS_OF_TASK),
  },
  flashinfer: {
    find: (root) =>
      problemsBelow(join(root, 'flashinfer_trace/definitions'), (path) => path.endsWith('.json')),
    zeros: (file, into) => write(into, '.json', zerosOfDefinition(file)),
  },
};

/** Candidates that do the work, and return zeros: only their values are wrong. */
const zerosOfModel = (file) => `import functools
import importlib.util
import torch

spec = importlib.util.spec_from_file_location("problem", ${JSON.stringify(file)})
problem = importlib.util.module_from_spec(spec)
spec.loader.exec_module(problem)


class ModelNew(problem.Model):
    # With the names of its parameters, some of which are numbers.
    @functools.wraps(problem.Model.forward)
    def forward(self, *inputs, **numbers):
        result = super().forward(*inputs, **numbers)
        return torch.zeros_like(result) if isinstance(result, torch.Tensor) else tuple(map(torch.zeros_like, result))
`;
const ZEROS_OF_TASK = `import torch
from reference import ref_kernel


def custom_kernel(data):
    result = ref_kernel(data)
    return torch.zeros_like(result) if isinstance(result, torch.Tensor) else tuple(map(torch.zeros_like, result))
`;
function zerosOfDefinition(file) {
  const { name, reference } = JSON.parse(readFileSync(file, 'utf8'));
  const main = `import torch
import functools

from original import run as original


# By the same names: some definitions have their inputs in another order than their reference.
@functools.wraps(original)
def run(*inputs, **named):
    result = original(*inputs, **named)
    return torch.zeros_like(result) if isinstance(result, torch.Tensor) else tuple(map(torch.zeros_like, result))
`;
  return JSON.stringify({
    name: 'zeros',
    definition: name,
    author: 'bench',
    spec: {
      language: 'python',
      target_hardware: ['LOCAL'],
      entry_point: 'main.py::run',
      destination_passing_style: false,
    },
    sources: [
      { path: 'main.py', content: main },
      { path: 'original.py', content: reference },
    ],
  });
}

function write(stem, extension, text) {
  writeFileSync(stem + extension, text);
  return stem + extension;
}

/** Problems of 30 GB are no rarity on level 1 of KernelBench: not many of them at the same time. */
const MOST_LARGE = 3;
const large = new Set();
async function withRoom(path, check) {
  if (!path.includes('level1/')) return check();
  while (large.size >= MOST_LARGE) await Promise.race(large);
  const checking = check().finally(() => large.delete(checking));
  large.add(checking);
  return checking;
}

/** `lock`: several problems are checked at the same time, since nothing is timed. */
async function judged({ suite, path, file }, lock) {
  const started = Date.now();
  const seconds = () => (Date.now() - started) / 1000;
  if (!flags.run) {
    const { report, reason } = await pawlSays(['adopt', file, '--dry-run'], asking(lock));
    return { suite, path, outcome: report === undefined ? 'refused' : 'drafted', reason };
  }
  const stem = join(scratch, path.replaceAll(/[^\w.-]/gu, '_'));
  const candidate = SUITES[suite].zeros(file, stem);
  const project = `${stem}.project`;
  rmSync(project, { recursive: true, force: true });
  try {
    const adopted = await pawlSays(['adopt', file, '--candidate', candidate, '--out', project], asking(lock));
    if (adopted.report === undefined)
      return { suite, path, outcome: 'refused', reason: adopted.reason, seconds: seconds() };
    const adopt_s = seconds();
    const [first] = Object.keys(adopted.report.cases ?? {});
    const cases = SUITES[suite].firstCase && first !== undefined ? ['--case', first] : [];
    const only = ['--only', 'reference,mine', '--check-only', ...cases];
    const checked = await withRoom(path, () => pawlSays(['bench', '-C', project, ...only], asking(lock)));
    const found = verdict(checked);
    if (found.outcome !== 'blind tolerance') return { suite, path, ...found, adopt_s, seconds: seconds() };
    const { report, assumed, reason } = await runAdopted([file, candidate, ...cases.slice(1)], asking(lock));
    const again = verdict({ report, reason });
    return { suite, path, ...again, blind: found.reason, assumed, adopt_s, seconds: seconds() };
  } finally {
    rmSync(candidate, { force: true });
    rmSync(project, { recursive: true, force: true });
  }
}

function verdict({ report, reason }) {
  if (report === undefined) return { outcome: 'refused', reason };
  const { measurements, warnings = [] } = report;
  const of = (kernel) => measurements.filter((one) => one.kernel === kernel);
  const right = of('reference').length > 0 && of('reference').every(({ check }) => check === 'passed');
  const wrong = of('mine').length > 0 && of('mine').every(({ check }) => check === 'failed');
  const blind = [...warnings, ...measurements.flatMap((one) => one.warnings ?? [])]
    .filter(({ kind }) => kind === 'blind-tolerance')
    .map(({ message }) => message);
  const fault = !right ? 'reference not right' : !wrong ? 'zeros not refused' : 'taken';
  const outcome = blind.length > 0 ? 'blind tolerance' : fault;
  if (outcome === 'taken') return { outcome };
  return { outcome, reason: [...blind, ...complaints(report)].join(' | ').slice(0, 600) };
}

/** What sentences about different problems have in common. */
function kindOf({ outcome, reason = '' }) {
  if (outcome !== 'refused') return outcome;
  const rules = [
    [/needs the Python module|No module named/u, 'needs a Python module that is not there'],
    [/several GPUs/u, 'needs several GPUs'],
    [/float8|float4|not implemented for 'Half'|does not have|no attribute/u, 'needs a newer PyTorch'],
    [/GiB|memory/u, 'needs more memory'],
    [/did not finish|too long/u, 'takes too long'],
    [/has no function|does not name reference/u, 'has another form'],
  ];
  return rules.find(([pattern]) => pattern.test(reason))?.[1] ?? `refused: ${reason.slice(0, 100)}`;
}

const known = existsSync(flags.out)
  ? readFileSync(flags.out, 'utf8').trim().split('\n').filter(Boolean).map(JSON.parse)
  : [];
const done = new Map(known.map((one) => [`${one.suite} ${one.path}`, one]));
const problems = Object.entries(SUITES).flatMap(([suite, { find }]) => {
  const root = flags[suite] === undefined ? undefined : resolve(flags[suite]);
  return root === undefined ? [] : find(root).map((file) => ({ suite, file, path: relative(root, file) }));
});
const texts = flags.only.split(',');
const asked = problems
  .filter(({ path }) => texts.some((text) => path.includes(text)))
  .slice(0, Number(flags.limit));
// Mixed, but in the same way each time: large and small ones share the device.
const mixed = asked
  .map((one, at) => ({ one, key: (at * 0.618033988749895) % 1 }))
  .sort((a, b) => a.key - b.key);
const waiting = mixed.flatMap(({ one }) => (done.has(`${one.suite} ${one.path}`) ? [] : [one]));
mkdirSync(dirname(resolve(flags.out)), { recursive: true });

/** Several side by side, one after the other those that found no memory beside others. */
async function judgeAll(waiting, jobs) {
  const crowded = [];
  const work = async (_, job) => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const result = await judged(next, `adopt-suites-${job}`);
      if (jobs > 1 && /out of memory/iu.test(result.reason ?? '')) {
        crowded.push(next);
        continue;
      }
      done.set(`${result.suite} ${result.path}`, result);
      appendFileSync(flags.out, `${JSON.stringify(result)}\n`);
      process.stderr.write(
        `${waiting.length} left: ${result.path}: ${result.outcome} ${result.reason ?? ''}\n`,
      );
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  if (crowded.length > 0) await judgeAll(crowded, 1);
}

await judgeAll(waiting, Number(flags.jobs));

const found = asked.flatMap(({ suite, path }) => done.get(`${suite} ${path}`) ?? []);
const counts = new Map();
for (const one of found) {
  const key = `| ${one.suite} | ${kindOf(one)} |`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
process.stdout.write('| suite | outcome | problems |\n| --- | --- | ---: |\n');
for (const [key, count] of [...counts].toSorted(([a], [b]) => a.localeCompare(b)))
  process.stdout.write(`${key} ${count} |\n`);
