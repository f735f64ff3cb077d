import { basename, dirname, extname, resolve } from 'node:path';

import type { Draft } from '../draft.ts';
import type { Kernel } from '../../config/kernel-schema.ts';
import { planKernel, type KernelPlan } from '../../config/plan-kernel.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { refuseMissing, writeDraft } from '../project/draft-files.ts';
import { draftOf } from '../project/draft-of.ts';
import type { CandidateSources } from './candidate-sources.ts';
import type { AdoptedProblem, JudgedProblem } from './judged-problem.ts';

export interface CandidateAsked {
  /** Of a Python file: what is called. Default: as the reference's is called. */
  readonly function?: string;
  /** Only these cases. */
  readonly cases?: readonly string[];
}

/** A candidate as a kernel of the problem, and the folder that it is built in. */
export interface CandidateKernel {
  readonly plan: KernelPlan;
  readonly root: string;
}

/** What sources are by their name; other files of a candidate are headers and data. */
const LANGUAGES: Readonly<Record<string, Kernel['language']>> = {
  '.c': 'c',
  '.cc': 'c++',
  '.cpp': 'c++',
  '.cxx': 'c++',
  '.cu': 'cuda',
  '.py': 'python',
};

/**
 * Plans a candidate: what is built and called is its own; tensors, cases, inputs, oracle, tolerance and flags are the
 * problem's and the reference's.
 *
 * @param scratch a folder for what has to be written for it
 * @throws {PawlError} of kind `bad-data` where the files are not a candidate of this problem
 */
export async function candidateKernel(
  problem: JudgedProblem,
  sources: CandidateSources | 'reference',
  asked: CandidateAsked,
  scratch: string,
): Promise<CandidateKernel> {
  const reference = problem.loaded.config.kernels[problem.reference]!;
  if (sources === 'reference') return planned(problem, reference, asked, problem.loaded.root);
  const { adopted } = problem;
  if (adopted !== undefined && adopted.draft.entrance !== 'python') {
    const kernel = await draftedKernel(adopted, onlyFile(sources, adopted), scratch);
    return planned(problem, kernel, asked, scratch);
  }
  return planned(problem, kernelOf(reference, sources, asked, problem), asked, sources.folder);
}

function planned(
  { loaded, reference }: JudgedProblem,
  kernel: Kernel,
  { cases }: CandidateAsked,
  root: string,
): CandidateKernel {
  const { kernels } = loaded.config;
  const name = freeName(kernels);
  const own = kernels[reference]!;
  // What says what is right and in which cases is never the candidate's.
  const judged: Kernel = {
    ...kernel,
    problem: own.problem,
    dtype: own.dtype,
    dtypes: own.dtypes,
    cases: own.cases,
    deterministic: own.deterministic,
  };
  const config = { ...loaded.config, kernels: { ...kernels, [name]: judged } };
  const plan = planKernel({ ...loaded, config }, name, cases === undefined ? {} : { cases });
  const { includeDirs } = planKernel(loaded, reference);
  // Its own headers must not be found by the oracle.
  return { plan: { ...plan, oracleFrom: { root: loaded.root, includeDirs } }, root };
}

function freeName(kernels: Readonly<Record<string, unknown>>): string {
  let name = 'candidate';
  for (let count = 2; Object.hasOwn(kernels, name); count++) name = `candidate-${count}`;
  return name;
}

