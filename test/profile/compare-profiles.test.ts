import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { compareProfiles } from '../../src/profile/compare-profiles.ts';
import { parseNcuProfile } from '../../src/profile/ncu/ncu-profile.ts';
import { launchOf, waiting } from './launch-of.ts';

const swizzled = launchOf({ duration_ns: 500_000, l1_pct: 62, memory_pct: 62, l1_wavefronts_pct: 62 });
const unswizzled = launchOf({
  duration_ns: 660_000,
  l1_pct: 78,
  memory_pct: 78,
  l1_wavefronts_pct: 78,
  shared_wavefronts_actual: 60e6,
  shared_wavefronts_excess: 18.6e6,
});

describe('the sentence', () => {
  it('names the change in time and what appeared', () => {
    const { summary, appeared, change_pct: change } = compareProfiles(swizzled, unswizzled);
    expect(summary).toBe('32 % slower: shared-memory bank conflicts rose from 0 to 31 % of wavefronts.');
    expect(appeared).toEqual(['bank-conflicts']);
    expect(change).toBeCloseTo(-32);
  });

  it('reads the other way round for the way back', () => {
    const { summary, vanished } = compareProfiles(unswizzled, swizzled);
    expect(summary).toBe('24 % faster: shared-memory bank conflicts fell from 31 to 0 % of wavefronts.');
    expect(vanished).toEqual(['bank-conflicts']);
  });

  it('blames the clock where the cycles are the same', () => {
    const slower = launchOf({ duration_ns: 700_000, sm_clock_hz: 1.41e9 });
    expect(compareProfiles(launchOf(), slower).summary).toBe(
      '40 % slower: the SM clock went from 1980 to 1410 MHz for the same number of cycles.',
    );
  });

  it('falls back to the amount of work where no finding moved', () => {
    const more = launchOf({
      duration_ns: 650_000,
      inst_executed: 300e6,
      sm_elapsed_cycles: 1_300_000,
      sm_active_cycles: 1_280_000,
      sm_active_cycles_max: 1_300_000,
    });
    expect(compareProfiles(launchOf(), more).summary).toBe(
      '30 % slower: executed instructions rose from 200 M to 300 M.',
    );
  });

  it('says so where nothing that was collected explains it', () => {
    const slower = launchOf({
      duration_ns: 650_000,
      sm_elapsed_cycles: 1_300_000,
      sm_active_cycles: 1_274_000,
      sm_active_cycles_max: 1_300_000,
    });
    expect(compareProfiles(launchOf(), slower).summary).toMatch(/^30 % slower: no metric/u);
  });

  it('claims no change within noise', () => {
    const same = compareProfiles(launchOf(), launchOf({ duration_ns: 505_000 }));
    expect(same.summary).toMatch(/^No change in time beyond noise/u);
    expect(same.moved).toEqual([]);
  });

  it('tells of a cause that cost nothing', () => {
    const spilling = launchOf({ spill_requests: 20e6, local_load_sectors: 40e6, local_store_sectors: 40e6 });
    expect(compareProfiles(launchOf(), spilling).summary).toMatch(
      /^No change.*although requests to spilled registers rose from 0 to 20 M/u,
    );
  });

  it('does not invent a duration', () => {
    const { summary, change_pct: change } = compareProfiles(launchOf({ duration_ns: undefined }), launchOf());
    expect(summary).toMatch(/^The change in time is unknown/u);
    expect(change).toBeUndefined();
  });
});

describe('what moved', () => {
  it('is ordered by size and leaves noise out', () => {
    const { moved } = compareProfiles(
      launchOf({ occupancy_pct: 90, l1_hit_pct: 30, threads_per_inst: 32 }),
      launchOf({ occupancy_pct: 50, l1_hit_pct: 20, threads_per_inst: 31.6 }),
    );
    expect(moved.map(({ metric }) => metric)).toEqual(['occupancy_pct', 'l1_hit_pct']);
    expect(moved[0]).toEqual({ metric: 'occupancy_pct', unit: '%', before: 90, after: 50 });
  });

  it('holds nothing that one of the two did not collect', () => {
    const { moved } = compareProfiles(
      launchOf({ occupancy_pct: undefined }),
      launchOf({ occupancy_pct: 20 }),
    );
    expect(moved.map(({ metric }) => metric)).not.toContain('occupancy_pct');
  });
});

it('findings of both are told apart into appeared, vanished and persisted', () => {
  const before = launchOf({ ...waiting('stall_barrier', 50) });
  const after = launchOf({
    ...waiting('stall_barrier', 50),
    spill_requests: 40e6,
    local_load_sectors: 80e6,
    local_store_sectors: 80e6,
    duration_ns: 700_000,
  });
  const { appeared, vanished, persisted } = compareProfiles(before, after);
  expect([appeared, vanished, persisted]).toEqual([['register-spill'], [], ['barrier-stall']]);
});

it('two real profiles compare the same way every time', () => {
  const [slow, fast] = ['bank_conflict_transpose', 'copy_ok'].map((kernel) => {
    const text = readFileSync(new URL(`../fixtures/ncu/${kernel}.raw.csv`, import.meta.url), 'utf8');
    return parseNcuProfile(text).launches[0];
  });
  if (!slow || !fast) throw new Error('the fixtures hold no launch');
  const comparison = compareProfiles(fast, slow);
  expect(comparison.summary).toBe(
    '164 % slower: shared-memory bank conflicts rose from 0 to 94 % of wavefronts.',
  );
  expect(comparison).toEqual(compareProfiles(fast, slow));
});
