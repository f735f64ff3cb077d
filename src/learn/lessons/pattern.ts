/**
 * Regular expressions of lessons files. They come from people, projects and taken-back sessions, so they are held to a
 * form whose worst case is bounded: what repeats without limit has neither repetitions nor alternatives inside, which
 * rules out exponential backtracking, and there are few of those, on lines that are cut.
 */

const MAX_LENGTH = 300;
/** Each may cost a factor of a line's length. */
const MAX_UNBOUNDED = 3;
const MAX_COUNT = 100;
/** Longer lines are data or generated, not what a pattern was written for. */
const MAX_LINE = 400;
const MAX_LINES = 50_000;

/** What is wrong with the text of a pattern, and where; undefined where it can be used. */
export function patternMistake(
  source: string,
): { readonly text: string; readonly offset: number } | undefined {
  if (source === '') return { text: 'the pattern is empty and would match everything', offset: 0 };
  if (source.length > MAX_LENGTH) {
    return { text: `a pattern has at most ${MAX_LENGTH} characters`, offset: MAX_LENGTH };
  }
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, 'u');
  } catch (error) {
    return { text: (error as Error).message, offset: 0 };
  }
  const unsafe = unsafeAt(source);
  if (unsafe !== undefined) return unsafe;
  return pattern.test('') ? { text: 'it matches an empty line', offset: 0 } : undefined;
}

/** A lexeme: an escape, a class, the opening of a group, a count, or one character. */
const LEXEME =
  /\\(?:u\{[^}]*\}|u....|x..|[pP]\{[^}]*\}|k<[^>]*>|c.|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<[=!]|<[^>]*>|[:=!]))?|\{\d+(?:,\d*)?\}\??|[*+?]\??|./gsu;

interface Group {
  /** Something in it repeats, or there are alternatives. */
  branches: boolean;
}

function unsafeAt(source: string): { readonly text: string; readonly offset: number } | undefined {
  const open: Group[] = [];
  let unbounded = 0;
  /** Of the atom that a quantifier would be about. */
  let branches = false;
  for (const { 0: lexeme, index: offset } of source.matchAll(LEXEME)) {
    const group = open.at(-1);
    if (/^\\(?:[1-9]|k<)/u.test(lexeme)) return { text: 'references to groups are not allowed', offset };
    if (lexeme.startsWith('(?<=') || lexeme.startsWith('(?<!')) {
      return { text: 'looking behind is not allowed', offset };
    }
    if (lexeme.startsWith('(')) {
      open.push({ branches: false });
      continue;
    }
    if (lexeme === ')') {
      branches = open.pop()?.branches ?? false;
      const outer = open.at(-1);
      if (branches && outer !== undefined) outer.branches = true;
      continue;
    }
    if (lexeme === '|') {
      if (group !== undefined) group.branches = true;
      continue;
    }
    const count = /^\{\d+(?<open>,)?(?<most>\d*)/u.exec(lexeme);
    if (!/^[*+?]/u.test(lexeme) && count === null) {
      branches = false;
      continue;
    }
    if (group !== undefined) group.branches = true;
    if (lexeme.startsWith('?')) continue;
    if (branches) {
      return { text: 'what repeats must not have repetitions or alternatives inside', offset };
    }
    if (count === null || (count.groups?.['open'] !== undefined && count.groups['most'] === '')) {
      unbounded += 1;
      if (unbounded > MAX_UNBOUNDED) {
        return { text: `at most ${MAX_UNBOUNDED} repetitions without a limit are allowed`, offset };
      }
    } else if (Math.max(...lexeme.match(/\d+/gu)!.map(Number)) > MAX_COUNT) {
      return { text: `counts go up to ${MAX_COUNT}`, offset };
    }
  }
  return undefined;
}

/** Lines as patterns see them: trimmed, every run of spaces as one, long ones cut. */
export function linesOf(text: string): string[] {
  return text.split('\n', MAX_LINES).map((line) =>
    line
      .slice(0, 4 * MAX_LINE)
      .trim()
      .replaceAll(/\s+/gu, ' ')
      .slice(0, MAX_LINE),
  );
}

/** The first line that one of the patterns is found in. */
export function findLine(
  patterns: readonly string[],
  lines: readonly string[],
  flags: 'u' | 'iu' = 'u',
): { readonly line: string; readonly number: number } | undefined {
  for (const source of patterns) {
    const pattern = new RegExp(source, flags);
    const index = lines.findIndex((line) => pattern.test(line));
    if (index >= 0) return { line: lines[index]!, number: index + 1 };
  }
  return undefined;
}
