import { displayWidth, truncate } from './plain-text.ts';

/**
 * Names in at most so many columns each, and no two alike that were not: cut at their ends; where that makes some the
 * same, in their middles; where that does too, before what tells them apart; and numbered as a last resort.
 */
export function distinctNames(names: readonly string[], columns: number): string[] {
  const different = new Set(names).size;
  const shared = commonPrefix(names.filter((name) => displayWidth(name) > columns));
  const ways = [
    (name: string): string => truncate(name, columns),
    (name: string): string => withoutMiddle(name, columns),
    (name: string): string =>
      displayWidth(name) <= columns ? name : truncate(`…${name.slice(Math.max(0, shared - 1))}`, columns),
  ];
  for (const way of ways) {
    const cut = names.map(way);
    if (new Set(cut).size === different) return cut;
  }
  return names.map((name, at) => {
    if (displayWidth(name) <= columns) return name;
    const number = ` #${names.indexOf(name) === at ? at + 1 : names.indexOf(name) + 1}`;
    return `${truncate(name, columns - number.length)}${number}`;
  });
}

/** Names end in what differs more often than they begin with it: the end gets the larger part. */
function withoutMiddle(name: string, columns: number): string {
  if (displayWidth(name) <= columns) return name;
  const head = Math.floor((columns - 1) / 3);
  const tail: string[] = [];
  let left = columns - 1 - head;
  for (const { segment } of Array.from(new Intl.Segmenter().segment(name)).toReversed()) {
    left -= displayWidth(segment);
    if (left < 0) break;
    tail.unshift(segment);
  }
  return `${truncate(name, head + 1).replace(/…$/u, '')}…${tail.join('')}`;
}

function commonPrefix(names: readonly string[]): number {
  const [first = ''] = names;
  let length = first.length;
  for (const name of names) {
    while (!name.startsWith(first.slice(0, length))) length--;
  }
  return length;
}
