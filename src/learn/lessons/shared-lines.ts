import { diffLines } from './diff-lines.ts';

/** A line that only closes something, or is a comment, is shared by all changes there are. */
const TRIVIAL = /^(?:[\s{}()[\];,]*|(?:\/\/|\/\*|\*|#\s).*|else\s*\{?|break;|return;)$/u;
/** Compared line by line; a rewrite of more is alike by its first so many lines or not at all. */
const MOST_LINES = 2_000;

/** The lines that a diff changes, `+` or `-` before each, without spaces: indentation is ignored. */
export function changedLines(diff: string): ReadonlySet<string> {
  const { added, removed } = diffLines(diff);
  const marked = (sign: string, lines: readonly string[]) =>
    lines
      .filter((line) => !TRIVIAL.test(line.trim()))
      .map((line) => `${sign}${line.replaceAll(/\s+/gu, '')}`);
  return new Set([...marked('+', added), ...marked('-', removed)].slice(0, MOST_LINES));
}

/**
 * How much of two changes coincides, 0 to 1 (Jaccard's index). Signs count: taking back what was tried is not trying
 * it again.
 */
export function sharedLines(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  const both = [...one].filter((line) => other.has(line)).length;
  return both / (one.size + other.size - both);
}
