/** Small changes of a source: those that change what it does, and those that do not. */

export interface Planted {
  readonly what: string;
  readonly source: string;
}

/** Numbers, comparisons and signs of the code; not of comments, includes, types or the names of things. */
const NUMBER = /(?<![\w.])(\d+(?:\.\d+)?)(f?)(?![\w.])/gu;
const OPERATORS: readonly (readonly [pattern: RegExp, to: readonly string[]])[] = [
  [/ \+ /gu, [' - ', ' * ']],
  [/ - /gu, [' + ']],
  [/ \* (?=[\w(])/gu, [' + ', ' - ']],
  [/ < /gu, [' <= ', ' > ']],
  [/ > /gu, [' >= ', ' < ']],
  [/ >= /gu, [' > ']],
  [/ == /gu, [' != ']],
  [/ % /gu, [' / ']],
  [/__syncthreads\(\);/gu, ['__syncwarp();', '']],
];

/** At most `count`: each number by several others, each operator by those that it could have been. */
export function changes(source: string, count: number): Planted[] {
  const found: Planted[] = [];
  for (let round = 1; found.length < count && round <= 60; round += 1) {
    for (const { index, 0: text, 1: digits = '', 2: suffix = '' } of source.matchAll(NUMBER)) {
      if (!isCode(source, index)) continue;
      // Other sizes of arrays, tiles and blocks are whole, others of values not.
      const other = digits.includes('.')
        ? (Number(digits) + round * 0.375).toString()
        : String(Number(digits) + round);
      found.push(
        replaced(
          source,
          index,
          text,
          `${other.includes('.') || suffix === '' ? other : `${other}.0`}${suffix}`,
        ),
      );
    }
    if (round > 1) continue;
    for (const [pattern, others] of OPERATORS)
      for (const { index, 0: text } of source.matchAll(pattern))
        if (isCode(source, index)) found.push(...others.map((other) => replaced(source, index, text, other)));
  }
  return found.slice(0, count);
}

/** Comments, blank lines, spaces, parentheses, names of local variables. */
export function harmless(source: string): Planted[] {
  const lines = source.split('\n');
  const added = lines.flatMap((_, at) => {
    const insert = (text: string): string => [...lines.slice(0, at), text, ...lines.slice(at)].join('\n');
    return [
      { what: `a comment before line ${at + 1}`, source: insert('// why this is as it is') },
      { what: `blank lines before line ${at + 1}`, source: insert('\n\n') },
    ];
  });
  const renamed = ['sum', 'far', 'place', 'step'].map((name) => ({
    what: `${name} renamed`,
    source: source.replaceAll(new RegExp(String.raw`\b${name}\b`, 'gu'), `${name}_of_it`),
  }));
  return [...added, ...renamed];
}

function isCode(source: string, index: number): boolean {
  const start = source.lastIndexOf('\n', index) + 1;
  const line = source.slice(start, source.indexOf('\n', index));
  return !line.startsWith('//') && !line.startsWith('#');
}

function replaced(source: string, index: number, text: string, other: string): Planted {
  const line = source.slice(0, index).split('\n').length;
  return {
    what: `line ${line}: ${text.trim()} → ${other.trim()}`,
    source: source.slice(0, index) + other + source.slice(index + text.length),
  };
}
