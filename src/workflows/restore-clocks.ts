import { recoverClocks, type FoundClockLock } from '../device/clocks.ts';

/** Unlocks the clocks that a killed run left locked. A run that is still going keeps its lock. */
export function restoreClocks(): Promise<FoundClockLock[]> {
  return recoverClocks();
}
