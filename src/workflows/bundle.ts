import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { runCommand } from '../os/run-command.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { Platform } from '../model/platform.ts';
import { PAWL_VERSION } from '../model/version.ts';
import type { RunContext } from '../os/run-context.ts';
import { stageBundle } from './bundle/stage-bundle.ts';

/** Where the archive goes, and the platform it is for. */
export interface BundleOptions extends Pick<RunContext, 'signal' | 'onProgress'> {
  /** The archive to write: `.tar.xz`. */
  readonly out: string;
  /** The platform of the host; default: this one. */
  readonly platform?: Platform;
  /** The Node binary to put in; default: the one running this, or, for another platform, the same version from npm. */
  readonly node?: string;
}

/** The archive that `bundle` wrote. */
export interface BundleOutcome {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Packs Pawl and Node into one archive, for a GPU host that has neither Node nor a network: unpack it there and run
 * `pawl/bin/pawl`.
 *
 * @throws {PawlError} of kind `usage` if `node` is not a Node for the platform; `unavailable` if tar or npm fails;
 * `internal` if this Pawl is incomplete
 */
export async function bundle(options: BundleOptions): Promise<BundleOutcome> {
  const staging = await mkdtemp(join(tmpdir(), 'pawl-bundle-'));
  const scratch = await mkdtemp(join(tmpdir(), 'pawl-bundle-fetched-'));
  const step = (done: number, label: string) => options.onProgress({ type: 'step', done, label });
  options.onProgress({ type: 'started', title: 'bundling', total: 2 });
  try {
    step(0, 'collecting files');
    await stageBundle({
      inside: join(staging, 'pawl'),
      scratch,
      platform: options.platform,
      node: options.node,
      signal: options.signal,
    });
    step(1, 'packing');
    const path = resolve(options.out);
    await pack(staging, path, options.signal);
    step(2, 'packed');
    options.onProgress({ type: 'finished' });
    return { path, bytes: (await stat(path)).size };
  } finally {
    for (const folder of [staging, scratch]) await rm(folder, { recursive: true, force: true });
  }
}

async function pack(staging: string, path: string, signal: AbortSignal): Promise<void> {
  const partial = `${path}.partial`;
  await mkdir(dirname(path), { recursive: true });
  const packed = await runCommand('tar', ['-C', staging, '-cJf', partial, 'pawl'], {
    signal,
    env: { ...process.env, XZ_OPT: '-6 -T0' },
  });
  if (packed.status !== 'exited' || packed.code !== 0) {
    await rm(partial, { force: true });
    const why =
      packed.status === 'missing' ? 'tar is not installed' : 'stderr' in packed ? packed.stderr.trim() : '';
    throw new PawlError('unavailable', `Could not write ${path}: ${why}`, 'Install tar and xz (xz-utils).');
  }
  await rename(partial, path);
}

/** What to tell the user next. */
export function bundleNextSteps(outcome: BundleOutcome): string {
  return `Pawl ${PAWL_VERSION} and its Node in ${outcome.path} (${(outcome.bytes / 1e6).toFixed(1)} MB). On the GPU host:
  tar -xJf ${outcome.path.split('/').at(-1) ?? ''} && pawl/bin/pawl doctor`;
}
