import type { Variable } from '../../model/learn/session.ts';

/** One thing that a change touches, with what is needed to tell whether it stands alone. */
export interface ChangedPart {
  readonly variable: Variable;
  readonly file: string;
  /** It came or went with the change, or follows from it: it does not count as a choice where there is another. */
  readonly isDependent: boolean;
  /** Names in its changed lines. */
  readonly mentions: ReadonlySet<string>;
}

/**
 * How many things changed independently of each other. Functions of which one names the other in its changed lines are
 * one change (a kernel and its launch), what is new belongs to what uses it, and functions that use the same new
 * function are one change: that function. Values of constants, tunables and
 * flags are each a choice.
 */
export function independentChanges(parts: readonly ChangedPart[]): number {
  const own = parts.filter((part) => !part.isDependent && !isRestOfFile(part, parts));
  if (own.length === 0) return parts.length === 0 ? 0 : 1;
  const fresh = parts.filter(({ variable, isDependent }) => isDependent && variable.kind === 'function');
  const news = fresh.map(lastName);
  const groupOf = own.map((_, index) => index);
  own.forEach((one, first) => {
    own.forEach((other, second) => {
      if (first < second && areOne(one, other, news)) {
        const [from, to] = [groupOf[second]!, groupOf[first]!];
        groupOf.forEach((group, index) => {
          if (group === from) groupOf[index] = to;
        });
      }
    });
  });
  return new Set(groupOf).size;
}

/** Lines outside of functions beside changes in them: includes, types, templates. */
function isRestOfFile({ variable, file }: ChangedPart, parts: readonly ChangedPart[]): boolean {
  return (
    variable.kind === 'file' && parts.some((part) => part.file === file && part.variable.kind !== 'file')
  );
}

function areOne(one: ChangedPart, other: ChangedPart, news: readonly string[]): boolean {
  if (one.variable.kind !== 'function' || other.variable.kind !== 'function') return false;
  if (one.mentions.has(lastName(other)) || other.mentions.has(lastName(one))) return true;
  return news.some((name) => one.mentions.has(name) && other.mentions.has(name));
}

function lastName({ variable }: ChangedPart): string {
  return variable.name.split('::').at(-1)!;
}

/** Each once, in the order they were found. */
export function variablesIn(parts: readonly ChangedPart[]): Variable[] {
  const byName = new Map<string, Variable>();
  for (const { variable } of parts) {
    const key = `${variable.kind} ${variable.name}`;
    if (!byName.has(key)) byName.set(key, variable);
  }
  return [...byName.values()];
}
