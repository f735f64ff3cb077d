import { basename, join, relative } from 'node:path';

import type { TunableValue } from '../model/problem/variant.ts';
import type { BuildJob, BuildLanguage } from './build-job.ts';
import { gencode } from './cuda-archs.ts';
import type { CompilerCommand } from './find-compiler.ts';

interface CompileStep {
  readonly source: string;
  readonly argv: readonly string[];
  readonly depfile: string;
}

export interface CompileCommands {
  readonly compile: readonly CompileStep[];
  readonly link: readonly string[];
  readonly artifact: string;
}

export interface CommandPlace {
  /** Commands run here; paths below it are given relative to it, so that no binary depends on where it lies. */
  readonly root: string;
  readonly outDir: string;
  readonly ccache: string | undefined;
  /** Include directories besides the job's own. */
  readonly includeDirs: readonly string[];
}

/** What a job's own flags come after, and may override. */
const DEFAULT_FLAGS: Readonly<Record<BuildLanguage, readonly string[]>> = {
  c: ['-std=c11', '-O3', '-fPIC', '-fvisibility=hidden'],
  'c++': ['-std=c++17', '-O3', '-fPIC', '-fvisibility=hidden'],
  cuda: ['-std=c++17', '-O3', '-Xcompiler', '-fPIC,-fvisibility=hidden', '-Xptxas', '-v', '-lineinfo'],
};

/** A name that is nowhere defined is an error here, and not only when a runner loads the library. */
const SHARED_FLAGS: Readonly<Record<BuildLanguage, readonly string[]>> = {
  c: ['-shared', '-Wl,-z,defs'],
  'c++': ['-shared', '-Wl,-z,defs'],
  cuda: ['--shared', '-Xlinker', '-z,defs'],
};

/** Each source or group is compiled by itself (in parallel, through ccache, with its list of includes), then linked. */
export function compileCommands(
  job: BuildJob,
  flags: readonly string[],
  compiler: CompilerCommand,
  place: CommandPlace,
): CompileCommands {
  const arch = job.language === 'cuda' ? job.arch.flatMap(gencode) : [];
  const base = [compiler.path, ...compiler.args];
  const common = [
    ...DEFAULT_FLAGS[job.language],
    ...arch,
    ...[...job.includeDirs, ...place.includeDirs].map((folder) => `-I${short(folder, place.root)}`),
    ...Object.entries(job.defines).map(([name, value]) => define(name, value)),
    ...flags,
  ];
  const compile = unitsOf(job).map((unit, index) => {
    const source = unit.at(-1)!;
    // Two sources may have the same name in different folders.
    const stem = join(place.outDir, `${index}-${basename(source)}`);
    const object = `${stem}.o`;
    const depfile = `${stem}.d`;
    const argv = [
      ...(place.ccache === undefined ? [] : [place.ccache]),
      ...base,
      ...common,
      // A fixed target name: ccache takes it into its key, and the output folder is another each time.
      '-MD',
      '-MT',
      'object',
      '-MF',
      depfile,
      ...unit.slice(0, -1).flatMap((each) => ['-include', short(each, place.root)]),
      '-c',
      asFile(short(source, place.root)),
      '-o',
      object,
    ];
    return { source, argv, depfile, object };
  });
  const artifact = join(place.outDir, artifactName(job));
  const link = [
    ...base,
    ...(job.language === 'cuda' ? [...arch, '-cudart', 'static'] : []),
    ...flags,
    ...(job.output === 'shared' ? SHARED_FLAGS[job.language] : []),
    ...compile.map(({ object }) => object),
    '-o',
    artifact,
    ...job.links,
  ];
  return { compile, link, artifact };
}

/** What the compiler is called with, once for each. */
function unitsOf({ sources, together = [] }: BuildJob): readonly (readonly string[])[] {
  const grouped = new Set(together.flat());
  return [...together, ...sources.filter((source) => !grouped.has(source)).map((source) => [source])];
}

/** A program goes by its own name in process lists; a library is only ever seen by its path. */
export function artifactName(job: Pick<BuildJob, 'name' | 'output'>): string {
  return job.output === 'shared' ? 'library.so' : job.name;
}

export function define(name: string, value: TunableValue): string {
  return `-D${name}=${typeof value === 'boolean' ? Number(value) : value}`;
}

/** A candidate's file may be called as an option is, or as a file of options. */
function asFile(path: string): string {
  return /^[-@]/.test(path) ? `./${path}` : path;
}

function short(path: string, root: string): string {
  if (path === root) return '.';
  return path.startsWith(`${root}/`) ? relative(root, path) : path;
}
