import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface RuntimePackage {
  readonly name: string;
  readonly folder: string;
  readonly manifest: Manifest;
}

/**
 * What Pawl needs at run time: its packages, those that they need, and so on. One that npm put inside of another is
 * not listed, for it goes where that one goes.
 */
export async function runtimePackages(root: string): Promise<readonly RuntimePackage[]> {
  const found = new Map<string, RuntimePackage>();
  const queue: { readonly folder: string; readonly manifest: Manifest }[] = [
    { folder: root, manifest: await manifestIn(root) },
  ];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { dependencies = {}, optionalDependencies = {} } = next.manifest;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const folder = folderOf(next.folder, name);
      if (folder === undefined) {
        // Those of other platforms are optional, and not here.
        if (name in optionalDependencies) continue;
        throw new Error(`the installed package ${name} is nowhere above ${next.folder}`);
      }
      if (found.has(folder)) continue;
      const one = { name, folder, manifest: await manifestIn(folder) };
      found.set(folder, one);
      queue.push(one);
    }
  }
  const all = [...found.values()];
  return all.filter(({ folder }) => !all.some((other) => folder.startsWith(other.folder + sep)));
}

async function manifestIn(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** Where npm put a package: below the one that needs it, or beside it, or further up. */
function folderOf(needing: string, name: string): string | undefined {
  const folders = createRequire(join(needing, 'package.json')).resolve.paths(name) ?? [];
  return folders
    .map((folder) => join(folder, name))
    .find((folder) => existsSync(join(folder, 'package.json')));
}
