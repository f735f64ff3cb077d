/** How many of a kind are named one by one: a file with a thousand broken rows has one thing to say. */
const NAMED = 3;

/** What a reader did not understand, by kind, for people. */
export class NcuProblems {
  readonly #kinds = new Map<string, { named: string[]; count: number; lastLine: number }>();

  /** `kind` in the plural: "rows that are cut off". */
  add(kind: string, line: number, what: string): void {
    const known = this.#kinds.get(kind) ?? { named: [], count: 0, lastLine: line };
    this.#kinds.set(kind, known);
    known.count += 1;
    known.lastLine = line;
    if (known.named.length < NAMED) known.named.push(`line ${line}: ${what}`);
  }

  list(): string[] {
    const said: string[] = [];
    for (const [kind, { named, count, lastLine }] of this.#kinds) {
      said.push(...named);
      const rest = count - named.length;
      if (rest > 0) said.push(`and ${rest} more ${kind}, the last in line ${lastLine}`);
    }
    return said;
  }
}

/** A piece of a file, short and in one line, for a message. */
export function quoted(text: string): string {
  const short = text.replaceAll(/\s+/g, ' ').trim();
  return `"${short.length > 60 ? `${short.slice(0, 59)}…` : short}"`;
}
