import { matchesWildcard } from '../../model/text/wildcard.ts';

/** Whether a name is like a pattern in which `*` stands for any text; case does not matter. */
export function isLike(name: string, pattern: string): boolean {
  return matchesWildcard(name.toLowerCase(), pattern.toLowerCase());
}
