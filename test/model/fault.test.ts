import { describe, expect, it } from 'vitest';

import { detectorOf, faultOf, faultText, isToldBy, lostText } from '../../src/model/measure/fault.ts';
import type { Measurement } from '../../src/model/measure/samples.ts';

const RIGHT = { passed: true, oracle: 'oracle.cpp', tensors: [], tampering: [] };
const SERIES = [{ samples_ms: [1, 2] }];

function measured(fields: Partial<Measurement>): Measurement {
  return {
    kernel: 'busy',
    case: 'small',
    variant: { WORK: 8 },
    mode: 'hot',
    series: SERIES,
    check: RIGHT,
    ...fields,
  };
}

const lost = (reason: string, message = 'what happened') => [{ process: 1, reason, message }];

describe('faultOf', () => {
  it('finds nothing wrong with a kernel that passed', () => {
    expect(faultOf(measured({}))).toBeUndefined();
  });

  it('takes the worst output of a failed check, and says how to see it again with the same inputs', () => {
    const tensor = (name: string, mismatches: number) => ({
      name,
      elements: 10,
      mismatches,
      max_abs_err: 1,
      max_rel_err: 1,
      worst: { index: [3], got: 1.5, want: 'nan' as const },
    });
    const check = { ...RIGHT, passed: false, tensors: [tensor('x', 1), tensor('y', 4)] };
    expect(faultOf(measured({ check, series: [] }), '42')).toMatchObject({
      detector: 'wrong-result',
      message: "4 of 10 elements of 'y' differ from oracle.cpp; worst at [3]: 1.5 where nan is right",
      during: 'check',
      tensor: { name: 'y' },
      reproduce: 'pawl bench --verified --only busy --case small --variant WORK=8 --mode hot --seed 42',
    });
  });

  it('counts one timed series that a detector spoiled, whatever the others were', () => {
    const fault = faultOf(measured({ lost: lost('timed-result-wrong') }));
    expect(fault).toMatchObject({ detector: 'timed-result-wrong', during: 'timing' });
    expect(faultText(fault!)).toBe('timed-result-wrong: what happened (in a timed series)');
  });

  it('knows bytes on the result channel by the detector’s name', () => {
    expect(detectorOf('forged')).toBe('forged-result');
    expect(faultOf(measured({ lost: lost('forged') }))).toMatchObject({ detector: 'forged-result' });
  });

  it('calls a kernel wrong that crashed in its check', () => {
    const fault = faultOf(
      measured({ series: [], lost: lost('crashed', 'in the correctness check: SIGSEGV') }),
    );
    expect(fault).toMatchObject({ detector: 'crashed', during: 'check', message: 'SIGSEGV' });
    expect(faultText(fault!)).toBe('its check could not run: crashed: SIGSEGV');
  });

  it.each(['SIGSEGV', 'in the correctness check: SIGSEGV', 'during the correctness check: SIGSEGV'])(
    'goes by the field and not by the words: a kernel that says "%s" in its check is wrong, in a series it is not',
    (message) => {
      const one = { process: 1, reason: 'crashed', message } as const;
      const inCheck = measured({ series: [], lost: [{ ...one, during: 'check' }] });
      expect(faultOf(inCheck)).toMatchObject({ detector: 'crashed', during: 'check', message });
      expect(faultOf(measured({ series: [], lost: [{ ...one, during: 'timing' }] }))).toBeUndefined();
    },
  );

  it('says during what a series was lost, whatever version wrote it down', () => {
    const one = { process: 1, reason: 'hung' } as const;
    const text = 'in the correctness check: no answer';
    expect(lostText({ ...one, during: 'check', message: 'no answer' })).toBe(text);
    expect(lostText({ ...one, message: text })).toBe(text);
    expect(lostText({ ...one, during: 'timing', message: 'no answer' })).toBe('no answer');
    expect(lostText({ ...one, message: 'no answer' })).toBe('no answer');
  });

  it('tells a lost series that the fault is about from another that ends in the same words', () => {
    const [found] = lost('crashed', 'in the correctness check: SIGSEGV');
    const fault = faultOf(measured({ series: [], lost: [found!] }))!;
    expect(isToldBy(found!, fault)).toBe(true);
    expect(isToldBy({ process: 2, reason: 'crashed', during: 'check', message: 'SIGSEGV' }, fault)).toBe(
      true,
    );
    expect(isToldBy({ process: 2, reason: 'crashed', during: 'timing', message: 'SIGSEGV' }, fault)).toBe(
      false,
    );
    expect(isToldBy({ process: 2, reason: 'exited', during: 'check', message: 'SIGSEGV' }, fault)).toBe(
      false,
    );
  });

  it.each(['out-of-memory', 'device-lost', 'not-started'])('does not blame the kernel for %s', (reason) => {
    const message = 'in the correctness check: no';
    expect(faultOf(measured({ series: [], lost: lost(reason, message) }))).toBeUndefined();
  });

  it('does not call a kernel wrong that passed its check and crashed when it was timed', () => {
    expect(faultOf(measured({ series: [], lost: lost('crashed') }))).toBeUndefined();
  });

  it('quotes names for the shell', () => {
    const fault = faultOf(measured({ case: "it's; rm -rf", lost: lost('sleeping') }));
    expect(fault!.reproduce).toContain(String.raw`--case 'it'\''s; rm -rf' `);
  });
});
