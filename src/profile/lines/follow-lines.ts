/** Which line of a file is which of its earlier version. */

/** A stretch that was rewritten: lines from 1, the ends not included. */
interface Hunk {
  readonly before: readonly [from: number, to: number];
  readonly after: readonly [from: number, to: number];
}

export interface FollowedLines {
  /** By line after: the same line before. */
  readonly beforeOf: ReadonlyMap<number, number>;
  readonly hunks: readonly Hunk[];
}

/** Above this many pairs of lines, only lines that are unique in both files are followed. */
const MOST_PAIRS = 4_000_000;

export function followLines(before: readonly string[], after: readonly string[]): FollowedLines {
  const [was, is] = [before.map(comparable), after.map(comparable)];
  let head = 0;
  while (head < was.length && head < is.length && was[head] === is[head]) head += 1;
  let tail = 0;
  while (
    tail < was.length - head &&
    tail < is.length - head &&
    was[was.length - 1 - tail] === is[is.length - 1 - tail]
  )
    tail += 1;
  const [wasMiddle, isMiddle] = [was.slice(head, was.length - tail), is.slice(head, is.length - tail)];
  const middle =
    wasMiddle.length * isMiddle.length <= MOST_PAIRS
      ? longestCommon(wasMiddle, isMiddle)
      : uniqueCommon(wasMiddle, isMiddle);
  const beforeOf = new Map<number, number>();
  for (let at = 0; at < head; at += 1) beforeOf.set(at + 1, at + 1);
  for (const [one, other] of middle) beforeOf.set(head + other + 1, head + one + 1);
  for (let at = 0; at < tail; at += 1) beforeOf.set(is.length - at, was.length - at);
  return { beforeOf, hunks: hunksOf(beforeOf, was.length, is.length) };
}

/** Indentation and spacing do not change a kernel. */
function comparable(line: string): string {
  return line.trim().replaceAll(/\s+/gu, ' ');
}

/** The longest common subsequence (Wagner and Fischer, 1974), as pairs of indices. */
function longestCommon(was: readonly string[], is: readonly string[]): [number, number][] {
  const width = is.length + 1;
  const length = new Uint32Array((was.length + 1) * width);
  for (let i = was.length - 1; i >= 0; i -= 1)
    for (let j = is.length - 1; j >= 0; j -= 1)
      length[i * width + j] =
        was[i] === is[j]
          ? length[(i + 1) * width + j + 1]! + 1
          : Math.max(length[(i + 1) * width + j]!, length[i * width + j + 1]!);
  const pairs: [number, number][] = [];
  for (let [i, j] = [0, 0]; i < was.length && j < is.length;) {
    if (was[i] === is[j]) pairs.push([i++, j++]);
    else if (length[(i + 1) * width + j]! >= length[i * width + j + 1]!) i += 1;
    else j += 1;
  }
  return pairs;
}

/** Lines that either file has once, as far as their order agrees. */
function uniqueCommon(was: readonly string[], is: readonly string[]): [number, number][] {
  const once = (lines: readonly string[]): Map<string, number> => {
    const found = new Map<string, number>();
    const twice = new Set<string>();
    for (const [index, line] of lines.entries()) {
      if (found.has(line)) twice.add(line);
      found.set(line, index);
    }
    for (const line of twice) found.delete(line);
    return found;
  };
  const known = once(was);
  const pairs: [number, number][] = [];
  for (const [line, index] of once(is)) {
    const other = known.get(line);
    if (other !== undefined && other > (pairs.at(-1)?.[0] ?? -1)) pairs.push([other, index]);
  }
  return pairs;
}

function hunksOf(beforeOf: ReadonlyMap<number, number>, was: number, is: number): Hunk[] {
  const hunks: Hunk[] = [];
  let [nextBefore, nextAfter] = [1, 1];
  for (let line = 1; line <= is + 1; line += 1) {
    const other = line > is ? was + 1 : beforeOf.get(line);
    if (other === undefined) continue;
    if (other > nextBefore || line > nextAfter)
      hunks.push({ before: [nextBefore, other], after: [nextAfter, line] });
    [nextBefore, nextAfter] = [other + 1, line + 1];
  }
  return hunks;
}
