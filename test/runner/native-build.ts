import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const SOURCES = 'runner/src';

/** Compiles C++ with the runner's headers at hand. */
async function compile(args: readonly string[]): Promise<void> {
  const flags = ['-std=c++17', '-Irunner/include', `-I${SOURCES}`, '-Wall', '-Wextra', '-Werror'];
  await promisify(execFile)('g++', [...flags, ...args]);
}

export async function compileLibrary(
  source: string,
  output: string,
  flags: readonly string[] = [],
): Promise<string> {
  await compile(['-shared', '-fPIC', ...flags, source, '-pthread', '-o', output]);
  return output;
}

/** The native runner without CUDA, or another program on top of its parts where `main` is given. */
export async function compileRunner(
  output: string,
  options: { readonly main?: string; readonly flags?: readonly string[] } = {},
): Promise<string> {
  const inFolders = [SOURCES, join(SOURCES, 'cpu'), join(SOURCES, 'watch')].map(async (folder) =>
    (await readdir(folder)).filter((name) => name.endsWith('.cpp')).map((name) => join(folder, name)),
  );
  const own = join(SOURCES, 'main.cpp');
  const sources = (await Promise.all(inFolders)).flat().filter((source) => source !== own);
  const main = options.main ?? own;
  await compile([...(options.flags ?? []), main, ...sources, '-pthread', '-ldl', '-o', output]);
  return output;
}
