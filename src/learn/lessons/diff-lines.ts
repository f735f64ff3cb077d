/** The lines that a unified diff adds and takes away, as they stand, without the files' headings. */
export interface DiffLines {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export function diffLines(diff: string): DiffLines {
  const added: string[] = [];
  const removed: string[] = [];
  let inHunk = false;
  for (const line of diff.split('\n')) {
    if (line.startsWith('@@')) inHunk = true;
    else if (line.startsWith('diff ')) inHunk = false;
    else if (!inHunk) continue;
    else if (line.startsWith('+')) added.push(line.slice(1));
    else if (line.startsWith('-')) removed.push(line.slice(1));
  }
  return { added, removed };
}
