import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import type { Draft } from '../draft.ts';
import { rememberingInspector } from '../python/remembering-inspector.ts';
import { didYouMean } from '../../model/text/did-you-mean.ts';
import { findConfig } from '../../config/find-config.ts';
import { loadConfig, type LoadedConfig } from '../../config/load-config.ts';
import { kernelNames } from '../../config/plan-kernel.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { refuseMissing, writeDraft } from '../project/draft-files.ts';
import { draftOf, inspectorOf, type Told } from '../project/draft-of.ts';
import { fileToAdopt } from '../project/file-to-adopt.ts';

/** A problem with the kernel that candidates are measured against. */
export interface JudgedProblem {
  readonly name: string;
  /** Its project: the user's, or one in a temporary folder. */
  readonly loaded: LoadedConfig;
  readonly reference: string;
  /** Where it is a file that was not written for Pawl. */
  readonly adopted?: AdoptedProblem;
  /** Takes away what was written for it. */
  readonly remove: () => Promise<void>;
}

export interface AdoptedProblem {
  readonly file: string;
  readonly draft: Draft;
  readonly told: Told;
}

export interface ProblemAsked extends Told {
  /** pawl.yaml or its folder; default: searched from the working directory upwards. */
  readonly config?: string;
  /** A kernel of the problem; default: the first one. */
  readonly reference?: string;
}

/**
 * A problem of pawl.yaml by its name, or a file or folder that `pawl adopt` understands.
 *
 * @param asked a file wins over a name, and a name over a folder
 */
export async function judgedProblem(problem: string, asked: ProblemAsked): Promise<JudgedProblem> {
  const there = await stat(resolve(problem)).catch(() => undefined);
  if (there?.isFile() === true) return adoptedProblem(problem, asked);
  const hasConfig = asked.config !== undefined || (await findConfig(process.cwd())) !== undefined;
  if (there === undefined || hasConfig) {
    const loaded = await loadConfig(asked.config);
    if (Object.hasOwn(loaded.config.problems, problem)) return namedProblem(loaded, problem, asked);
    if (there === undefined) throw unknownProblem(loaded, problem);
  }
  return adoptedProblem(problem, asked);
}

function unknownProblem({ config }: LoadedConfig, problem: string): PawlError {
  const known = Object.keys(config.problems);
  return new PawlError(
    'usage',
    `There is no file ${problem}, and pawl.yaml has no problem "${problem}"${didYouMean(problem, known)}.`,
    `Problems: ${known.join(', ')}`,
  );
}

function namedProblem(loaded: LoadedConfig, name: string, { reference }: ProblemAsked): JudgedProblem {
  const own = kernelNames(loaded).filter((kernel) => loaded.config.kernels[kernel]?.problem === name);
  const chosen = reference ?? own[0];
  if (chosen === undefined) {
    throw new PawlError(
      'bad-data',
      `The problem ${name} has no kernel to measure candidates against.`,
      'Add a kernel of this problem to pawl.yaml.',
    );
  }
  if (!own.includes(chosen)) {
    throw new PawlError(
      'usage',
      `${chosen} is not a kernel of the problem ${name}${didYouMean(chosen, own)}.`,
      `Its kernels: ${own.join(', ')}`,
    );
  }
  return { name, loaded, reference: chosen, remove: () => Promise.resolve() };
}

async function adoptedProblem(path: string, asked: ProblemAsked): Promise<JudgedProblem> {
  const { config: _, reference, ...given } = asked;
  const told: Told = { ...given, inspector: rememberingInspector(inspectorOf(given)) };
  const file = await fileToAdopt(path);
  const draft = await draftOf(file, undefined, told);
  refuseMissing(draft);
  const folder = await mkdtemp(join(tmpdir(), 'pawl-judge-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const loaded = await writeDraft(draft, file, folder);
    const named = namedProblem(loaded, draft.problem, reference === undefined ? {} : { reference });
    return { ...named, adopted: { file, draft, told }, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
