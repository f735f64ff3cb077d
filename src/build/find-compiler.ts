import { basename } from 'node:path';

import type { BuildLanguage } from './build-job.ts';
import { findProgram } from '../os/find-program.ts';

/** A compiler to call, with the arguments that its variable gave it (`CXX="g++ -m64"`). */
export interface CompilerCommand {
  readonly path: string;
  readonly args: readonly string[];
}

export type CompilerSearch =
  | ({ readonly status: 'found' } & CompilerCommand)
  | { readonly status: 'missing'; readonly message: string; readonly hint: string };

const COMPILERS: Readonly<
  Record<BuildLanguage, { variable: string; names: readonly string[]; install: string }>
> = {
  c: { variable: 'CC', names: ['gcc', 'clang'], install: 'Install a C compiler (gcc or clang)' },
  'c++': { variable: 'CXX', names: ['g++', 'clang++'], install: 'Install a C++ compiler (g++ or clang++)' },
  cuda: {
    variable: 'NVCC',
    // The second is where NVIDIA's installer puts it; it does not add that folder to PATH.
    names: ['nvcc', '/usr/local/cuda/bin/nvcc'],
    install: 'Install the CUDA toolkit',
  },
};

/** The compiler for a language: the one its variable names, and no other; without it the first that is there. */
export async function findCompiler(language: BuildLanguage, env: NodeJS.ProcessEnv): Promise<CompilerSearch> {
  const { variable, names, install } = COMPILERS[language];
  const [first, ...args] = wordsOf(env[variable]);
  if (first !== undefined) {
    const path = await findProgram(first, env);
    if (path !== undefined) return { status: 'found', path, args };
    return {
      status: 'missing',
      message: `${variable} is set to "${env[variable]}", which does not exist.`,
      hint: `Set ${variable} to a compiler that is installed, or unset it. \`pawl doctor\` shows what is installed.`,
    };
  }
  for (const name of names) {
    const path = await findProgram(name, env);
    if (path !== undefined) return { status: 'found', path, args: [] };
  }
  return {
    status: 'missing',
    message: `No compiler for ${language} was found (${names.join(', ')}).`,
    hint: `${install}, or set ${variable} to where it is. \`pawl doctor\` shows what is installed.`,
  };
}

/** A leading ccache is dropped: whether it is used is decided in one place (ccache.ts). */
function wordsOf(text: string | undefined): string[] {
  const words = (text ?? '').split(/\s+/).filter((word) => word !== '');
  return words.length > 1 && basename(words[0] ?? '') === 'ccache' ? words.slice(1) : words;
}

/** The host compiler that an nvcc call uses: a flag, a variable, or what nvcc looks for by itself. */
export async function findHostCompiler(
  flags: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const asked = flags.flatMap((flag, index) => {
    const match = /^--?(?:ccbin|compiler-bindir)(?:=(.+))?$/.exec(flag);
    return match === null ? [] : [match[1] ?? flags[index + 1] ?? ''];
  });
  const name = asked.at(-1) ?? env.NVCC_CCBIN ?? 'gcc';
  return (await findProgram(name, env)) ?? (await findProgram(`${name}/gcc`, env));
}
