/** Words that say nothing about which idea it is. */
const EMPTY = new Set(
  'a an and as at be by count for from have in into is it its lets make number of on or our size so than that the then this to try use using we with'.split(
    ' ',
  ),
);
/** Words for less and for more of something: "smaller tiles" is "reduce the tile", and the opposite of "larger tiles". */
const LESS =
  /^(?:decrease|decreasing|disable|drop|fewer|less|lower|no|reduce|reducing|remove|removing|shorter|shrink|small|smaller|without)$/u;
const MORE =
  /^(?:add|adding|big|bigger|enable|grow|higher|increase|increasing|large|larger|longer|more|raise|raising)$/u;
/** Of the words of both, so many have to be the same. */
const ALIKE = 0.6;

/** Whether two names of ideas mean the same: most of their words do, and one wants no more of what the other wants less. */
export function isSameIdea(one: string, other: string): boolean {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  if (words.size === 0 || others.size === 0) return false;
  if (['<', '>'].some((sign, index, signs) => words.has(sign) && others.has(signs[1 - index]!))) return false;
  const both = [...words].filter((word) => others.has(word)).length;
  return both / (words.size + others.size - both) >= ALIKE;
}

function wordsOf(idea: string): ReadonlySet<string> {
  const words = idea
    .toLowerCase()
    .normalize('NFKC')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !EMPTY.has(word));
  return new Set(words.map((word) => (LESS.test(word) ? '<' : MORE.test(word) ? '>' : stem(word))));
}

/** English endings only: `tiles` and `tile`, `unrolling` and `unroll`. */
function stem(word: string): string {
  const bare = word.replace(/(?:ing|ed|es|s)$/u, '');
  return (bare.length < 3 ? word : bare).replace(/e$/u, '');
}
