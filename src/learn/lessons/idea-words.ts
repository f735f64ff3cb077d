/** Words that say nothing about which idea it is. */
const EMPTY = new Set(
  'a an and as at be by for from have in into is it its less lets make more of on or our so than that the then this to try use using we with'.split(
    ' ',
  ),
);
/** «smaller tile» and «larger tile» are opposite ideas though they share a word of two. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(?:small|smaller|fewer|reduce|shrink|lower|decrease|less|short|shorter)$/u,
    /^(?:large|larger|big|bigger|more|grow|raise|increase|higher|long|longer)$/u,
  ],
  [/^(?:without|no|not|remove|drop|disable|off)$/u, /^(?:add|enable|on)$/u],
];
/** Of the words of both. */
const ALIKE = 0.6;

/** Whether two names of ideas mean the same: most of their words are, and none is the opposite of the other's. */
export function isSameIdea(one: string, other: string): boolean {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  if (words.all.join(' ') === others.all.join(' ')) return words.all.length > 0;
  if (words.telling.size === 0 || others.telling.size === 0) return false;
  for (const [low, high] of OPPOSITES) {
    const isLow = [words, others].map(({ all }) => all.some((word) => low.test(word)));
    const isHigh = [words, others].map(({ all }) => all.some((word) => high.test(word)));
    if ((isLow[0] === true && isHigh[1] === true) || (isHigh[0] === true && isLow[1] === true)) return false;
  }
  const both = [...words.telling].filter((word) => others.telling.has(word)).length;
  // One word in common is not enough to tell two ideas of several words apart.
  if (both < Math.min(2, words.telling.size, others.telling.size)) return false;
  return both / (words.telling.size + others.telling.size - both) >= ALIKE;
}

function wordsOf(idea: string): { readonly all: readonly string[]; readonly telling: ReadonlySet<string> } {
  const all = idea
    .toLowerCase()
    .normalize('NFKC')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return { all, telling: new Set(all.filter((word) => !EMPTY.has(word)).map(stem)) };
}

/** English endings only: `tiles` and `tile`, `unrolling` and `unroll`. */
function stem(word: string): string {
  const bare = word.replace(/(?:ing|ed|es|s)$/u, '');
  return (bare.length < 3 ? word : bare).replace(/e$/u, '');
}
