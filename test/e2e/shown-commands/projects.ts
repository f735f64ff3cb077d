import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { parse, stringify } from 'yaml';

import { generatedSpace } from '../../../bench/samplers/generated-space.ts';
import { blocksOf } from '../../cli/shown-commands.ts';
import { temporaryFolder } from '../../device/temporary-folder.ts';
import { OWN_LESSONS } from '../../learn/lessons/lessons-project.ts';
import { busyKernel } from '../../workflows/compare-project.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const FIXTURES = join(REPOSITORY, 'test/fixtures');

/** Few samples: what is measured here is whether a command works. */
export const QUICK = 'measure: { mode: hot, processes: 2, samples: 5, warmup: 1, stopping: fixed }\n';

/** The kernels and cases of Pawl's own repository that commands name, each as a small kernel for the CPU. */
export const PROJECTS = {
  cpu: { kernels: ['attention-cpu'], cases: ['small_128'] },
  hopper: { kernels: ['attention-hopper'], cases: ['training_512'] },
  shapes: {
    kernels: ['attention-cuda', 'attention-cpu'],
    cases: ['training_512', 'short_128', 'long_2048', 'small_128'],
  },
  session: { kernels: ['attention-cuda', 'sdpa-cudnn'], cases: ['training_512'] },
  reference: { kernels: ['attention-cpu', 'attention-numpy'], cases: ['tiny_64'] },
  many: {
    kernels: ['attention-cuda', 'attention-hopper', 'sdpa-cudnn', 'my-kernel', 'attention', 'k'],
    cases: ['training_512'],
  },
} as const;

/** `home` is an empty one, `try` the folder that README.md makes in it, `adopt` has the files of docs/bring-your-kernel.md. */
export type ProjectName = keyof typeof PROJECTS | 'home' | 'try' | 'adopt';

const FAST = 20_000;
/** Slow enough that a busy machine sees the difference too. */
const SLOW = 80_000;

/** A home of a person who uses git, and has a checkout of Pawl in `~/pawl`. */
export async function makeHome(): Promise<string> {
  const home = await temporaryFolder();
  await writeFile(
    join(home, '.gitconfig'),
    '[user]\n  name = Ann\n  email = ann@example.org\n[init]\n  defaultBranch = main\n',
  );
  await symlink(REPOSITORY, join(home, 'pawl'));
  return home;
}

/** The folder in which a scenario's commands are run. */
export async function makeProject(name: ProjectName, home: string): Promise<string> {
  if (name === 'home') return home;
  if (name === 'try') return join(home, 'try');
  const folder = await mkdtemp(join(home, `${name}-`));
  if (name === 'adopt') {
    await writeAdoptedFiles(folder);
    return folder;
  }
  await writeOthersFiles(folder);
  await makeRepository(folder, name, home);
  return folder;
}

/**
 * A repository with kernels that double a vector. They are fast at v1.2 and slow at v1.3. In `hopper` that is main,
 * with commits before it that change nothing; elsewhere main is fast again, and so is the branch that is checked out.
 */
async function makeRepository(folder: string, name: keyof typeof PROJECTS, home: string): Promise<void> {
  const { kernels, cases } = PROJECTS[name];
  const git = (...args: readonly string[]): void => {
    execFileSync('git', args, { cwd: folder, env: { ...process.env, HOME: home } });
  };
  const commit = async (message: string, turns: number): Promise<void> => {
    for (const kernel of kernels) await writeFile(join(folder, `src/${kernel}.cpp`), kernelOf(name, turns));
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', `--message=${message}`);
  };
  await mkdir(join(folder, 'src'));
  await cp(join(FIXTURES, 'kernels/doubled.hpp'), join(folder, 'src/doubled.hpp'));
  const oracle = await readFile(join(FIXTURES, 'kernels/oracle.cpp'), 'utf8');
  await writeFile(join(folder, 'src/oracle.cpp'), `${oracle}${REFERENCE}`);
  await writeFile(join(folder, 'pawl.yaml'), configOf(kernels, cases));
  // Everything else is what a person has lying about.
  await writeFile(
    join(folder, '.gitignore'),
    '*\n!src\n!src/*\n!pawl.yaml\n!gates.yaml\n!pawl-baseline.json\n!.gitignore\n',
  );
  git('init', '--quiet');
  await commit('Fast', FAST);
  git('tag', 'v1.2');
  const between = name === 'hopper' ? 39 : 0;
  for (let count = 0; count < between; count++)
    git('commit', '--quiet', '--allow-empty', '--message=Nothing');
  await commit('Slow', SLOW);
  git('tag', 'v1.3');
  if (name === 'hopper') return;
  await commit('Fast again', FAST);
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  git('checkout', '--quiet', '-b', 'change');
  await commit('Nothing', FAST);
}

const REFERENCE = `
#include "doubled.hpp"
PAWL_EXPORT int pawl_reference(const pawl_call *call) { return doubled(call); }
`;

/** In one project there is a variant that is faster. */
function kernelOf(project: ProjectName, turns: number): string {
  return busyKernel(turns).replace(`${turns};`, project === 'cpu' ? `${turns * 8} / VECTOR;` : `${turns};`);
}

