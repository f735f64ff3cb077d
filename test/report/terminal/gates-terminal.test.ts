import { describe, expect, it } from 'vitest';

import type { GateResult } from '../../../src/model/learn/gate.ts';
import { gatesTerminal } from '../../../src/report/terminal/gates-terminal.ts';

function result(gate: string, state: GateResult['state'], changes: Partial<GateResult> = {}): GateResult {
  return {
    gate,
    phase: 'pre-flight',
    title: `Gate ${gate}`,
    state,
    reason: `because of ${gate}`,
    ...changes,
  };
}

const GATES = [
  result('one', 'passed'),
  result('two', 'failed', { next: 'pawl doctor' }),
  result('three', 'warned', { next: 'pawl bench' }),
  result('four', 'unknown', { phase: 'assessment', next: 'pawl device --calibrate' }),
  result('five', 'skipped', { phase: 'baseline' }),
  result('six', 'open', { phase: 'optimise' }),
  result('seven', 'overridden', {
    phase: 'validate',
    override: { reason: 'known noise', by: 'Ada', at: '2026-11-15T12:00:00Z' },
  }),
];

describe('the checklist', () => {
  it('has a line for each gate with its mark, reason and next command', () => {
    expect(gatesTerminal(GATES).split('\n')).toEqual([
      'Pre-flight',
      '  ✓ Gate one',
      '    because of one',
      '  ✗ Gate two',
      '    because of two',
      '    → pawl doctor',
      '  ! Gate three',
      '    because of three',
      '    → pawl bench',
      '',
      'Assessment',
      '  ? Gate four',
      '    because of four',
      '    → pawl device --calibrate',
      '',
      'Baseline',
      '  – Gate five',
      '',
      'Profile and optimise',
      '  · Gate six',
      '',
      'Validate',
      '  ↷ Gate seven',
      '    because of seven',
      '    overridden by Ada: known noise',
      '',
    ]);
  });

  it('tells shared evidence once, and only where it is asked for', () => {
    const evidence = { kind: 'build', taken_at: '', facts: {}, sources: [], lines: ['built'] } as const;
    const gates = ['one', 'two'].map((id) =>
      result(id, 'passed', { evidence: { ...evidence, sources: [], lines: ['built'] } }),
    );
    expect(gatesTerminal(gates).match(/built/g)).toBeNull();
    expect(gatesTerminal(gates, { verbose: true }).match(/built/g)).toHaveLength(1);
  });

  it('lets no text from elsewhere move the cursor', () => {
    const text = gatesTerminal([result('x', 'failed', { reason: 'a\u001B[2Jb\nc', next: 'd\u202Ee' })]);
    expect(text).not.toContain('\u001B');
    expect(text).not.toContain('\u202E');
    expect(text).toContain('    a[2Jb c\n');
  });

  it('breaks long reasons at the width of the terminal', () => {
    const text = gatesTerminal([result('x', 'failed', { reason: 'word '.repeat(60) })], { columns: 60 });
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  it('is nothing without gates', () => {
    expect(gatesTerminal([])).toBe('');
  });
});
