/** A stretch of lines that a change replaces: lines of the old file by lines of the new one, each from 1. */
interface Hunk {
  readonly old: readonly DiffLine[];
  readonly new: readonly DiffLine[];
}

export interface DiffLine {
  readonly number: number;
  readonly text: string;
}

export interface FileDiff {
  /** Where it is, or was when it is gone. */
  readonly path: string;
  /** Whether the file was there before, and is there after. */
  readonly wasThere: boolean;
  readonly isThere: boolean;
  readonly hunks: readonly Hunk[];
}

/** Reads a unified diff as git writes it without renames. Binary files have no hunks. */
export function splitDiff(diff: string): FileDiff[] {
  return diff
    .split(/^(?=diff --git )/mu)
    .filter((part) => part.startsWith('diff --git '))
    .map(fileOf);
}

function fileOf(part: string): FileDiff {
  const lines = part.split('\n');
  const start = lines.findIndex((line) => line.startsWith('@@ '));
  const head = start < 0 ? lines : lines.slice(0, start);
  const named = (mark: string) => head.find((line) => line.startsWith(mark))?.slice(mark.length);
  const [before, after] = [named('--- '), named('+++ ')];
  const wasThere = before !== '/dev/null' && named('new file mode ') === undefined;
  const isThere = after !== '/dev/null' && named('deleted file mode ') === undefined;
  const path = pathIn(isThere ? after : before) ?? pathInHeader(lines[0] ?? '');
  return { path, wasThere, isThere, hunks: start < 0 ? [] : hunksOf(lines.slice(start)) };
}

/** `a/src/x.cu` or `"b/src/\303\244.cu"`: git quotes what is not plain. */
function pathIn(name: string | undefined): string | undefined {
  if (name === undefined || name === '/dev/null') return undefined;
  const bare = name.startsWith('"') ? unquoted(name.trimEnd()) : name.replace(/\t$/u, '').trimEnd();
  return bare.replace(/^[ab]\//u, '');
}

/** Both halves of the first line are the same path where there was no rename. */
function pathInHeader(line: string): string {
  const names = line.slice('diff --git '.length);
  return pathIn(names.slice(0, (names.length - 1) / 2)) ?? '';
}

function unquoted(text: string): string {
  const bytes: number[] = [];
  const inner = text.slice(1, -1);
  for (const [part] of inner.matchAll(/\\[0-7]{3}|\\.|[^\\]+/gsu)) {
    if (/^\\[0-7]{3}$/u.test(part)) bytes.push(Number.parseInt(part.slice(1), 8));
    else if (part.startsWith('\\')) bytes.push(...Buffer.from(ESCAPES[part[1]!] ?? part[1]!));
    else bytes.push(...Buffer.from(part));
  }
  return Buffer.from(bytes).toString('utf8');
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\u0007', b: '\b' };

function hunksOf(lines: readonly string[]): Hunk[] {
  const hunks: { old: DiffLine[]; new: DiffLine[] }[] = [];
  let [before, after] = [0, 0];
  /** Lines of context part what is changed above them from what is below. */
  let isOpen = false;
  for (const line of lines) {
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/u.exec(line);
    if (header !== null) {
      [before, after] = [Number(header[1]), Number(header[3])];
      isOpen = false;
    } else if (line.startsWith('-') || line.startsWith('+')) {
      if (!isOpen) hunks.push({ old: [], new: [] });
      isOpen = true;
      const hunk = hunks.at(-1)!;
      if (line.startsWith('-')) hunk.old.push({ number: before++, text: line.slice(1) });
      else hunk.new.push({ number: after++, text: line.slice(1) });
    } else if (line.startsWith(' ')) {
      before += 1;
      after += 1;
      isOpen = false;
    }
  }
  return hunks;
}
