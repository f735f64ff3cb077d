import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  access,
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { cpus } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

import { includeFiles } from '../../src/build/include-files.ts';
import { isFile } from '../../src/build/is-file.ts';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');

export interface Compilation {
  readonly compiler: string;
  /** Without `-o`. */
  readonly args: readonly string[];
  readonly to: string;
}

/**
 * Compiles, or copies what an earlier run compiled from the same contents with the same command. Answers with what the
 * compiler printed; rejects as `execFile` does where it fails, and keeps nothing then.
 */
export async function compiledOnce({ compiler, args: given, to }: Compilation): Promise<string> {
  // Relative, so that what is made does not depend on where this checkout is.
  const args = given.map((word) => word.replaceAll(`${ROOT}/`, ''));
  // The processor: `-march=native` depends on it.
  const key = createHash('sha256').update([await versionOf(compiler), cpus()[0]?.model, ...args].join('\0'));
  for (const file of await filesOf(args)) {
    key.update(`\0${relative(ROOT, file)}\0`).update(await readFile(file));
  }
  const store = join(await realpath(join(process.env.PAWL_CACHE_DIR ?? '', 'build')), '..', 'compiled');
  const kept = join(store, key.digest('hex'));
  const isKept = await access(kept).then(
    () => true,
    () => false,
  );
  if (!isKept) {
    // A test that is tried again waits for the compiler that its first try started.
    const compiling = underWay.get(kept) ?? compileTo(kept, compiler, args);
    underWay.set(kept, compiling);
    await compiling.finally(() => underWay.delete(kept));
  }
  await copyFile(join(kept, 'output'), to);
  return readFile(join(kept, 'printed'), 'utf8');
}

const underWay = new Map<string, Promise<void>>();

async function compileTo(kept: string, compiler: string, args: readonly string[]): Promise<void> {
  await mkdir(dirname(kept), { recursive: true });
  const folder = await mkdtemp(`${kept}-`);
  try {
    const command = [...args, '-o', join(folder, 'output')];
    const { stdout, stderr } = await run(compiler, command, { cwd: ROOT, maxBuffer: 1 << 26 });
    await writeFile(join(folder, 'printed'), stdout + stderr);
    // Where another process was first, its result is as good.
    await rename(folder, kept).catch(() => access(kept));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const versions = new Map<string, Promise<string>>();

function versionOf(compiler: string): Promise<string> {
  const asked = versions.get(compiler) ?? run(compiler, ['--version']).then(({ stdout }) => stdout);
  versions.set(compiler, asked);
  return asked;
}

/** The files that a command names and what they include of the repository: another fixture is no reason to compile. */
export async function filesOf(args: readonly string[]): Promise<string[]> {
  const words = args.map((word) => resolve(ROOT, word.replace(/^-I(?=.)/, '')));
  const includeDirs = words.filter((_, index) => args[index - 1] === '-I' || /^-I./.test(args[index]!));
  const areFiles = await Promise.all(words.map(isFile));
  const files = await includeFiles(
    words.filter((_, index) => areFiles[index]),
    { includeDirs, top: ROOT },
  );
  for (const file of files) {
    if (/^\s*#\s*include\s+\w/mu.test(await readFile(file, 'utf8'))) {
      throw new Error(`${file} includes a file by a macro, which cannot be followed.`);
    }
  }
  return files;
}
