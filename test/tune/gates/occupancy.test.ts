import { readFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { computeCapability } from '../../../src/device/compute-capability.ts';
import { occupancy } from '../../../src/tune/gates/occupancy.ts';

/** Compute capability, threads, registers, bytes of shared memory, barriers; blocks by CUDA 13.0's calculator. */
type Row = readonly [string, number, number, number, number, number];

const ROWS = JSON.parse(
  await readFile(new URL('../../fixtures/tune/occupancy.json', import.meta.url), 'utf8'),
) as readonly Row[];

describe('occupancy', () => {
  it.each([...new Set(ROWS.map(([version]) => version))])(
    'is what CUDA’s own calculator finds for compute capability %s',
    (version) => {
      const capability = computeCapability(version);
      for (const row of ROWS) {
        const [of, threads, registers, smem_bytes, barriers, blocks] = row;
        if (of !== version) continue;
        expect({
          row,
          ...occupancy(capability!, { threads, registers, smem_bytes, barriers }),
        }).toMatchObject({
          row,
          blocks,
        });
      }
    },
  );

  it('says what allows no more blocks', () => {
    const hopper = computeCapability('9.0')!;
    expect(occupancy(hopper, { threads: 128, registers: 168, smem_bytes: 0 })).toEqual({
      blocks: 3,
      occupancy: 12 / 64,
      limited_by: ['registers'],
    });
    expect(occupancy(hopper, { threads: 256, registers: 32, smem_bytes: 100_000 })).toEqual({
      blocks: 2,
      occupancy: 0.25,
      limited_by: ['shared memory'],
    });
    expect(occupancy(hopper, { threads: 32, registers: 32, smem_bytes: 0 })).toEqual({
      blocks: 32,
      occupancy: 0.5,
      limited_by: ['blocks'],
    });
    expect(occupancy(hopper, { threads: 2048, registers: 32, smem_bytes: 0 }).blocks).toBe(0);
  });
});