/** The reference with other sources. Of the same language, it is built with the same flags and tunables. */
function kernelOf(
  reference: Kernel,
  { files, folder }: CandidateSources,
  asked: CandidateAsked,
  { loaded, name: problem }: JudgedProblem,
): Kernel {
  const known = files.filter((file) => LANGUAGES[extname(file)] !== undefined);
  const [first] = known;
  if (first === undefined) {
    throw new PawlError(
      'bad-data',
      `${files.map((file) => basename(file)).join(', ')}: none of them is a kernel source.`,
      `Sources end in ${Object.keys(LANGUAGES).join(', ')}.`,
    );
  }
  const languages = new Set(known.map((file) => LANGUAGES[extname(file)]!));
  const language = languages.has('cuda')
    ? 'cuda'
    : languages.has('python')
      ? 'python'
      : LANGUAGES[extname(first)]!;
  const device = language === 'python' ? reference.device : language === 'cuda' ? 'cuda' : 'cpu';
  if (device !== reference.device) {
    throw new PawlError(
      'bad-data',
      `${basename(first)} runs on ${device}, and the reference of ${problem} runs on ${reference.device}.`,
      'Choose a reference for that device: --reference KERNEL',
    );
  }
  const { module: _module, function: called, init, sources, ...rest } = reference;
  if (language === 'python') {
    const module = known.find((file) => extname(file) === '.py')!;
    const name = asked.function ?? called;
    if (name === undefined) {
      throw new PawlError(
        'usage',
        `The reference is not in Python, so Pawl cannot tell which function of ${basename(module)} is the kernel.`,
        'Give --function NAME.',
      );
    }
    return {
      ...withoutBuild(rest),
      language,
      module,
      function: name,
      ...(init && { init: placed(init, loaded.root) }),
    };
  }
  const compiled = known.filter((file) => extname(file) !== '.py');
  const isSame = language === reference.language;
  const beside = (sources ?? []).map((path) => dirname(resolve(loaded.root, path)));
  const own = isSame ? rest : withoutBuild(rest);
  return {
    ...own,
    language,
    sources: compiled,
    include_dirs: [
      ...new Set([folder, ...rest.include_dirs.map((path) => resolve(loaded.root, path)), ...beside]),
    ],
  };
}

function withoutBuild<
  Part extends Pick<Kernel, 'flags' | 'links' | 'tunables' | 'constraints' | 'include_dirs'>,
>(kernel: Part): Part {
  return { ...kernel, flags: [], links: [], tunables: {}, constraints: [], include_dirs: [] };
}

function placed<Part extends { readonly module: string }>(part: Part, root: string): Part {
  return { ...part, module: resolve(root, part.module) };
}

function onlyFile({ files }: CandidateSources, { draft }: AdoptedProblem): string {
  const [file, ...others] = files;
  if (file !== undefined && others.length === 0) return file;
  throw new PawlError(
    'bad-data',
    `A candidate for ${draft.problem} must be one file, not ${files.length}.`,
    'Put it into one file.',
  );
}

/** Suites have a form for solutions; of other files, the function of the same name is the candidate. */
const WITH_SOLUTIONS = new Set<Draft['entrance']>(['kernelbench', 'gpumode', 'flashinfer']);

async function draftedKernel(
  { file, draft, told }: AdoptedProblem,
  candidate: string,
  scratch: string,
): Promise<Kernel> {
  const isSolution = WITH_SOLUTIONS.has(draft.entrance);
  const own = isSolution
    ? await draftOf(file, undefined, { ...told, solution: candidate })
    : await draftOf(candidate, undefined, { ...told, function: told.function ?? draft.adopted });
  refuseMissing(own);
  if (!isSolution) refuseOther(draft, own, candidate);
  const known = new Set(draft.kernels.map(({ name }) => name));
  const mine = isSolution ? own.kernels.find(({ name }) => !known.has(name)) : own.kernels[0];
  if (mine === undefined) throw new PawlError('bad-data', `${basename(candidate)} has no solution.`);
  const { config, root } = await writeDraft(own, candidate, scratch);
  const kernel = config.kernels[mine.name]!;
  const absolute = (path: string): string => resolve(root, path);
  return {
    ...kernel,
    include_dirs: kernel.include_dirs.map(absolute),
    ...(kernel.sources && { sources: kernel.sources.map(absolute) }),
    ...(kernel.module !== undefined && { module: absolute(kernel.module) }),
    ...(kernel.init && { init: placed(kernel.init, root) }),
  };
}

/** The same function, with the same parameters. */
function refuseOther(problem: Draft, own: Draft, candidate: string): void {
  const shape = ({ dims, tensors }: Draft): string =>
    JSON.stringify([
      dims,
      tensors.map(({ name, role, dtype, shape: extents }) => [name, role, dtype, extents]),
    ]);
  if (shape(problem) === shape(own)) return;
  throw new PawlError(
    'bad-data',
    `${own.adopted} in ${basename(candidate)} has other parameters than the problem's function.`,
    'Give the candidate the same function with the same parameters.',
  );
}
