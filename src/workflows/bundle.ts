import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';

import { makeFolder } from '../os/make-folder.ts';
import { packageRoot } from '../build/package-root.ts';
import { runCommand } from '../os/run-command.ts';
import { PawlError } from '../model/pawl-error.ts';
import { PAWL_VERSION } from '../model/version.ts';
import type { RunContext } from '../os/run-context.ts';

export interface BundleOptions extends Pick<RunContext, 'signal' | 'onProgress'> {
  /** The archive to write: `.tar.xz`. */
  readonly out: string;
  /** The Node binary to put in; default: the one running this. */
  readonly node?: string;
}

export interface BundleOutcome {
  readonly path: string;
  readonly bytes: number;
}

/** What Pawl needs at run time, and nothing that only its developers need. */
const OWN_FILES = ['dist', 'runner', 'docs/schemas', 'package.json', 'LICENSE'];

const LAUNCHER = `#!/bin/sh
here=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
exec "$here/node" "$here/dist/cli/main.js" "$@"
`;

/**
 * Packs Pawl with a Node of its own into one archive, for a GPU host that has neither Node nor a network:
 * unpack it there and run `pawl/bin/pawl`.
 */
export async function bundle(options: BundleOptions): Promise<BundleOutcome> {
  const root = packageRoot();
  const staging = await mkdtemp(join(tmpdir(), 'pawl-bundle-'));
  const inside = join(staging, 'pawl');
  const step = (done: number, label: string) => options.onProgress({ type: 'step', done, label });
  options.onProgress({ type: 'started', title: 'bundling', total: 3 });
  try {
    step(0, 'collecting files');
    await mkdir(join(inside, 'bin'), { recursive: true });
    for (const file of OWN_FILES) await copyInto(join(root, file), join(inside, file));
    await writeFile(join(inside, 'bin', 'pawl'), LAUNCHER, { mode: 0o755 });
    for (const name of runtimePackages(root)) {
      await copyInto(packageDirectory(root, name), join(inside, 'node_modules', name));
    }
    step(1, 'stripping Node');
    await copyNode(options.node ?? process.execPath, join(inside, 'node'), options.signal);
    step(2, 'packing');
    const path = resolve(options.out);
    await pack(staging, path, options.signal);
    step(3, 'packed');
    options.onProgress({ type: 'finished' });
    return { path, bytes: (await stat(path)).size };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function copyInto(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to));
  await cp(from, to, { recursive: true, dereference: true });
}

function runtimePackages(root: string): string[] {
  const manifest = createRequire(import.meta.url)(join(root, 'package.json')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return Object.keys(manifest.dependencies);
}

/** Where npm put a package: below us in a checkout, beside us when Pawl is itself installed. */
function packageDirectory(root: string, name: string): string {
  const folders = createRequire(join(root, 'package.json')).resolve.paths(name) ?? [];
  const found = folders.map((folder) => join(folder, name)).find((folder) => existsSync(folder));
  if (found === undefined) throw new Error(`the installed package ${name} is nowhere above ${root}`);
  return found;
}

/** Node without its symbols is a fifth smaller; where there is no `strip`, whole is fine too. */
async function copyNode(from: string, to: string, signal: AbortSignal): Promise<void> {
  await cp(from, to, { dereference: true });
  await chmod(to, 0o755);
  await runCommand('strip', [to], { signal });
}

async function pack(staging: string, path: string, signal: AbortSignal): Promise<void> {
  const partial = `${path}.partial`;
  const packed = await runCommand('tar', ['-C', staging, '-cJf', partial, 'pawl'], {
    signal,
    env: { ...process.env, XZ_OPT: '-6 -T0' },
  });
  if (packed.status !== 'exited' || packed.code !== 0) {
    await rm(partial, { force: true });
    const why =
      packed.status === 'missing' ? 'tar is not here' : 'stderr' in packed ? packed.stderr.trim() : '';
    throw new PawlError('unavailable', `Could not write ${path}: ${why}`, 'Install tar and xz (xz-utils).');
  }
  await rename(partial, path);
}

/** What to tell the user next. */
export function bundleNextSteps(outcome: BundleOutcome): string {
  return `Pawl ${PAWL_VERSION} and its Node in ${outcome.path} (${(outcome.bytes / 1e6).toFixed(1)} MB). On the GPU host:
  tar -xJf ${outcome.path.split('/').at(-1) ?? ''} && pawl/bin/pawl doctor`;
}
