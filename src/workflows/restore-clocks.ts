import { recoverClocks, type FoundClockLock } from '../device/clocks.ts';

/** Undoes what a killed run left locked; a run that still goes on keeps its lock. */
export function restoreClocks(): Promise<FoundClockLock[]> {
  return recoverClocks();
}
