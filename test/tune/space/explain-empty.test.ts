import { describe, expect, it } from 'vitest';

import { Expression } from '../../../src/config/expression/expression.ts';
import { createSpace } from '../../../src/tune/space/create-space.ts';
import { explainEmpty, requirePoints } from '../../../src/tune/space/explain-empty.ts';
import type { SpaceParameter } from '../../../src/tune/space/rule.ts';
import { extentText } from '../../../src/tune/space/space-extent.ts';

const ordered = (name: string, values: readonly number[]): SpaceParameter => ({
  name,
  kind: 'ordered',
  values,
});

/** The nine tunables of the document that started the project: tiles of an attention kernel on an L4, D = 64. */
const SEEDS = [
  ordered('BLOCK_M', [128, 192, 256]),
  ordered('BLOCK_N', [64, 96, 128]),
  ordered('BLOCK_K', [32, 64]),
  ordered('NUM_WARPS', [4, 8]),
  ordered('STAGES', [2, 3, 4]),
  ordered('UNROLL', [1, 2, 4]),
  ordered('CP_ASYNC', [0, 1]),
  ordered('SWIZZLE', [0, 1]),
  ordered('HALF2', [0, 1]),
];
/** Q, K and V in their stages, and the scores, in f16. */
const SMEM = '2 * (BLOCK_M * D + 2 * STAGES * BLOCK_N * D + BLOCK_M * BLOCK_N)';

describe('why a space is empty', () => {
  it('the seeds’ space: nine tunables multiply to 2,592, and none passes a gate at 48 KB', () => {
    const space = createSpace({
      parameters: SEEDS,
      constraints: [
        Expression.parse(`${SMEM} <= 49152`),
        Expression.parse('BLOCK_M % (16 * NUM_WARPS) == 0'),
      ],
      constants: { D: 64 },
    });
    expect(extentText(space.extent)).toBe('0 of 2,592 combinations are feasible (none)');
    expect(explainEmpty(space)?.message).toBe(
      `None of the 2,592 combinations satisfies \`${SMEM} <= 49152\` (nearest: 65,536 against 49,152, at BLOCK_M=128, STAGES=2, BLOCK_N=64).`,
    );
    expect(() => requirePoints(space)).toThrow(/nearest: 65,536 against 49,152/);
  });

  it('nothing is explained where the device’s own limit lets some pass', () => {
    const space = createSpace({
      parameters: SEEDS,
      constraints: [Expression.parse(`${SMEM} <= SMEM_PER_BLOCK_OPTIN`)],
      constants: { D: 64, SMEM_PER_BLOCK_OPTIN: 99 * 1024 },
    });
    expect(space.size).toBeGreaterThan(0);
    expect(explainEmpty(space)).toBeUndefined();
    expect(() => requirePoints(space)).not.toThrow();
  });

  it('names every constraint of the conflict and none besides', () => {
    const space = createSpace({
      parameters: [ordered('A', [1, 2, 3, 4]), ordered('B', [1, 2, 3, 4]), ordered('C', [1, 2])],
      constraints: ['C > 1', 'A > B', 'A + B == 8', 'B >= 3'].map((source) => Expression.parse(source)),
    });
    const empty = explainEmpty(space);
    expect(empty?.culprits.map(({ text }) => text)).toEqual(['`A > B`', '`A + B == 8`']);
    expect(empty?.message).toContain('- `A > B`: alone it leaves 12');
    expect(empty?.message).toContain('- `A + B == 8`: alone it leaves 2');
  });

  it('says of a case that its dimensions rule everything out', () => {
    const space = createSpace({
      parameters: [ordered('BLOCK', [64, 128])],
      constraints: [Expression.parse('S % BLOCK == 0')],
      cases: [
        { name: 'even', dims: { S: 512 } },
        { name: 'odd', dims: { S: 200 } },
      ],
    });
    expect(explainEmpty(space)?.message).toBe(
      'None of the 2 combinations satisfies `S % BLOCK == 0` in case odd.',
    );
  });

  it('says so where a constraint can be computed nowhere', () => {
    const space = createSpace({
      parameters: [ordered('A', [1, 2])],
      constraints: [Expression.parse('A / Z < 2')],
      constants: { Z: 0 },
    });
    expect(explainEmpty(space)?.message).toContain('it cannot be computed for any of them');
  });
});
