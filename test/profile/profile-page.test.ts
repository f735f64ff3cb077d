import { describe, expect, it } from 'vitest';

import type { LaunchProfile } from '../../src/model/profile/profile.ts';
import { profilePage } from '../../src/profile/page/profile-page.ts';
import { comparedPage, launchOf, pageOf } from '../report/profile-pages.ts';

const KERNELS = [
  'attention',
  'bank_conflict_transpose',
  'copy_ok',
  'exp_bound',
  'fma_ok',
  'naive_matmul',
  'pointer_chase',
  'register_spill',
  'sdpa_flash',
  'small_grid',
  'tail_wave',
  'uncoalesced_load',
];

const EMPTY: LaunchProfile = {
  name: 'k',
  id: undefined,
  grid: undefined,
  block: undefined,
  device: undefined,
  computeCapability: undefined,
  metrics: new Map(),
  texts: new Map(),
  ncuRules: [],
};

const sideOf = (name: string, page: 'raw' | 'details' = 'raw') =>
  profilePage({ launch: launchOf(name, page) });

describe('what the one-pager of a profile shows', () => {
  it.each(KERNELS)('places %s below its roof, with every figure filled', (name) => {
    const { after, roofline } = pageOf(name);
    const [point] = roofline!.points;
    const roof = Math.min(roofline!.roofs[0]!.perSecond, roofline!.memory.bytesPerSecond * point!.intensity);
    expect(point!.perSecond / roof).toBeGreaterThan(0);
    expect(point!.perSecond / roof).toBeLessThanOrEqual(1.02);
    expect(Object.keys(after.units)).toHaveLength(7);
    expect(after.occupancy.limits.length).toBeGreaterThanOrEqual(4);
    expect(after.stalls).toMatchObject({ isWhole: true });
    const total = after.stalls!.shares.reduce((sum, { pct }) => sum + pct, 0);
    expect(total).toBeGreaterThan(97);
    expect(total).toBeLessThan(100.1);
  });

  it('counts what the kernel computes with: the dense peak of its type, FP32, or instructions', () => {
    expect(pageOf('attention').roofline).toMatchObject({ counted: 'FP16 tensor operations', unit: 'FLOP' });
    // The sparse peak, twice as high, is in the file too.
    expect(pageOf('attention').roofline!.roofs[0]!.perSecond).toBeCloseTo(956e12, -12);
    expect(pageOf('fma_ok').roofline).toMatchObject({ counted: 'FP32 operations' });
    expect(pageOf('copy_ok').roofline).toMatchObject({ counted: 'warp instructions', unit: 'inst' });
  });

  it('counts the same on both sides of a comparison', () => {
    const { roofline } = comparedPage('copy_ok', 'fma_ok');
    expect(roofline!.counted).toBe('warp instructions');
    expect(roofline!.points.map(({ side }) => side)).toEqual(['before', 'after']);
  });

  it('puts a copy at the share of the memory ceiling that its DRAM throughput has', () => {
    const { roofline, after } = pageOf('copy_ok');
    const [point] = roofline!.points;
    const share = (100 * point!.perSecond) / (roofline!.memory.bytesPerSecond * point!.intensity);
    expect(share).toBeCloseTo(after.units.dram!, 0);
  });

  it('does not place a matrix kernel by its other arithmetic where the matrix work was not counted', () => {
    const launch = launchOf('attention');
    const metrics = new Map([...launch.metrics].filter(([name]) => !name.includes('ops_path_tensor')));
    expect(profilePage({ launch: { ...launch, metrics } }).roofline?.counted).toBe('warp instructions');
  });

  it('knows of the details page the reasons that ncu quotes, and that the others are unknown', () => {
    const { stalls } = sideOf('bank_conflict_transpose', 'details').after;
    expect(stalls).toMatchObject({ isWhole: false, shares: [{ reason: 'mio_throttle' }] });
  });

  it('leaves out what was not collected instead of taking it as zero', () => {
    const page = profilePage({ launch: EMPTY });
    expect(page.after).toMatchObject({ units: {}, occupancy: { limits: [] } });
    expect(page.after.stalls).toBeUndefined();
    expect(page.roofline).toBeUndefined();
    expect(page.provenance).toEqual([]);
  });
});
