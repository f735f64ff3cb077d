import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

const REPOSITORY = resolve(import.meta.dirname, '../../..');

/** Everything that a file imports, directly or not: our own files, and names of modules. */
function reachOf(entry: string): Set<string> {
  const reached = new Set<string>();
  const visit = (path: string): void => {
    const name = relative(REPOSITORY, path);
    if (reached.has(name)) return;
    reached.add(name);
    // Types and comments are gone when it runs.
    const code = readFileSync(path, 'utf8')
      .replaceAll(/^(?:import|export) type [^;]*;/gmu, '')
      .replaceAll(/^ *\/\*\*.*?\*\//gmsu, '');
    for (const [, target] of code.matchAll(/(?:\bfrom|\bimport\()\s*'([^']+)'/gu)) {
      if (target!.startsWith('.')) visit(join(dirname(path), target!));
      else reached.add(target!);
    }
  };
  visit(join(REPOSITORY, entry));
  return reached;
}

describe('what publishing can reach', () => {
  const reached = [...reachOf('src/ci/publish-in-ci.ts')];

  it('has no way to a baseline: fork results never feed one', () => {
    // Documents in `model/measure` are read, as the others of `model` are: the room that measures is another.
    const ways = reached.filter((name) =>
      /ratchet|baseline|git|workflows|(?<!^src\/model\/)measure|build/u.test(name),
    );
    expect(ways.filter((name) => !/^src\/(?:ci\/github|model|report)\//u.test(name))).toEqual([]);
    expect(ways.filter((name) => name.startsWith('src/model/'))).toEqual(['src/model/judge/baseline.ts']);
    expect(ways.filter((name) => name.startsWith('src/report/'))).toEqual([]);
  });

  it('starts no process, loads no code, and opens nothing but the step’s own files', () => {
    const modules = reached.filter((name) => !name.startsWith('src/'));
    expect(modules.sort()).toEqual(['node:crypto', 'node:fs', 'node:fs/promises', 'node:zlib', 'zod']);
    const opening = reached.filter(
      (name) => name.startsWith('src/') && readFileSync(join(REPOSITORY, name), 'utf8').includes("'node:fs"),
    );
    // The event, the summary and outputs, and Pawl's own version.
    expect(opening.sort()).toEqual([
      'src/ci/publish-in-ci.ts',
      'src/ci/step-files.ts',
      'src/model/version.ts',
    ]);
  });
});
