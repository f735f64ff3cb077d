import type { RecordedSpace } from '../../src/model/tune/recorded-space.ts';
import { readRecordedSpace } from '../../src/tune/simulate/read-recorded-space.ts';
import { generatedSpace } from './generated-space.ts';
import { HIDDEN_RULES, hiddenRuleSpace } from './hidden-rule-space.ts';
import type { HiddenRule } from './hidden-rule-space.ts';

const GENERATED = 'generated:';

/** A file, `generated:SEED`, or `RULE:SEED` for a rule of hidden-rule-space.ts. */
export async function openSpace(source: string): Promise<RecordedSpace> {
  const [rule = '', seed] = source.split(':');
  if (Object.hasOwn(HIDDEN_RULES, rule)) return hiddenRuleSpace(rule as HiddenRule, Number(seed));
  if (source.startsWith(GENERATED)) return generatedSpace(Number(source.slice(GENERATED.length)));
  return readRecordedSpace(source);
}
