import { expect, it } from 'vitest';

import { stoppingRuleSchema } from '../../src/config/schema.ts';
import { STOPPING_RULES } from '../../src/measure/stopping-rules.ts';

it('offers the stopping rules that there are, and no other', () => {
  expect([...stoppingRuleSchema.options].sort()).toEqual(Object.keys(STOPPING_RULES).sort());
});
