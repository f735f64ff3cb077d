import { describe, expect, it } from 'vitest';

import { evaluateGate, openGate } from '../../../src/learn/gates/evaluate-gate.ts';
import { evidenceOf } from '../../../src/learn/gates/evidence-of.ts';
import { gateNames } from '../../../src/learn/gates/gate-names.ts';
import { gateResultSchema, type Gate } from '../../../src/model/learn/gate.ts';
import { isStopping } from '../../../src/model/learn/session-progress.ts';

const NOW = new Date('2026-11-15T12:00:00Z');

const GATE: Gate = {
  id: 'smallest-speedup',
  phase: 'baseline',
  title: 'Half as fast as the reference',
  why: 'Below half something is wrong.',
  evidence: 'baseline',
  pass: 'speedup >= stop_below',
  applies: 'has_reference',
  severity: 'stop',
  passed: '{speedup}× of {reference}',
  failed: '{smallest}: {speedup}× of {reference}',
  next: 'pawl profile {kernel} --case {smallest}',
};

type Facts = Parameters<typeof evidenceOf<'baseline'>>[2]['facts'];
type Missing = Parameters<typeof evidenceOf<'baseline'>>[2]['missing'];

function evaluate(facts: Facts, changes: Partial<Gate> = {}, missing: Missing = []) {
  const result = evaluateGate(
    { ...GATE, ...changes },
    {
      evidence: evidenceOf('baseline', NOW, { facts, missing, lines: ['tiny: 0.12× of {reference}'] }),
      settings: { stop_below: 0.5, target: 1.2 },
      names: gateNames({ kernel: 'flash', case: 'long', reference: { kernel: 'sdpa' } }),
      now: () => NOW,
    },
  );
  return gateResultSchema.parse(result);
}

describe('a gate', () => {
  it('passes where its formula holds, and says what was seen', () => {
    const result = evaluate({ has_reference: true, speedup: 0.8421 });
    expect(result).toMatchObject({ state: 'passed', reason: '0.842× of sdpa' });
    expect(isStopping(result)).toBe(false);
  });

  it('that fails stops, says what that means and names the next command', () => {
    const result = evaluate({ has_reference: true, speedup: 0.12, smallest: 'tiny' });
    expect(result).toMatchObject({
      state: 'failed',
      reason: 'tiny: 0.12× of sdpa',
      next: 'pawl profile flash --case tiny',
      evaluated_at: NOW.toISOString(),
    });
    expect(isStopping(result)).toBe(true);
    expect(result.evidence?.facts['speedup']).toBe(0.12);
  });

  it('that only warns does not stop', () => {
    const result = evaluate({ has_reference: true, speedup: 0.12 }, { severity: 'warn' });
    expect(result.state).toBe('warned');
    expect(isStopping(result)).toBe(false);
  });

  it('is unknown where a fact is missing, and stops', () => {
    const result = evaluate({ has_reference: true });
    expect(result).toMatchObject({ state: 'unknown', reason: 'Not known: speedup.' });
    expect(result.next).toContain('pawl profile flash');
    expect(isStopping(result)).toBe(true);
  });

  it('says why a fact is missing, and what gets it', () => {
    const missing = [{ facts: ['speedup'], why: 'The reference crashed.', next: 'pawl bench --only sdpa' }];
    const result = evaluate({ has_reference: true }, {}, missing);
    expect(result).toMatchObject({
      state: 'unknown',
      reason: 'The reference crashed.',
      next: 'pawl bench --only sdpa',
    });
  });

  it('that only warns is no more than a warning where a fact is missing', () => {
    expect(evaluate({ has_reference: true }, { severity: 'warn' }).state).toBe('warned');
  });

  it('is skipped where it does not apply', () => {
    expect(evaluate({ has_reference: false }).state).toBe('skipped');
  });

  it('is unknown where nobody knows whether it applies', () => {
    expect(evaluate({ speedup: 1 }).state).toBe('unknown');
  });

  it('needs no fact that its formula does not come to', () => {
    const pass = 'not has_reference or speedup >= stop_below';
    expect(evaluate({ has_reference: false }, { applies: 'true', pass }).state).toBe('passed');
  });

  it('is unknown where its formula cannot be computed', () => {
    const result = evaluate({ has_reference: true, speedup: 0 }, { pass: '1 / speedup > 1' });
    expect(result.state).toBe('unknown');
    expect(result.reason).toContain('division by zero');
  });

  it('reads a fact before a setting of the same name', () => {
    const gate: Partial<Gate> = { evidence: 'room', pass: 'target > 2' };
    const evidence = evidenceOf('room', NOW, { facts: { target: 3 } });
    const { applies: _, ...always } = GATE;
    const names = gateNames({ kernel: 'k', case: 'c', reference: {} });
    const result = evaluateGate(
      { ...always, ...gate },
      { evidence, settings: { target: 1.2 }, names, now: () => NOW },
    );
    expect(result.state).toBe('passed');
  });

  it('has nothing to do with facts that are not finite numbers', () => {
    expect(evaluate({ has_reference: true, speedup: Number.NaN }).state).toBe('unknown');
  });

  it('is open before anybody looked', () => {
    expect(openGate(GATE)).toMatchObject({ gate: 'smallest-speedup', state: 'open' });
  });
});

describe('the text of a gate', () => {
  it('takes what a value holds for text, not for a place', () => {
    const result = evaluate({ has_reference: true, speedup: 0.1, smallest: '{kernel}' });
    expect(result.reason).toBe('{kernel}: 0.1× of sdpa');
  });

  it('shows neither control characters nor further lines of what a compiler said', () => {
    const result = evaluate({ has_reference: true, speedup: 0.1, smallest: 'a\u001B[31m\n\u202Eb' });
    expect(result.reason).toBe('a[31m b: 0.1× of sdpa');
  });

  it('quotes for a shell what is no plain word', () => {
    const result = evaluate({ has_reference: true, speedup: 0.1, smallest: "x'; rm -rf ~ #" });
    expect(result.next).toBe(String.raw`pawl profile flash --case 'x'\''; rm -rf ~ #'`);
  });

  it('leaves what is not known in a command to be filled in', () => {
    expect(evaluate({ has_reference: true, speedup: 0.1 }).next).toBe('pawl profile flash --case SMALLEST');
  });

  it('shows shares as percent and groups whole numbers', () => {
    const failed = '{speedup%} {kernel_us}';
    const result = evaluate({ has_reference: true, speedup: 0.123456, kernel_us: 49_152 }, { failed });
    expect(result.reason).toBe('12.3 % 49,152');
  });

  it('is the evidence’s own where the gate has none for passing', () => {
    const { passed: _, ...gate } = GATE;
    const evidence = evidenceOf('baseline', NOW, {
      facts: { has_reference: true, speedup: 1 },
      lines: ['1×, {speedup}'],
    });
    const names = gateNames({ kernel: 'k', case: 'c', reference: {} });
    const result = evaluateGate(gate, { evidence, settings: { stop_below: 0.5 }, names, now: () => NOW });
    expect(result.reason).toBe('1×, speedup');
  });
});

describe('commands about the reference', () => {
  it('measure a kernel by itself, and a commit beside the files as they are', () => {
    const subject = { kernel: 'flash', case: 'long' };
    expect(gateNames({ ...subject, reference: { kernel: 'sdpa' } }).measure_reference).toBe(
      'pawl bench --only sdpa --case long',
    );
    expect(gateNames({ ...subject, reference: { commit: '0123456789abcdef' } }).measure_reference).toBe(
      'pawl compare --base 0123456789 --only flash --case long',
    );
  });
});
