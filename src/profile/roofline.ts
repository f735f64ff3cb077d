/**
 * The roofline of one case: what the device could do with its operations and bytes, and how far a measured time is
 * from that (Williams, Waterman, Patterson, "Roofline", CACM 52(4), 2009).
 */

/** What a device does at best, as measured on it (`pawl device --calibrate`) or stated. */
export interface Ceilings {
  readonly operationsPerSecond: number;
  readonly bytesPerSecond: number;
}

/** The work, by the problem's formulas. */
export interface Work {
  readonly operations: number;
  readonly bytes: number;
}

export interface Roofline {
  /** Operations for each byte; undefined where no byte must move. */
  readonly intensity: number | undefined;
  /** The intensity at which both ceilings bind. */
  readonly ridge: number;
  readonly bound: 'memory' | 'compute';
  /** Of operations, at this intensity. */
  readonly attainablePerSecond: number;
  readonly floorMs: number;
}

export interface RooflinePoint extends Roofline {
  readonly timeMs: number;
  readonly achievedPerSecond: number;
  /** The floor in the time: 100 is at the ceiling. */
  readonly ofCeilingPct: number;
  /** How many times the floor it takes. */
  readonly distance: number;
  /** Faster than the device can be: the measurement is wrong, or the ceilings or formulas are. */
  readonly isBelowFloor: boolean;
}

/** Ceilings are measured too: a few percent above one is not impossible. */
export const CEILING_TOLERANCE = 1.05;

export function roofline({ operations, bytes }: Work, ceilings: Ceilings): Roofline {
  const computeS = operations / ceilings.operationsPerSecond;
  const memoryS = bytes / ceilings.bytesPerSecond;
  const floorS = Math.max(computeS, memoryS);
  return {
    intensity: bytes > 0 ? operations / bytes : undefined,
    ridge: ceilings.operationsPerSecond / ceilings.bytesPerSecond,
    bound: memoryS >= computeS ? 'memory' : 'compute',
    attainablePerSecond: floorS > 0 ? operations / floorS : 0,
    floorMs: floorS * 1000,
  };
}

export function rooflinePoint(work: Work, ceilings: Ceilings, timeMs: number): RooflinePoint {
  const roof = roofline(work, ceilings);
  return {
    ...roof,
    timeMs,
    achievedPerSecond: timeMs > 0 ? work.operations / (timeMs / 1000) : 0,
    ofCeilingPct: timeMs > 0 ? (100 * roof.floorMs) / timeMs : 0,
    distance: roof.floorMs > 0 ? timeMs / roof.floorMs : Infinity,
    isBelowFloor: timeMs * CEILING_TOLERANCE < roof.floorMs,
  };
}
