import { cp, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { parse, stringify } from 'yaml';

import { ANIMALS } from '../../test/zoo/animals.ts';

/**
 * What has to come of a candidate: `cheat`: nothing; `defused`: its trick is allowed to be without effect, so it may
 * have what the honest work in it is worth; `unseen`: it does the honest work, and what is wrong with it is seen by a
 * sanitizer only; `honest`: something.
 */
export type Nature = 'cheat' | 'defused' | 'unseen' | 'honest';

export interface Candidate {
  readonly animal: string;
  readonly problem: string;
  readonly nature: Nature;
  readonly files: Readonly<Record<string, string>>;
}

export interface Fleet {
  /** Of pawl.yaml; a worker may refuse to judge some. */
  readonly problems: readonly string[];
  readonly candidates: readonly Candidate[];
}

interface ZooKernel {
  readonly problem: string;
  readonly device: string;
  readonly language: string;
  readonly sources?: readonly string[];
  readonly module?: string;
  readonly function?: string;
  readonly prepare?: object;
  readonly cases: readonly string[];
}

interface ZooConfig {
  readonly problems: Readonly<Record<string, { readonly cases: Readonly<Record<string, unknown>> }>>;
  readonly kernels: Readonly<Record<string, ZooKernel>>;
}

/** Some tricks need batches of calls, some fresh caches and other tensors in each call. */
export const MODES = ['cold', 'hot'] as const;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const ZOO = join(ROOT, 'test/zoo');
const REFERENCES = join(ROOT, 'bench/hostile-fleet/references');
/** In the folder of the animals, whose headers are found beside it. */
const NATIVE: Readonly<Record<string, string>> = {
  softmax: 'softmax.cpp',
  bait: 'softmax.cpp',
  product: 'product.cpp',
  axpy: 'honest-inout.cpp',
};

/**
 * Makes a project of the zoo in which every problem has an honest reference, and its animals candidates. Animals that
 * are built or called in another way (threads, Python, `prepare`) are candidates of a problem of their own.
 */
export async function zooFleet(folder: string): Promise<Fleet> {
  await cp(ZOO, folder, { recursive: true });
  for (const name of ['softmax.cpp', 'product.cpp', 'honest.py']) {
    await cp(join(REFERENCES, name), join(folder, 'animals', name));
  }
  const zoo = parse(await readFile(join(folder, 'pawl.yaml'), 'utf8')) as ZooConfig;
  const problems: Record<string, unknown> = {};
  const kernels: Record<string, unknown> = {};
  const candidates: Candidate[] = [];
  const names = new Map<string, string>();
  for (const [animal, kernel] of Object.entries(zoo.kernels)) {
    if (kernel.device !== 'cpu') continue;
    const { problem: base, sources, module, cases, ...rest } = kernel;
    const declared = base === 'softmax' && !cases.includes('large') ? ['small', 'tiny'] : cases;
    const key = JSON.stringify([base, rest, declared]);
    const problem = names.get(key) ?? freeName(base, problems);
    names.set(key, problem);
    problems[problem] ??= zoo.problems[base]!;
    kernels[`${problem}-reference`] ??= { ...rest, problem, cases: declared, ...referenceOf(base, kernel) };
    const files = await filesOf(folder, sources ?? [module!]);
    candidates.push({ animal, problem, nature: natureOf(animal), files });
  }
  const measure = { timeout_s: 10 };
  await writeFile(join(folder, 'pawl.yaml'), stringify({ version: 1, problems, kernels, measure }));
  return { problems: Object.keys(problems), candidates };
}

function freeName(base: string, taken: Readonly<Record<string, unknown>>): string {
  let name = base;
  for (let count = 2; name in taken; count++) name = `${base}-${count}`;
  return name;
}

function referenceOf(base: string, { language, function: called, prepare }: ZooKernel): object {
  if (prepare !== undefined) return { module: 'animals/honest_prepared.py' };
  const native = NATIVE[base];
  if (language === 'c++' && native !== undefined) return { sources: [`animals/${native}`] };
  const name = called ?? (base === 'long-softmax' ? 'softmax' : base);
  return { language: 'python', module: 'animals/honest.py', function: name };
}

/** As somebody would send it: the source, and the Python module that some import. */
async function filesOf(folder: string, paths: readonly string[]): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const path of paths) files[basename(path)] = await readFile(join(folder, path), 'utf8');
  if (Object.values(files).some((text) => text.includes('from zoo_softmax import'))) {
    files['zoo_softmax.py'] = await readFile(join(folder, 'animals/zoo_softmax.py'), 'utf8');
  }
  return files;
}

function natureOf(animal: string): Nature {
  const { caughtBy, where } = ANIMALS[animal]!;
  if (caughtBy.length === 0) return 'honest';
  if (caughtBy.includes('defused')) return 'defused';
  return where === 'sanitize' ? 'unseen' : 'cheat';
}
