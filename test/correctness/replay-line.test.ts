import { beforeAll, describe, expect, it } from 'vitest';

import type { FuzzSpace } from '../../src/config/fuzz-space.ts';
import { generateCase } from '../../src/correctness/generate-case.ts';
import { parseReplayLine, replayLine } from '../../src/correctness/replay-line.ts';
import { PawlError } from '../../src/model/pawl-error.ts';
import { DIMS, spaceOf } from './fuzz-project.ts';

describe('the line that replays a case', () => {
  let space: FuzzSpace;
  beforeAll(() => {
    space = spaceOf(`{ ${DIMS}, nonfinite: { q: [nan, inf, -inf] } }`, '    dtypes: [f16, f32]\n');
  });

  it('is read as it is written, for every case there is', () => {
    for (let index = 0; index < 300; index++) {
      const drawn = generateCase(space, 5n, index);
      if (drawn === undefined) throw new Error('nothing fits');
      expect(parseReplayLine(replayLine(drawn))).toEqual(drawn);
    }
  });

  it('has a form that people can write', () => {
    const each = {
      dims: { S: 17, B: 2 },
      dtype: 'f16',
      values: { q: 'huge', k: 'normal' },
      seed: '123',
    } as const;
    expect(replayLine(each)).toBe('S=17,B=2 dtype=f16 values=q:huge,k:normal seed=123');
    expect(parseReplayLine('  N=4 ')).toEqual({ dims: { N: 4 }, values: {}, seed: '0' });
    expect(parseReplayLine('N=4,eps=1e-5,a=-0.5').dims).toEqual({ N: 4, eps: 1e-5, a: -0.5 });
    expect(parseReplayLine('seed=4 seed=5')).toEqual({ dims: { seed: 4 }, values: {}, seed: '5' });
  });

  it.each([
    '',
    'N',
    'N=x',
    'N=1.5.5',
    'N=1 dtype=f17',
    'N=1 values=q:hugee',
    'N=1 values=q',
    'N=1 seed=-1',
    'N=1 x=2',
  ])('refuses "%s" as a mistake of use', (line) => {
    try {
      parseReplayLine(line);
    } catch (error) {
      expect(error).toBeInstanceOf(PawlError);
      expect(error).toMatchObject({ kind: 'usage' });
      return;
    }
    throw new Error('it was read');
  });
});
