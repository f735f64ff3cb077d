import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');

export interface Compilation {
  readonly compiler: string;
  /** Without `-o`. */
  readonly args: readonly string[];
  /** Files and folders below the repository: all that the compiler may read of it. */
  readonly reads: readonly string[];
  readonly to: string;
}

/**
 * Compiles, or copies what an earlier run compiled from the same contents with the same command. Answers with what the
 * compiler printed; rejects as `execFile` does where it fails, and keeps nothing then.
 */
export async function compiledOnce({ compiler, args: given, reads, to }: Compilation): Promise<string> {
  // Relative, so that what is made does not depend on where this checkout is.
  const args = given.map((word) => word.replaceAll(`${ROOT}/`, ''));
  // The processor: `-march=native` depends on it.
  const key = createHash('sha256').update([await versionOf(compiler), cpus()[0]?.model, ...args].join('\0'));
  for (const file of await filesOf(reads)) {
    key.update(`\0${file}\0`).update(await readFile(join(ROOT, file)));
  }
  const store = join(await realpath(join(process.env.PAWL_CACHE_DIR ?? '', 'build')), '..', 'compiled');
  const kept = join(store, key.digest('hex'));
  const printed = await readFile(join(kept, 'printed'), 'utf8').catch(() => undefined);
  if (printed !== undefined) {
    await copyFile(join(kept, 'output'), to);
    return printed;
  }
  const { stdout, stderr } = await run(compiler, [...args, '-o', to], { cwd: ROOT, maxBuffer: 1 << 26 });
  await mkdir(store, { recursive: true });
  const folder = await mkdtemp(join(store, 'new-'));
  await copyFile(to, join(folder, 'output'));
  await writeFile(join(folder, 'printed'), stdout + stderr);
  // Where another process was first, its result is as good.
  await rename(folder, kept).catch(() => rm(folder, { recursive: true, force: true }));
  return stdout + stderr;
}

const versions = new Map<string, Promise<string>>();

function versionOf(compiler: string): Promise<string> {
  const asked = versions.get(compiler) ?? run(compiler, ['--version']).then(({ stdout }) => stdout);
  versions.set(compiler, asked);
  return asked;
}

async function filesOf(reads: readonly string[]): Promise<string[]> {
  const lists = await Promise.all(
    reads.map(async (path) => {
      const inside = await readdir(join(ROOT, path), { recursive: true, withFileTypes: true }).catch(
        () => undefined,
      );
      if (inside === undefined) return [path];
      return inside
        .filter((entry) => entry.isFile() && !join(entry.parentPath, entry.name).includes('/.pawl/'))
        .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
    }),
  );
  return [...new Set(lists.flat())].sort();
}
