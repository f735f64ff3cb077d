/**
 * Makes one project of the foreign kernels in kernels.mjs, which `bench/beside-do-bench.ts` times:
 *
 *   node bench/beside-do-bench/project.mjs OUT --kernelbench DIR --gpumode DIR --triton DIR [--device cuda] [--only TEXT]
 *
 * Each file is copied, its constants are set, and `pawl adopt` looks at the copy; that needs no GPU. OUT has what was
 * adopted, one pawl.yaml for all, and kernels.json, which says how to call each without Pawl.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { parse, stringify } from 'yaml';

import { FOREIGN } from './kernels.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kernelbench: { type: 'string' },
    gpumode: { type: 'string' },
    triton: { type: 'string' },
    device: { type: 'string', default: 'cuda' },
    only: { type: 'string', default: '' },
  },
});
const out = resolve(positionals[0] ?? 'beside');
const pawl = resolve('bin/pawl');

/** A copy of a suite's file in the project, with other constants; of a task its whole folder, whose files share others. */
function copied(suite, file, constants = {}) {
  const to = join(out, 'files', suite, file);
  const from = join(flags[suite], file);
  if (file.endsWith('task.yml')) {
    const folder = dirname(dirname(to));
    if (!existsSync(folder)) cpSync(dirname(dirname(from)), folder, { recursive: true });
    return to;
  }
  mkdirSync(dirname(to), { recursive: true });
  const text = Object.entries(constants).reduce(
    (before, [name, value]) => {
      const after = before.replace(new RegExp(`^${name} = .*$`, 'mu'), `${name} = ${value}`);
      if (after === before) throw new Error(`${file} has no constant ${name}`);
      return after;
    },
    readFileSync(from, 'utf8'),
  );
  writeFileSync(to, text);
  return to;
}

/** Paths of a part's pawl.yaml are from its folder; those of the whole are from the project's. */
function moved(value, name) {
  if (Array.isArray(value)) return value.map((one) => moved(one, name));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      key === 'module' && typeof one === 'string' ? normalize(join(name, one)) : moved(one, name),
    ]),
  );
}

function adopted({ name, suite, file, candidate, constants, shapes = {}, size, ...rest }) {
  const path = copied(suite, file, constants);
  const solution = candidate === undefined ? [] : ['--candidate', copied(suite, candidate)];
  const told = [
    ...(rest.function === undefined ? [] : ['--function', rest.function]),
    ...Object.entries(shapes).flatMap(([tensor, shape]) => ['--shape', `${tensor}=${shape}`]),
    ...(size === undefined ? [] : ['--size', size]),
  ];
  const folder = join(out, name);
  const asked = [
    'adopt',
    path,
    ...solution,
    ...told,
    '--device',
    flags.device,
    '--out',
    folder,
    '--force',
    '--quiet',
  ];
  execFileSync(pawl, asked, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  const { problems, kernels } = moved(parse(readFileSync(join(folder, 'pawl.yaml'), 'utf8')), name);
  const [problem] = Object.values(problems);
  const kernel = candidate === undefined ? Object.values(kernels)[0] : kernels.mine;
  const called = rest.of ?? Object.keys(problem.cases)[0];
  const dims = problem.cases[called];
  const inputs = Object.values(problem.tensors)
    .filter(({ role }) => role === 'input')
    .map(({ dtype, shape }) => ({ dtype, shape: shape.map((extent) => dims[extent] ?? extent) }));
  const tunables = Object.fromEntries(
    Object.entries(kernel.tunables ?? {}).map(([key, one]) => [key, one.default]),
  );
  return {
    problem: { ...problem, cases: { [called]: dims } },
    kernel: { ...kernel, problem: name, cases: [called] },
    call: {
      name,
      kind: suite === 'kernelbench' ? 'model' : suite === 'gpumode' ? 'task' : 'function',
      file: normalize(join('files', suite, file)),
      module: kernel.module,
      function: kernel.function,
      ...(suite === 'triton' && { inputs, tunables }),
      ...(suite === 'gpumode' && { dims }),
    },
  };
}

mkdirSync(out, { recursive: true });
const found = [];
for (const foreign of FOREIGN.filter(({ name }) => name.includes(flags.only))) {
  try {
    found.push([foreign.name, adopted(foreign)]);
    process.stderr.write(`${foreign.name}\n`);
  } catch (error) {
    process.stderr.write(
      `${foreign.name} left out: ${(error.stderr || error.message).trim().slice(0, 300)}\n`,
    );
  }
}
const pick = (key) => Object.fromEntries(found.map(([name, one]) => [name, one[key]]));
writeFileSync(
  join(out, 'pawl.yaml'),
  stringify({ version: 1, problems: pick('problem'), kernels: pick('kernel') }),
);
writeFileSync(join(out, 'kernels.json'), JSON.stringify(Object.values(pick('call')), null, 1));
process.stderr.write(`${found.length} kernels in ${out}\n`);
