import type { FactReader } from './facts/derivation.ts';
import { factsRead } from './metric-set.ts';

/** Every number that a rule or a comparison may read of a launch, by name. What was not collected is not there. */
export function signalsOf(facts: FactReader): Record<string, number> {
  return Object.fromEntries(
    factsRead().flatMap((name) => {
      const value = facts.have(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
