import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const REPOSITORY = resolve(import.meta.dirname, '../..');
export const PAWL = join(REPOSITORY, 'bin/pawl');
const FIXTURES = join(REPOSITORY, 'test/fixtures/kernels');

export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built CLI as a user would. */
export function pawl(cwd: string, ...args: readonly string[]): Promise<CliRun> {
  return runProgram(PAWL, args, cwd);
}

export function runProgram(program: string, args: readonly string[], cwd: string): Promise<CliRun> {
  return new Promise((done) => {
    execFile(program, args, { cwd, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** Starts the built CLI and leaves it running. */
export function startPawl(
  cwd: string,
  ...args: readonly string[]
): ChildProcess & { readonly text: () => string } {
  const child = spawn(PAWL, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return Object.assign(child, { text: () => text });
}

/** So little of it as a verdict on something else than time needs: the default goes on while samples vary. */
const QUICK = 'measure: { warmup: 2, stopping: fixed }';

/** A project of fixture kernels, all for y = 2·x: each named after what is wrong with it. */
export async function fixtureProject(kernels: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-e2e-'));
  await mkdir(join(folder, 'src'));
  for (const file of await readdir(FIXTURES)) await copyFile(join(FIXTURES, file), join(folder, 'src', file));
  const lines = kernels.map(
    (name) => `  ${name}: { problem: doubled, device: cpu, language: c++, sources: [src/${name}.cpp] }`,
  );
  await writeFile(join(folder, 'pawl.yaml'), doubledYaml('source: src/oracle.cpp', lines, QUICK));
  return folder;
}

/** The pawl.yaml of kernels for y = 2·x. */
export function doubledYaml(oracle: string, kernels: readonly string[], ...rest: string[]): string {
  return `version: 1
problems:
  doubled:
    dims: [N]
    tensors:
      x: { role: input, dtype: f32, shape: [N], fill: normal }
      y: { role: output, dtype: f32, shape: [N] }
    oracle: { ${oracle} }
    cases:
      small: { N: 1000 }
kernels:
${[...kernels, ...rest].join('\n')}
`;
}