/** Three variants of each kernel: a few seconds for whoever tries them all. */
function configOf(kernels: readonly string[], cases: readonly string[]): string {
  const kernel = (name: string): string => `  ${name}:
    problem: attention
    device: cpu
    language: c++
    sources: [src/${name}.cpp]
    tunables:
      BLOCK_M: { values: [64], default: 64 }
      THREADS: { values: [1, 2], default: 1 }
      VECTOR: { values: [8, 16], default: 8 }
    constraints: [THREADS * VECTOR <= 16]
`;
  return `version: 1
problems:
  attention:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N], fill: normal }
      y: { role: output, dtype: f32, shape: [N] }
    oracle: { source: src/oracle.cpp }
    fuzz: { matrix: { N: [16, 17] } }
    cases:
${cases.map((name, index) => `      ${name}: { N: ${1000 + index} }\n`).join('')}kernels:
${kernels.map(kernel).join('')}${QUICK}thresholds: { regression_pct: 25, improvement_pct: 25 }
cost: { currency: USD, default: 3.6 }
method: { gates: gates.yaml }
alerts: { subscriptions: { team-room: { slack: PAWL_ALERT_ROOM } } }
`;
}

/** The files of docs/bring-your-kernel.md: those that it links to, and the one that it shows. */
async function writeAdoptedFiles(folder: string): Promise<void> {
  await cp(join(REPOSITORY, 'docs/examples/adopt'), folder, { recursive: true });
  const page = await readFile(join(REPOSITORY, 'docs/bring-your-kernel.md'), 'utf8');
  const shown = blocksOf(page).find(({ text }) => text.startsWith('// softmax.cpp\n'));
  if (shown === undefined) throw new Error('docs/bring-your-kernel.md does not show softmax.cpp');
  await writeFile(join(folder, 'softmax.cpp'), shown.text);
}

/** What commands read that neither Pawl nor git wrote, under the names that are shown. */
async function writeOthersFiles(folder: string): Promise<void> {
  const copies = {
    'rep.csv': 'ncu/naive_matmul.raw.csv',
    'export.csv': 'ncu/naive_matmul.raw.csv',
    'before.csv': 'ncu-attention/attention_spilled.raw.csv',
    'after.csv': 'ncu-attention/attention_healthy.raw.csv',
    'result.json': 'adapters/nvbench/result.json',
    'result.json-bin': 'adapters/nvbench/result.json-bin',
    'result.json-freqs-bin': 'adapters/nvbench/result.json-freqs-bin',
    'target/criterion': 'adapters/criterion/folder',
    'bench.json': 'adapters/google-benchmark/repetitions.json',
    'run1.json': 'adapters/google-benchmark/once.json',
    'run2.json': 'adapters/google-benchmark/once.json',
    'run3.json': 'adapters/google-benchmark/once.json',
    'run4.json': 'adapters/google-benchmark/once.json',
  };
  for (const [to, from] of Object.entries(copies)) {
    await cp(join(FIXTURES, from), join(folder, to), { recursive: true });
  }
  const texts = {
    'build.log': 'ptxas error : Entry function uses too much shared data (0x19000 bytes, 0xc000 max)\n',
    'theirs.yaml': OWN_LESSONS,
    'learnt.yaml': OWN_LESSONS,
    'read.token': 'read-token-of-the-tests-0123456789\n',
    'write.token': 'write-token-of-the-tests-0123456789\n',
    token: 'token-of-the-tests-0123456789abcdef\n',
    'wake.yaml': WAKE,
    'gates.yaml': await gates(),
    'pr.md': '**Target Shape(s):** N=1000\n',
    'SPACE.json': JSON.stringify(space()),
    'rep.source.csv': await sourcePage(),
  };
  for (const [name, text] of Object.entries(texts)) {
    await writeFile(join(folder, name), text, { mode: name.endsWith('token') ? 0o600 : 0o644 });
  }
}

/** Pawl's own gates, without two that need the ceilings of the machine, which take a minute to measure. */
async function gates(): Promise<string> {
  const own = await readFile(join(REPOSITORY, 'method/gates.yaml'), 'utf8');
  const off = (parse(own) as { gates: { id: string }[] }).gates
    .filter(({ id }) => ['library-ceiling', 'headroom'].includes(id))
    .map((gate) => Object.assign(gate, { applies: 'false' }));
  return stringify({ schema: 'pawl.method/1', gates: off });
}

const WAKE = `version: 1
listen: { port: 0 }
secret: { env: PAWL_WEBHOOK_SECRET }
repositories: [octo-org/kernels]
hosts:
  h200: { labels: [self-hosted, gpu], wake: ['true'] }
`;

function space(): unknown {
  const { name, tunables, constraints, rows } = generatedSpace(2);
  return {
    schema: 'pawl.space/1',
    name,
    tunables: Object.fromEntries(tunables.map((tunable) => [tunable.name, tunable.values])),
    constraints,
    configs: rows.map(({ indices, time_ms, status }) => [indices, time_ms ?? null, status]),
  };
}

/** A source page of ncu, of a kernel by the name of that in `rep.csv`. */
async function sourcePage(): Promise<string> {
  const packed = await readFile(join(FIXTURES, 'lines/faulty/header-row-sum.cuda-sass.csv.gz'));
  return gunzipSync(packed).toString('utf8').replaceAll('"planted(', '"naive_matmul(');
}
