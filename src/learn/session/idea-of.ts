import type { Variable } from '../../model/learn/session.ts';

/** What tries are counted under where their idea is not named: the finding, what is changed, or what is expected. */
export function ideaOf(rule: string | undefined, variables: readonly Variable[], hypothesis: string): string {
  if (rule !== undefined) return rule;
  const [first] = variables;
  if (first !== undefined) return first.name;
  const words = hypothesis.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['idea'];
  return words.slice(0, 6).join('-');
}
