/** The compiled code of a CUDA library by line, read with the toolkit's `cuobjdump` and `nvdisasm`. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { HotLines } from '../../model/profile/hot-lines.ts';
import { candidateEnvironment } from '../../device/candidate-environment.ts';
import { findProgram } from '../../os/find-program.ts';
import { runCommand } from '../../os/run-command.ts';
import type { SourceText } from './hot-lines.ts';
import { cubinResources } from './cubin-resources.ts';
import { readLineTable } from './line-table.ts';
import { readDisassembly, staticLines } from './static-lines.ts';
import { staticLoops, type CompiledFunction } from './static-mix.ts';
import { staticResources, versionOf, type KnownLaunch } from './static-occupancy.ts';

const TIMEOUT_MS = 60_000;
const MOST_OUTPUT_BYTES = 128 * 1024 * 1024;
/** More functions than these are a library of kernels, not one. */
const MOST_FUNCTIONS = 8;

interface Reading {
  /** Of the kernel, as pawl.yaml says. */
  readonly launch?: KnownLaunch;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

export interface LibraryCode {
  /** Function by function; of many, the first. */
  readonly lines: HotLines[];
  /** All of them. */
  readonly functions: CompiledFunction[];
}

/** Undefined where the tools are not here or the library holds no code for a GPU. */
export async function readLibraryLines(
  library: string,
  sources: SourceText,
  { env, signal, launch = {} }: Reading,
): Promise<LibraryCode | undefined> {
  const [cuobjdump, nvdisasm] = [await tool('cuobjdump', env), await tool('nvdisasm', env)];
  if (cuobjdump === undefined || nvdisasm === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'pawl-cubin-'));
  const options = {
    env: candidateEnvironment(env),
    signal,
    timeout_ms: TIMEOUT_MS,
    maxOutputBytes: MOST_OUTPUT_BYTES,
  };
  try {
    const extracted = await runCommand(cuobjdump, ['-xelf', 'all', library], { ...options, cwd: folder });
    if (extracted.status !== 'exited' || extracted.code !== 0) return undefined;
    const found: HotLines[] = [];
    const functions: CompiledFunction[] = [];
    for (const name of (await readdir(folder)).filter((file) => file.endsWith('.cubin')).toSorted()) {
      const path = join(folder, name);
      const run = await runCommand(nvdisasm, ['-c', path], options);
      if (run.status !== 'exited' || run.code !== 0 || run.truncated) continue;
      const cubin = await readFile(path);
      const lines = readLineTable(cubin);
      const resources = cubinResources(cubin);
      // As cuobjdump names what it takes out: `NAME.1.sm_90.cubin`.
      const arch = /(?:^|\.)(sm_\d+[a-z]?)\.cubin$/u.exec(name)?.[1];
      for (const table of readDisassembly(run.stdout)) {
        const own = resources.get(table.kernel);
        const capability = arch === undefined ? undefined : versionOf(arch);
        const compiled = { table, capability, lines: lines.get(table.kernel) };
        const loops = staticLoops(compiled, (file) => sources.nameOf(file));
        functions.push(compiled);
        found.push({
          ...staticLines(table, compiled.lines, sources),
          ...(own === undefined || arch === undefined
            ? {}
            : { resources: staticResources(arch, own, launch) }),
          ...(loops.length === 0 ? {} : { loops }),
        });
      }
    }
    return found.length === 0 ? undefined : { lines: found.slice(0, MOST_FUNCTIONS), functions };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function tool(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const homes = [env['CUDA_HOME'], env['CUDA_PATH'], '/usr/local/cuda'].filter(
    (home) => home !== undefined && home !== '',
  );
  for (const path of [name, ...homes.map((home) => join(home!, 'bin', name))]) {
    const found = await findProgram(path, env);
    if (found !== undefined) return found;
  }
  return undefined;
}
