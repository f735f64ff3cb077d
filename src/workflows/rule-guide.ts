import type { RuleId } from '../model/profile/diagnosis-words.ts';
import { CODE_RULES } from '../profile/cpu/code-rules.ts';
import { RULES } from '../profile/rules/index.ts';

/** What a rule of diagnosis is about, for the reader of a finding. */
export interface RuleGuide {
  readonly id: RuleId;
  readonly meaning: string;
  readonly condition: string;
  readonly fix: string;
  readonly gain: string;
  readonly source: string;
}

export function ruleGuide(): readonly RuleGuide[] {
  return [...RULES, ...CODE_RULES].map(({ id, meaning, condition, fix, gainBasis: gain, source }) => ({
    id,
    meaning,
    condition,
    fix,
    gain,
    source,
  }));
}
