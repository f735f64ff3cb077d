import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { packageRoot } from '../../build/package-root.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Platform } from '../../model/platform.ts';
import { makeFolder } from '../../os/make-folder.ts';
import { runCommand } from '../../os/run-command.ts';
import { fetchPackage } from './fetch-package.ts';
import { validateNode } from './validate-node.ts';
import { runtimePackages, type RuntimePackage } from './runtime-packages.ts';

export interface StageOptions {
  /** The folder that becomes the archive's `pawl/`. */
  readonly inside: string;
  /** For what is fetched. */
  readonly scratch: string;
  /** Absent: the one this runs on. */
  readonly platform?: Platform | undefined;
  /** The Node binary to put in. */
  readonly node?: string | undefined;
  readonly signal: AbortSignal;
}

const LAUNCHER = `#!/bin/sh
here=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
exec "$here/node" "$here/dist/cli/main.js" "$@"
`;

/** Of the package's files, those that the launcher takes the place of. */
const REPLACED = ['bin'];
/** Native packages are made for one platform each. */
const NATIVE = '@libsql/';

/** Puts together what the package has, the packages that it needs, and a Node. */
export async function stageBundle(options: StageOptions): Promise<void> {
  const { inside, scratch, signal } = options;
  const root = packageRoot();
  const foreign = options.platform === hostPlatform() ? undefined : options.platform;
  if (options.node !== undefined && options.platform !== undefined) {
    await validateNode(options.node, options.platform);
  }
  for (const file of await ownFiles(root)) await copyInto(join(root, file), join(inside, file));
  await mkdir(join(inside, 'bin'), { recursive: true });
  await writeFile(join(inside, 'bin', 'pawl'), LAUNCHER, { mode: 0o755 });
  for (const one of await runtimePackages(root)) {
    if (foreign !== undefined && one.name.startsWith(NATIVE)) continue;
    await copyInto(one.folder, join(inside, 'node_modules', one.name));
    if (foreign !== undefined && one.name === 'libsql') {
      const { name, spec } = nativePackage(one, foreign);
      await copyInto(await fetchPackage(spec, scratch, signal), join(inside, 'node_modules', name));
    }
  }
  const node =
    options.node ?? (foreign === undefined ? process.execPath : await fetchNode(foreign, scratch, signal));
  await copyNode(node, join(inside, 'node'), { strip: foreign === undefined, signal });
}

function hostPlatform(): string {
  return `${process.platform}-${process.arch}`;
}

/** What `npm pack` would pack of a built checkout, which is what an installed package has. */
async function ownFiles(root: string): Promise<string[]> {
  const { files } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly files: string[];
  };
  const own = files.filter((file) => !file.startsWith('!') && !REPLACED.includes(file));
  const missing = own.filter((file) => !existsSync(join(root, file)));
  if (missing.length > 0) {
    throw new PawlError(
      'internal',
      `This installation of Pawl is incomplete: missing ${missing.join(', ')}.`,
      'In a checkout: make build',
    );
  }
  return [...own, 'package.json'];
}

/** libsql names its native packages, one for each platform, as optional dependencies. */
function nativePackage(
  { manifest }: RuntimePackage,
  platform: Platform,
): { readonly name: string; readonly spec: string } {
  const name = `${NATIVE}${platform}-gnu`;
  const version = manifest.optionalDependencies?.[name];
  if (version === undefined) throw new Error(`libsql has no native package for ${platform}`);
  return { name, spec: `${name}@${version}` };
}

/** The same version of Node as this one; the packages of that name hold nothing but the binary. */
async function fetchNode(platform: Platform, scratch: string, signal: AbortSignal): Promise<string> {
  const folder = await fetchPackage(`node-${platform}@${process.versions.node}`, scratch, signal);
  const node = join(folder, 'bin', 'node');
  await validateNode(node, platform);
  return node;
}

async function copyInto(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to));
  await cp(from, to, { recursive: true, dereference: true });
}

/** Node without its symbols is a fifth smaller; where there is no `strip`, whole is fine too. */
async function copyNode(
  from: string,
  to: string,
  { strip, signal }: { readonly strip: boolean; readonly signal: AbortSignal },
): Promise<void> {
  await cp(from, to, { dereference: true });
  await chmod(to, 0o755);
  if (strip) await runCommand('strip', [to], { signal });
}
