import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { withTunableDefaults } from '../../../src/tune/study/yaml-defaults.ts';

function file(tunables: string): string {
  return `# top
version: 1
kernels:
  other: { tunables: { A: [1, 2] } }
  mine:   # oddly spaced
    tunables:
${tunables}
      LAST: [x]
# end
`;
}

describe('writing defaults into pawl.yaml', () => {
  it.each([
    [
      'a default in a flow mapping',
      '      A: { values: [1, 2], default: 1, description: d } # c',
      '      A: { values: [1, 2], default: 2, description: d } # c',
    ],
    [
      'none in a flow mapping',
      '      A: { values: [1,  2], description: d }',
      '      A: { values: [1,  2], default: 2, description: d }',
    ],
    ['a bare list', '      A: [1, 2]   # why', '      A: { values: [1, 2], default: 2 }   # why'],
    [
      'a block mapping',
      '      A:\n        # these\n        values: [1, 2]\n        default: 1 # old',
      '      A:\n        # these\n        values: [1, 2]\n        default: 2 # old',
    ],
    [
      'a block mapping without one',
      '      A:\n        description: d\n        values:\n          - 1 # one\n          - 2',
      '      A:\n        description: d\n        default: 2\n        values:\n          - 1 # one\n          - 2',
    ],
    [
      'a block list',
      '      A:\n        - 1\n        - 2',
      '      A:\n        { values: [1, 2], default: 2 }',
    ],
  ])('keeps everything else of %s', (_, before, after) => {
    expect(withTunableDefaults(file(before), 'mine', { A: 2 })).toBe(file(after));
  });

  it('writes several at once, of every type, in a way that reads back', () => {
    const text = withTunableDefaults(
      file(
        '      A: [1, 2]\n      B: { values: [true, false] }\n      C: { values: [fast, "on"], default: fast }',
      ),
      'mine',
      { A: 2, B: false, C: 'on' },
    );
    const { tunables } = (parse(text) as { kernels: { mine: { tunables: object } } }).kernels.mine;
    expect(tunables).toEqual({
      A: { values: [1, 2], default: 2 },
      B: { values: [true, false], default: false },
      C: { values: ['fast', 'on'], default: 'on' },
      LAST: ['x'],
    });
  });

  it('refuses a list with comments in it and an alias, rather than lose something', () => {
    const commented = file('      A:\n        - 1 # one\n        - 2');
    expect(() => withTunableDefaults(commented, 'mine', { A: 2 })).toThrow(/no place for a default/);
    const alias = file('      B: &values [1, 2]\n      A: *values');
    expect(() => withTunableDefaults(alias, 'mine', { A: 2 })).toThrow(/no place for a default/);
  });
});
