import type { GateResult } from '../../../src/model/gate.ts';

/** A mark beside the word, so that no hue is needed. */
export const GATE_MARKS: Readonly<Record<GateResult['state'], string>> = {
  passed: '✓',
  warned: '!',
  failed: '✗',
  overridden: '↷',
  unknown: '?',
  skipped: '–',
  open: '○',
};
