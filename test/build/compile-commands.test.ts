import { describe, expect, it } from 'vitest';

import { compileCommands } from '../../src/build/compile-commands.ts';

describe('the name of a source', () => {
  it.each(['-o.cpp', '@options.cpp'])('%s is no option of the compiler', (name) => {
    const { compile } = compileCommands(
      {
        name: 'candidate',
        language: 'c++',
        output: 'shared',
        sources: [`/project/${name}`],
        includeDirs: [],
        defines: {},
        flags: [],
        links: [],
        arch: [],
      },
      [],
      { path: 'g++', args: [] },
      { root: '/project', outDir: '/out', ccache: undefined, includeDirs: [] },
    );
    expect(compile.map(({ argv }) => argv[argv.indexOf('-c') + 1])).toEqual([`./${name}`]);
  });
});
