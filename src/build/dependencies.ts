import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';

import type { Dependency } from './build-cache.ts';
import { parseDepfile } from './depfile.ts';
import { FileHasher } from '../os/file-hasher.ts';
import type { PathLabels } from './path-labels.ts';

export interface ReadFiles {
  readonly dependencies: readonly Dependency[];
  /** Of each file, when it last changed; undefined where it is gone. */
  readonly changed_ns: ReadonlyMap<string, bigint | undefined>;
  readonly absent: readonly string[];
}

/** What the compiler read, from the lists it wrote, with the contents that those files have now. */
export async function readDependencies(
  depfiles: readonly string[],
  place: { readonly root: string; readonly labels: PathLabels; readonly searchDirs: readonly string[] },
): Promise<ReadFiles> {
  const lists = await Promise.all(depfiles.map(async (file) => parseDepfile(await readFile(file, 'utf8'))));
  const files = [
    ...new Set(lists.flat().map((file) => (isAbsolute(file) ? file : join(place.root, file)))),
  ].sort();
  const hasher = new FileHasher();
  const dependencies = await Promise.all(
    files.map(async (file) => ({ file: place.labels.label(file), sha256: (await hasher.hash(file)) ?? '' })),
  );
  const times = await Promise.all(files.map(async (file) => changedAt(file)));
  return {
    dependencies,
    changed_ns: new Map(dependencies.map(({ file }, index) => [file, times[index]])),
    absent: await absentRivals(files, place.searchDirs, place.labels),
  };
}

async function changedAt(file: string): Promise<bigint | undefined> {
  return stat(file, { bigint: true }).then(
    ({ ctimeNs }) => ctimeNs,
    () => undefined,
  );
}

/**
 * A header found in one include directory is replaced by one of the same name that appears in another. Where
 * such a rival is not there now, its appearance must lead to a new build.
 */
async function absentRivals(
  files: readonly string[],
  searchDirs: readonly string[],
  labels: PathLabels,
): Promise<string[]> {
  const folders = [...new Set(searchDirs)];
  const rivals = new Set<string>();
  for (const file of files) {
    for (const home of folders) {
      if (!file.startsWith(`${home}/`)) continue;
      for (const folder of folders) rivals.add(join(folder, file.slice(home.length + 1)));
    }
  }
  const absent = await Promise.all(
    [...rivals].map(async (rival) => ((await changedAt(rival)) === undefined ? [labels.label(rival)] : [])),
  );
  return absent.flat().sort();
}

/** The folders in which quotes and brackets look for a job's headers. */
export function searchDirs(sources: readonly string[], includeDirs: readonly string[]): string[] {
  return [...new Set([...sources.map((source) => dirname(source)), ...includeDirs])];
}
