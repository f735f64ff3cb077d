import type { GateResult } from '../model/learn/gate.ts';

/** A mark beside the word or instead of it, the same everywhere; docs/method.md explains them. */
export const GATE_MARKS: Readonly<Record<GateResult['state'], string>> = {
  passed: '✓',
  warned: '!',
  failed: '✗',
  unknown: '?',
  overridden: '↷',
  skipped: '–',
  open: '·',
};
