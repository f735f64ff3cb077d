import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';

import type { Kernel } from './kernel-schema.ts';
import { showValue } from './mistake.ts';
import type { AddMistake, Path } from './mistake.ts';
import type { Problem } from './problem-schema.ts';
import { writtenFiles } from './recorded-schema.ts';

/** A path that the file names, and where it names it. */
interface NamedPath {
  readonly at: Path;
  readonly path: string;
  readonly kind: 'file' | 'directory';
}

export function problemFiles(problem: Problem, at: Path): NamedPath[] {
  const { oracle, checker, generator } = problem;
  const named: [path: string | undefined, place: Path][] = [
    [generator?.module, ['generator', 'module']],
    [checker?.module, ['checker', 'module']],
  ];
  if (generator !== undefined && generator.module === undefined)
    named.push([generator.source, ['generator', 'source']], [generator.cuda, ['generator', 'cuda']]);
  if (checker !== undefined && checker.module === undefined)
    named.push([checker.source, ['checker', 'source']]);
  if (oracle !== undefined && 'module' in oracle) {
    named.push([oracle.module, ['oracle', 'module']], [oracle.init?.module, ['oracle', 'init', 'module']]);
  } else {
    named.push([oracle?.source, ['oracle', 'source']], [oracle?.cuda, ['oracle', 'cuda']]);
  }
  for (const [name, { fill }] of Object.entries(problem.tensors)) {
    if (fill?.kind !== 'recorded') continue;
    for (const file of writtenFiles(fill)) named.push([file.path, ['tensors', name, 'fill', ...file.at]]);
  }
  return named.flatMap(([path, place]) =>
    path === undefined ? [] : [{ at: [...at, ...place], path, kind: 'file' as const }],
  );
}

export function kernelFiles(kernel: Kernel, at: Path): NamedPath[] {
  const files = (kernel.sources ?? []).map((path, index): NamedPath => ({
    at: [...at, 'sources', index],
    path,
    kind: 'file',
  }));
  const { module, init } = kernel;
  if (module !== undefined) files.push({ at: [...at, 'module'], path: module, kind: 'file' });
  if (init !== undefined) files.push({ at: [...at, 'init', 'module'], path: init.module, kind: 'file' });
  const folders = kernel.include_dirs.map((path, index): NamedPath => ({
    at: [...at, 'include_dirs', index],
    path,
    kind: 'directory',
  }));
  return [...files, ...folders];
}

export async function validateFiles(
  paths: readonly NamedPath[],
  root: string,
  add: AddMistake,
): Promise<void> {
  const states = await Promise.all(paths.map(({ path }) => kindOf(resolve(root, path))));
  for (const [index, { at, path, kind }] of paths.entries()) {
    const found = states[index];
    if (found === kind) continue;
    const where = path.startsWith('/') ? '' : ' (paths are relative to the folder of pawl.yaml)';
    const reason = found === undefined ? `no such ${kind}${where}` : `a ${found}, not a ${kind}`;
    add(at, `${showValue(path)}: ${reason}`);
  }
}

/** Undefined for what is not there or cannot be reached: to the build they are the same. */
async function kindOf(path: string): Promise<'file' | 'directory' | 'device' | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'device';
  } catch {
    return undefined;
  }
}
