/**
 * How many problems of public suites `pawl adopt` takes unchanged: by suite, and where not, why. Prints Markdown.
 *
 *   node bench/adopt-suites.mjs --kernelbench DIR --gpumode DIR --flashinfer DIR [--run] [--jobs 4] [--out FILE.jsonl]
 *
 * DIR are checkouts of KernelBench, GPU MODE's reference-kernels and FlashInfer-Bench. Without --run each problem is
 * only looked at (`--dry-run`). With --run its reference is measured, which must be right, and a candidate that returns
 * zeros, which must be wrong. Results are appended to a file of JSON lines; what is in it already is not run again.
 * `PAWL_PYTHON` names a Python with PyTorch. --only TEXT takes problems whose path has it, --limit N the first N.
 */
import { execFile } from 'node:child_process';
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
const pawl = resolve('bin/pawl');
const scratch = resolve(flags.scratch);
mkdirSync(scratch, { recursive: true });

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
    // The first test: others are larger, and there are up to forty.
    cases: ['--case', 'test_1'],
    zeros: (_, into) => write(into, '.py', ZEROS_OF_TASK),
  },
  flashinfer: {
    find: (root) =>
      problemsBelow(join(root, 'flashinfer_trace/definitions'), (path) => path.endsWith('.json')),
    zeros: (file, into) => write(into, '.json', zerosOfDefinition(file)),
  },
};

/** Candidates that do the work, and return zeros: only their values are wrong. */
const zerosOfModel = (file) => `import importlib.util
import torch

spec = importlib.util.spec_from_file_location("problem", ${JSON.stringify(file)})
problem = importlib.util.module_from_spec(spec)
spec.loader.exec_module(problem)


class ModelNew(problem.Model):
    def forward(self, *inputs):
        result = super().forward(*inputs)
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
from original import run as original


def run(*inputs):
    result = original(*inputs)
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

/** The answer of one command: its document, or what it said instead. */
function adopt(args) {
  return new Promise((done) => {
    execFile(
      pawl,
      ['adopt', ...args, '--json'],
      { maxBuffer: 2 ** 28, timeout: 1000 * Number(flags.timeout) * 2, cwd: scratch },
      (error, stdout, stderr) => {
        try {
          done({ report: JSON.parse(stdout) });
        } catch {
          const told = stderr.split('\n').filter((line) => line.startsWith('pawl: '));
          done({ reason: told.at(-1)?.slice('pawl: '.length) ?? error?.message ?? 'no answer' });
        }
      },
    );
  });
}

async function judged({ suite, path, file }) {
  const started = Date.now();
  const given = ['--timeout', flags.timeout];
  if (!flags.run) {
    const { report, reason } = await adopt([file, '--dry-run', ...given]);
    return { suite, path, outcome: report === undefined ? 'refused' : 'drafted', reason };
  }
  const stem = join(scratch, path.replaceAll(/[^\w.-]/gu, '_'));
  const candidate = SUITES[suite].zeros(file, stem);
  const quick = ['--run', '--processes', '1', '--samples', '3', ...(SUITES[suite].cases ?? []), ...given];
  const { report, reason } = await adopt([file, '--candidate', candidate, ...quick]);
  rmSync(candidate, { force: true });
  const seconds = (Date.now() - started) / 1000;
  if (report === undefined) {
    const isBlind = /\bis blind\b/u.test(reason);
    const isWrong = /cannot judge anything/u.test(reason);
    const outcome = isBlind ? 'blind' : isWrong ? 'reference not right' : 'refused';
    return { suite, path, outcome, reason, seconds };
  }
  // A judgement: the reference is right, or there would be none.
  const outcome = report.correct === false ? 'taken' : 'zeros not refused';
  return { suite, path, outcome, reason: outcome === 'taken' ? undefined : report.reason, seconds };
}

/** What sentences about different problems have in common. */
function kindOf({ outcome, reason = '' }) {
  if (outcome !== 'refused') return outcome;
  const rules = [
    [/needs the Python module|No module named/u, 'needs a Python module that is not there'],
    [/several GPUs/u, 'needs several GPUs'],
    [/float8|float4|not implemented for 'Half'|does not have|no attribute/u, 'needs a newer PyTorch'],
    [/GiB|memory/u, 'needs more memory'],
    [/did not come to an end|too long/u, 'takes too long'],
    [/has no function|names no reference/u, 'has another form'],
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
const asked = problems.filter(({ path }) => path.includes(flags.only)).slice(0, Number(flags.limit));
const waiting = asked.filter(({ suite, path }) => !done.has(`${suite} ${path}`));
mkdirSync(dirname(resolve(flags.out)), { recursive: true });

await Promise.all(
  Array.from({ length: Number(flags.jobs) }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const result = await judged(next);
      done.set(`${result.suite} ${result.path}`, result);
      appendFileSync(flags.out, `${JSON.stringify(result)}\n`);
      process.stderr.write(
        `${waiting.length} left: ${result.path}: ${result.outcome} ${result.reason ?? ''}\n`,
      );
    }
  }),
);

const found = asked.flatMap(({ suite, path }) => done.get(`${suite} ${path}`) ?? []);
const counts = new Map();
for (const one of found) {
  const key = `| ${one.suite} | ${kindOf(one)} |`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
process.stdout.write('| suite | outcome | problems |\n| --- | --- | ---: |\n');
for (const [key, count] of [...counts].toSorted(([a], [b]) => a.localeCompare(b)))
  process.stdout.write(`${key} ${count} |\n`);
