import { nextBelow, type Random } from '../../src/stats/index.ts';

type Mutation = (text: string, random: Random, corpus: readonly string[]) => string;

const WORDS = [
  'result: 42',
  '==PROF== Profiling "x" - 1',
  '==ERROR== oops',
  '"',
  '""',
  ',',
  '1,2,3',
  '\u0000',
  '"0","1",',
  'é',
];
const NUMBERS = [
  '',
  'n/a',
  'nan',
  '-inf',
  '1,234',
  '1.234',
  '0,5',
  '1.2.3',
  '1,23,456',
  '1e400',
  '12e3',
  '٣',
  '0x1f',
  '--1',
  "1'000",
  '1 000',
];
const UNITS = ['', '%', 'us', 'usecond', 'Kbyte', 'Kbyt', 'byte', 'second', 'ns', 'hz', 'Gbyte/s', '/', 'x'];

/** Where a mutation that has to do with lines, fields or numbers takes hold. */
function cut(text: string, random: Random): readonly [before: string, line: string, after: string] {
  const lines = text.split('\n');
  const at = nextBelow(random, lines.length);
  const [before, after] = [lines.slice(0, at), lines.slice(at + 1)];
  return [
    before.map((line) => `${line}\n`).join(''),
    lines[at] ?? '',
    after.map((line) => `\n${line}`).join(''),
  ];
}

function ofLine(change: (line: string, random: Random) => string): Mutation {
  return (text, random) => {
    const [before, line, after] = cut(text, random);
    return before + change(line, random) + after;
  };
}

function ofField(change: (fields: string[], at: number, random: Random) => void): Mutation {
  return ofLine((line, random) => {
    const fields = line.split('","');
    change(fields, nextBelow(random, fields.length), random);
    return fields.join('","');
  });
}

function pick(random: Random, words: readonly string[]): string {
  return words[nextBelow(random, words.length)] ?? '';
}

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'a byte changed': (text, random) => {
    const at = nextBelow(random, text.length + 1);
    return text.slice(0, at) + String.fromCodePoint(nextBelow(random, 256)) + text.slice(at + 1);
  },
  'bytes removed': (text, random) => {
    const at = nextBelow(random, text.length + 1);
    return text.slice(0, at) + text.slice(at + 1 + nextBelow(random, 12));
  },
  'words put in': (text, random) => {
    const at = nextBelow(random, text.length + 1);
    return text.slice(0, at) + pick(random, WORDS) + text.slice(at);
  },
  'a line of output put in': ofLine((line, random) => `${line}\n${pick(random, WORDS)}`),
  'a line cut': ofLine((line, random) => line.slice(0, nextBelow(random, line.length + 1))),
  'the start of a line cut': ofLine((line, random) => line.slice(nextBelow(random, line.length + 1))),
  'a line broken': ofLine((line, random) => {
    const at = nextBelow(random, line.length + 1);
    return `${line.slice(0, at)}\n${line.slice(at)}`;
  }),
  'a line removed': (text, random) => {
    const [before, , after] = cut(text, random);
    return before + after.slice(1);
  },
  'a line doubled': ofLine((line) => `${line}\n${line}`),
  'a field removed': ofField((fields, at) => fields.splice(at, 1)),
  'a field put in': ofField((fields, at, random) => fields.splice(at, 0, pick(random, NUMBERS))),
  'two fields swapped': ofField((fields, at, random) => {
    const other = nextBelow(random, fields.length);
    [fields[at], fields[other]] = [fields[other] ?? '', fields[at] ?? ''];
  }),
  'a number mangled': ofField((fields, at, random) => {
    fields[at] = pick(random, NUMBERS);
  }),
  'a unit mangled': ofField((fields, at, random) => {
    fields[at] = pick(random, UNITS);
  }),
  'a column removed everywhere': (text, random) => {
    const at = nextBelow(random, 20);
    const without = (line: string): string =>
      line
        .split('","')
        .filter((_, column) => column !== at)
        .join('","');
    return text.split('\n').map(without).join('\n');
  },
  'separators swapped in a line': ofLine((line) => line.replaceAll('","', '";"')),
  'separators swapped everywhere': (text) => text.replaceAll('","', '";"'),
  'quotes removed from a line': ofLine((line) => line.replaceAll('"', '')),
  'quotes removed everywhere': (text) => text.replaceAll('"', ''),
  'points and commas swapped everywhere': (text) =>
    text.replaceAll(/"\d[\d.,]*"/g, (number) =>
      number.replaceAll(/[.,]/g, (mark) => (mark === '.' ? ',' : '.')),
    ),
  'points and commas swapped in a line': ofLine((line) =>
    line.replaceAll(/[.,]/g, (mark) => (mark === '.' ? ',' : '.')),
  ),
  'the end cut off': (text, random) => text.slice(0, nextBelow(random, text.length + 1)),
  'another file after it': (text, random, corpus) => text + pick(random, corpus),
  'another file without its first line after it': (text, random, corpus) => {
    const other = pick(random, corpus);
    return text + other.slice(other.indexOf('\n') + 1);
  },
  'Windows line breaks': (text) => text.replaceAll('\n', '\r\n'),
};

const NAMES = Object.keys(MUTATIONS);
const MAX_MUTATIONS = 4;

/** A damaged file: bytes, as they would lie on disk. */
export function mutate(
  corpus: readonly string[],
  random: Random,
): { readonly bytes: Buffer; readonly how: readonly string[] } {
  let text = pick(random, corpus);
  const how = Array.from({ length: 1 + nextBelow(random, MAX_MUTATIONS) }, () => pick(random, NAMES));
  for (const name of how) text = MUTATIONS[name]?.(text, random, corpus) ?? text;
  const encoding = nextBelow(random, 20);
  if (encoding === 0) return { bytes: Buffer.from(`\uFEFF${text}`, 'utf16le'), how: [...how, 'as UTF-16'] };
  if (encoding === 1) return { bytes: Buffer.from(text, 'latin1'), how: [...how, 'as Latin-1'] };
  return { bytes: Buffer.from(text, 'utf8'), how };
}
