import { describe, expect, it } from 'vitest';

import { roofline, rooflinePoint } from '../../src/profile/roofline.ts';

/** About an H200: 4.2 TB/s copied, 700 Tflop/s of FP16 products. */
const CEILINGS = { bytesPerSecond: 4.2e12, operationsPerSecond: 700e12 };

describe('roofline', () => {
  it('of a copy is bound by memory, and its floor is bytes over bandwidth', () => {
    const copy = roofline({ operations: 0, bytes: 4.2e9 }, CEILINGS);
    expect(copy).toMatchObject({ bound: 'memory', intensity: 0, attainablePerSecond: 0 });
    expect(copy.floorMs).toBeCloseTo(1);
  });

  it('of a large product is bound by computing', () => {
    const product = roofline({ operations: 7e12, bytes: 1e9 }, CEILINGS);
    expect(product.bound).toBe('compute');
    expect(product.floorMs).toBeCloseTo(10);
    expect(product.attainablePerSecond).toBeCloseTo(700e12);
  });

  it('turns from one side to the other at the ridge', () => {
    const { ridge } = roofline({ operations: 1, bytes: 1 }, CEILINGS);
    expect(roofline({ operations: ridge * 0.99, bytes: 1 }, CEILINGS).bound).toBe('memory');
    expect(roofline({ operations: ridge * 1.01, bytes: 1 }, CEILINGS).bound).toBe('compute');
  });

  it('has no intensity where no byte moves', () => {
    expect(roofline({ operations: 1e9, bytes: 0 }, CEILINGS).intensity).toBeUndefined();
  });
});

describe('rooflinePoint', () => {
  const work = { operations: 7e12, bytes: 1e9 };

  it('gives the distance to the floor', () => {
    const point = rooflinePoint(work, CEILINGS, 25);
    expect(point.distance).toBeCloseTo(2.5);
    expect(point.ofCeilingPct).toBeCloseTo(40);
    expect(point.achievedPerSecond).toBeCloseTo(280e12);
    expect(point.isBelowFloor).toBe(false);
  });

  it('knows a time that cannot be, and allows for measured ceilings', () => {
    expect(rooflinePoint(work, CEILINGS, 8).isBelowFloor).toBe(true);
    expect(rooflinePoint(work, CEILINGS, 9.8).isBelowFloor).toBe(false);
  });
});
