import { z } from 'zod';

import { adviceSchema, rankedFixSchema } from '../../model/advice.ts';
import { list, ownText, pick } from '../told.ts';

const fixTold = z.object({
  ...pick(rankedFixSchema, 'rank', 'rule', 'diagnosis', 'expected_gain_pct', 'ci_pct', 'rule_gain_pct'),
  ...pick(rankedFixSchema, 'outcomes', 'explanation'),
  fix: ownText,
});

export const adviceTold = {
  ...pick(adviceSchema, 'basis', 'prediction'),
  fixes: list(fixTold, 8, 'The others expect less.'),
};
