import { posix } from 'node:path';

import { judgeSources } from '../config/judge-sources.ts';
import type { LoadedConfig } from '../config/load-config.ts';

/**
 * What can change how fast a kernel is, or whether it is right, as patterns of a workflow's `paths`: the folders of
 * its sources and of its oracle with all that they include, and pawl.yaml.
 *
 * @param folder the project's folder below the repository's top
 */
export function kernelPaths({ config }: LoadedConfig, folder: string): string[] {
  const named: string[] = [];
  for (const { sources = [], module, include_dirs } of Object.values(config.kernels)) {
    named.push(...sources.map(around), ...include_dirs.map(below));
    if (module !== undefined) named.push(around(module));
  }
  for (const problem of Object.values(config.problems)) named.push(...judgeSources(problem).map(around));
  const patterns = ['pawl.yaml', ...named]
    .map((path) => posix.normalize(posix.join(folder, path)))
    // What lies outside of the repository cannot be changed by a pull request.
    .filter((path) => !path.startsWith('..') && !path.startsWith('/'));
  return withoutCovered([...new Set(patterns)].sort());
}

/** A file and its neighbours: headers are rarely named in pawl.yaml. */
function around(path: string): string {
  const dir = posix.dirname(path);
  return dir === '.' ? '*' : below(dir);
}

function below(dir: string): string {
  return posix.join(escaped(dir), '**');
}

/** GitHub's patterns give these a meaning of their own. */
function escaped(path: string): string {
  return path.replaceAll(/[*?+[\]!\\]/g, '?');
}

function withoutCovered(patterns: readonly string[]): string[] {
  return patterns.filter(
    (path) =>
      !patterns.some(
        (other) => other !== path && other.endsWith('/**') && path.startsWith(other.slice(0, -2)),
      ),
  );
}
