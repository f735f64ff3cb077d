import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

import type { BuildJob } from './build-job.ts';
import { artifactName, define } from './compile-commands.ts';
import type { FileHasher } from '../os/file-hasher.ts';
import { hashText } from '../os/file-hasher.ts';
import type { PathLabels } from './path-labels.ts';

/** Raised when the meaning of a key or of an entry changes: entries of another version are never found. */
const KEY_VERSION = 1;

/** Variables that change what compilers do (gcc's and nvcc's manuals, "Environment Variables"). */
const COMPILER_VARIABLES = [
  'CPATH',
  'C_INCLUDE_PATH',
  'CPLUS_INCLUDE_PATH',
  'LIBRARY_PATH',
  'GCC_EXEC_PREFIX',
  'COMPILER_PATH',
  'SOURCE_DATE_EPOCH',
  'NVCC_PREPEND_FLAGS',
  'NVCC_APPEND_FLAGS',
] as const;

export interface KeyInputs {
  readonly job: BuildJob;
  /** The job's flags with the optional ones that are used. */
  readonly flags: readonly string[];
  readonly compilerArgs: readonly string[];
  /** Of the compiler and, for nvcc, of its host compiler. */
  readonly compilerIdentities: readonly (string | undefined)[];
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly labels: PathLabels;
  readonly hasher: FileHasher;
}

/**
 * The key under which the cache keeps every build of this job, whatever its headers held at the time; which
 * of them fits is decided by the headers' contents (BuildCache). It holds no path of the project.
 */
export async function buildKey(inputs: KeyInputs): Promise<string> {
  const { job, flags, env, labels, hasher, root } = inputs;
  const sources = await Promise.all(
    job.sources.map(async (source) => [labels.label(source), await hasher.hash(source)]),
  );
  const words = [...flags, ...job.links];
  const named = await Promise.all(
    filesNamedBy(words, root).map(async (file) => [labels.label(file), await hasher.hash(file)]),
  );
  return hashText(
    JSON.stringify({
      version: KEY_VERSION,
      language: job.language,
      output: job.output,
      artifact: artifactName(job),
      sources,
      ...(job.together && {
        together: job.together.map((group) => group.map((source) => labels.label(source))),
      }),
      include_dirs: job.includeDirs.map((folder) => labels.label(folder)),
      defines: Object.entries(job.defines)
        .map(([name, value]) => define(name, value))
        .sort(),
      flags: flags.map((flag) => labels.labelText(flag)),
      links: job.links.map((link) => labels.labelText(link)),
      named_files: named.filter(([, hash]) => hash !== undefined),
      arch: job.arch,
      compiler: [inputs.compilerIdentities, inputs.compilerArgs],
      environment: COMPILER_VARIABLES.map((name) => env[name] ?? null),
      ...(job.environment && { named: job.environment.map((name) => [name, env[name] ?? null]) }),
      cpu: words.concat(inputs.compilerArgs).some((word) => word.includes('=native'))
        ? await cpuModel()
        : null,
    }),
  );
}

/** Files that flags may name and no list of includes mentions: libraries, linker scripts, profiles. */
function filesNamedBy(words: readonly string[], root: string): string[] {
  const folders = words.flatMap((word) => (/^-L./.test(word) ? [word.slice(2)] : []));
  const names = words.flatMap((word) => {
    const library = /^-l(.+)$/.exec(word)?.[1];
    if (library !== undefined) {
      return folders.flatMap((folder) => [join(folder, `lib${library}.so`), join(folder, `lib${library}.a`)]);
    }
    return word.split(/[=,]/).filter((part) => part !== '' && !part.startsWith('-'));
  });
  return [...new Set(names)].map((name) => (isAbsolute(name) ? name : join(root, name)));
}

/** What `-march=native` means here: the model and the instruction sets of the first processor. */
async function cpuModel(): Promise<string> {
  const text = await readFile('/proc/cpuinfo', 'utf8');
  const lines = text.split('\n\n')[0]?.split('\n') ?? [];
  return lines
    .filter((line) =>
      /^(?:model name|vendor_id|cpu family|model|stepping|flags|Features|CPU \w+)\s*:/.test(line),
    )
    .join('\n');
}
