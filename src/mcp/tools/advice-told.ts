import { z } from 'zod';

import { adviceSchema, predictionSchema, rankedFixSchema } from '../../model/learn/advice.ts';
import { list, ownText, pick } from '../told.ts';

const fixTold = z.object({
  ...pick(rankedFixSchema, 'rank', 'rule', 'expected_gain_pct', 'ci_pct', 'rule_gain_pct', 'outcomes'),
  diagnosis: ownText,
  explanation: ownText,
  fix: ownText,
});

export const predictionTold = z.object({
  ...pick(predictionSchema, 'minutes', 'minutes_ci', 'speedup', 'speedup_ci', 'sessions'),
  basis: ownText,
});

export const adviceTold = {
  ...pick(adviceSchema, 'basis'),
  prediction: predictionTold.optional(),
  fixes: list(fixTold, 8, 'The others expect less.'),
};
