import { expect, it } from 'vitest';

import { plottedNames } from '../../web/app/common/plotted-names.ts';

const ONE = { kernel: 'attention', case: 'long', mode: 'cold', device: 'NVIDIA H200' } as const;

it('names of rows tell devices apart where there are several', () => {
  expect(plottedNames([ONE, { ...ONE, device: 'NVIDIA L40S' }])).toEqual([
    'attention / long (cold, NVIDIA H200)',
    'attention / long (cold, NVIDIA L40S)',
  ]);
});

it('names of rows leave out the one device', () => {
  expect(plottedNames([ONE])).toEqual(['attention / long (cold)']);
});
