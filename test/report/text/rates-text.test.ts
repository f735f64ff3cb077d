import { expect, it } from 'vitest';

import { ratesOf, workOf } from '../../../src/model/device/rates.ts';
import { ratesTexts } from '../../../src/report/text/rates-text.ts';

it('says what a time means for the work of its case', () => {
  const work = workOf({
    operations: 2e9,
    bytes: 4e6,
    floor: { floor_ms: 0.004 },
    ceiling: { ceiling_ms: 0.005 },
  });
  expect(ratesTexts(ratesOf(work, 0.01))).toEqual([
    '200 TFLOP/s',
    '400 GB/s',
    '2.5 × floor',
    '50 % of ceiling',
  ]);
});

it('says nothing of what is not declared, nor of a ceiling that nobody measured', () => {
  expect(ratesTexts(ratesOf(workOf({}), 0.01))).toEqual([]);
  expect(ratesTexts(ratesOf(workOf({ bytes: 4e6 }), 0.01))).toEqual(['400 GB/s']);
});
