/** `` (did you mean `tunables`?)`` when one of the candidates is close to the word, else nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const known = [...candidates];
  const meant = OTHER_WORDS.get(word.toLowerCase());
  const nearest = meant !== undefined && known.includes(meant) ? meant : nearestWord(word, known);
  return nearest === undefined ? '' : ` (did you mean \`${nearest}\`?)`;
}

/** What others call it: by its letters, `gpu` would be taken for `cpu`. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['gpu', 'cuda'],
  ['nvidia', 'cuda'],
  ['cpp', 'c++'],
  ['cxx', 'c++'],
]);

/** The candidate that a slip of the hand turns into the word: one edit in three letters, case aside. */
function nearestWord(word: string, candidates: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let least = Infinity;
  for (const candidate of candidates) {
    const allowed = Math.floor(candidate.length / 3);
    if (Math.abs(candidate.length - word.length) > allowed) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= allowed && distance < least) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest;
}

/**
 * Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other: the
 * optimal string alignment distance (Damerau 1964).
 */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const substituted = (last[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      let best = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, substituted);
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
