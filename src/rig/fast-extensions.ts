import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { userCacheDir } from '../build/cache-dirs.ts';
import { packageRoot } from '../build/package-root.ts';
import { pythonFiles } from '../build/python-files.ts';
import { candidateEnvironment } from '../device/candidate-environment.ts';
import { makeFolder } from '../os/make-folder.ts';
import { runCommand } from '../os/run-command.ts';
import type { RunContext } from '../os/run-context.ts';
import type { Target } from '../runner/target.ts';

/** Two sets of PyTorch's headers take a minute or two of one core each. */
const PRECOMPILE_TIMEOUT_MS = 15 * 60_000;
/** A precompiled set takes most of a gigabyte. */
const MOST_HEADERS = 6;
/** Kernels whose objects are kept, a megabyte or two each. */
const MOST_OBJECTS = 200;

/**
 * Targets that build PyTorch extensions (`load_inline`, `load`) find PyTorch's headers precompiled, and what earlier
 * processes of the very same kernel have built. Candidates cannot write to either: the headers are made here, from no
 * line of a kernel, and the judge takes objects over into a folder that is named after the contents of the kernel's own
 * files, so that no other process gets them.
 */
export async function withFastExtensions(
  targets: readonly Target[],
  python: string,
  { root, signal, onProgress }: Pick<RunContext, 'signal' | 'onProgress'> & { readonly root: string },
): Promise<Target[]> {
  const found = await Promise.all(targets.map((target) => extensionFiles(target, root)));
  const modules = [...new Set(found.flatMap((files) => files ?? []))];
  if (modules.length === 0) return [...targets];
  const cache = join(dirname(await userCacheDir(process.env)), 'extensions');
  const headers = join(cache, 'headers');
  await makeFolder(headers);
  onProgress({ type: 'note', level: 'info', text: "Looking for PyTorch's headers, precompiled …" });
  const program = join(packageRoot(), 'runner', 'python', 'pawl_extension', 'precompile.py');
  await runCommand(python, ['-B', program, headers, ...modules.filter((path) => path.endsWith('.py'))], {
    env: candidateEnvironment(process.env),
    timeout_ms: PRECOMPILE_TIMEOUT_MS,
    signal,
  });
  await keepNewest(headers, MOST_HEADERS);
  return Promise.all(
    targets.map(async (target, index) => {
      const files = found[index];
      if (files === undefined) return target;
      const objects = join(cache, 'objects', await contentsOf(files));
      await makeFolder(objects);
      await keepNewest(dirname(objects), MOST_OBJECTS);
      const env = {
        PAWL_EXTENSION_HEADERS: headers,
        PAWL_EXTENSION_OBJECTS: objects,
        ...target.open.env,
      };
      return { ...target, open: { ...target.open, env, objects } };
    }),
  );
}

/** The files of a kernel in Python that names PyTorch's builder of extensions. */
async function extensionFiles({ open: { kernel } }: Target, root: string): Promise<string[] | undefined> {
  if (!('module' in kernel) || !kernel.module.startsWith('/')) return undefined;
  const files = await pythonFiles(kernel.module, { root, top: dirname(root) });
  const texts = await Promise.all(files.map((path) => readFile(path, 'utf8').catch(() => '')));
  return texts.some((text) => text.includes('cpp_extension')) ? files : undefined;
}

async function contentsOf(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of files) {
    const contents = await readFile(path);
    hash.update(`${path}\0${contents.length}\0`).update(contents);
  }
  return hash.digest('hex');
}

/** Removes folders beyond the newest ones; one that another run removes meanwhile is gone as well. */
async function keepNewest(folder: string, count: number): Promise<void> {
  const names = await readdir(folder);
  const dated = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const made_ms = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      );
      return { path, made_ms };
    }),
  );
  const old = dated.toSorted((a, b) => b.made_ms - a.made_ms).slice(count);
  await Promise.all(old.map(({ path }) => rm(path, { recursive: true, force: true })));
}
