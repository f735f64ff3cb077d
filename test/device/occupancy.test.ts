import { readdir, readFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { computeCapability } from '../../src/device/compute-capability.ts';
import { Facts } from '../../src/profile/facts/facts.ts';
import { parseNcuProfile } from '../../src/profile/ncu/ncu-profile.ts';
import { occupancy } from '../../src/device/occupancy.ts';

/** Compute capability, threads, registers, bytes of shared memory, barriers; blocks by CUDA 13.0's calculator. */
type Row = readonly [string, number, number, number, number, number];

const ROWS = JSON.parse(
  await readFile(new URL('../fixtures/tune/occupancy.json', import.meta.url), 'utf8'),
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

  it('is what Nsight Compute told of real launches on an H200', async () => {
    const folder = new URL('../fixtures/ncu/', import.meta.url);
    const files = (await readdir(folder)).filter((file) => file.endsWith('.raw.csv'));
    let compared = 0;
    for (const file of files) {
      const { launches } = parseNcuProfile(await readFile(new URL(file, folder), 'utf8'), file);
      for (const launch of launches) {
        const facts = new Facts(launch);
        const [threads, registers, fixed, dynamic, told_pct] = (
          [
            'block_size',
            'registers_per_thread',
            'static_shared_bytes',
            'dynamic_shared_bytes',
            'theoretical_occupancy_pct',
          ] as const
        ).map((name) => facts.have(name));
        if (threads === undefined || registers === undefined || told_pct === undefined) continue;
        const found = occupancy(computeCapability('9.0')!, {
          threads,
          registers,
          smem_bytes: (fixed ?? 0) + (dynamic ?? 0),
        });
        expect({ file, occupancy_pct: 100 * found.occupancy }).toEqual({ file, occupancy_pct: told_pct });
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(5);
  });

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
