/** Which compilers this machine has, for fingerprints and for `doctor`. The build station picks its own. */
import { defined } from '../model/defined.ts';
import { candidateEnvironment } from './candidate-environment.ts';
import { runCommand } from '../os/run-command.ts';
import type { ProcessContext } from '../os/run-context.ts';

export interface ToolFound {
  readonly command: string;
  /** What its variable says beside the program: `CXX="g++ -m64"`. */
  readonly args: readonly string[];
  readonly version: string;
}

export interface ToolOptions extends Partial<Pick<ProcessContext, 'signal' | 'env'>> {
  readonly timeout_ms?: number;
}

const TIMEOUT_MS = 5_000;

/** `$CXX`, g++, clang++; the version is the first line of `--version`. */
export function findCxx(options: ToolOptions = {}): Promise<ToolFound | undefined> {
  const candidates = chosen('CXX', options) ?? ['g++', 'clang++'];
  return findTool(candidates, ['--version'], (text) => text.split('\n')[0]?.trim(), options);
}

/** `$NVCC`, nvcc on the PATH, then where NVIDIA's installers put it; the version is the release, `13.0.88`. */
export function findNvcc(options: ToolOptions = {}): Promise<ToolFound | undefined> {
  const candidates = chosen('NVCC', options) ?? ['nvcc', '/usr/local/cuda/bin/nvcc'];
  return findTool(candidates, ['--version'], (text) => /\bV(\d+\.\d+\.\d+)/.exec(text)?.[1], options);
}

/** A variable names the one to use; no other is looked for. A leading ccache is not the compiler. */
function chosen(variable: string, { env = process.env }: ToolOptions): string[] | undefined {
  const text = env[variable]?.trim().replace(/^(?:\S*\/)?ccache\s+/, '');
  return text === undefined || text === '' ? undefined : [text];
}

/** The first candidate that runs and tells its version. */
export async function findTool(
  candidates: readonly string[],
  args: readonly string[],
  versionOf: (output: string) => string | undefined,
  options: ToolOptions = {},
): Promise<ToolFound | undefined> {
  for (const candidate of candidates) {
    const [command = '', ...own] = candidate.split(/\s+/);
    const run = await runCommand(command, [...own, ...args], {
      env: { ...candidateEnvironment(options.env ?? process.env), LC_ALL: 'C' },
      timeout_ms: options.timeout_ms ?? TIMEOUT_MS,
      ...defined({ signal: options.signal }),
    });
    if (run.status !== 'exited' || run.code !== 0) continue;
    const version = versionOf(run.stdout);
    if (version !== undefined && version !== '') return { command, args: own, version };
  }
  return undefined;
}
