import { describe, expect, it } from 'vitest';

import { withAfterthoughts, type CaseOutcome } from '../../src/correctness/case-outcome.ts';

const lost: CaseOutcome = {
  status: 'failed',
  finding: { detector: 'device-lost', message: 'the context is gone' },
};
const crashed: CaseOutcome = { status: 'failed', finding: { detector: 'crashed', message: 'SIGSEGV' } };
const seen = { detector: 'sanitizer', message: 'memcheck: invalid write' } as const;

describe('what a sanitizer adds to the outcome of a case', () => {
  it('says nothing of a kernel where the device was lost and the tool found nothing', () => {
    const outcome = withAfterthoughts(lost, { tampering: [], problems: [] });
    expect(outcome).toMatchObject({ status: 'skipped' });
  });

  it('counts what the tool found before a device that was lost', () => {
    const outcome = withAfterthoughts(lost, { tampering: [seen], problems: [] });
    expect(outcome).toMatchObject({ status: 'failed', finding: seen });
  });

  it('leaves other failures as they are, whether the tool failed too or not', () => {
    for (const problems of [[], ['the tool ended']])
      expect(withAfterthoughts(crashed, { tampering: [], problems })).toBe(crashed);
  });
});
