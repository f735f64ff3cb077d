import { nextBelow, type Random } from '../../src/stats/index.ts';
import type { FuzzFile } from './corpus.ts';

export interface Mutant {
  readonly file: FuzzFile;
  readonly how: readonly string[];
}

type Mutation = (file: FuzzFile, random: Random, corpus: readonly FuzzFile[]) => FuzzFile;

const NUMBERS = [
  'NaN',
  'Infinity',
  '-Infinity',
  '0',
  '-0',
  '-1',
  '1e999',
  '5e-324',
  '1e308',
  '-1e-9',
  '1e5',
  '"1"',
  'null',
  '1,5',
  '0x10',
  '1e',
  '--1',
  '007',
  '9007199254740993',
];
const VALUES: readonly unknown[] = [
  null,
  [],
  {},
  '',
  'x',
  0,
  -1,
  1e308,
  true,
  [[[]]],
  { __proto__: 1 },
  'NaN',
  '../../etc/passwd',
  '/etc/passwd',
  'a\u0000b',
  '\u202e'.repeat(3),
  'y'.repeat(2000),
  ['a', 1, null],
  { value: [] },
];
const SNIPPETS = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  '\\',
  '\u0000',
  'null',
  '\n',
  '\uFEFF',
  '[[[[[[[[[[[['.repeat(20),
];

const pick = <Item>(items: readonly Item[], random: Random): Item => items[nextBelow(random, items.length)]!;
const at = (length: number, random: Random): number =>
  length === 0 ? 0 : nextBelow(random, Math.min(length, 2 ** 21));

function ofBytes(change: (bytes: Buffer, random: Random) => Buffer): Mutation {
  return (file, random) => ({ ...file, bytes: change(file.bytes, random) });
}

function ofText(change: (text: string, random: Random) => string): Mutation {
  return ofBytes((bytes, random) => Buffer.from(change(bytes.toString('utf8'), random)));
}

const NUMBER = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/giu;

function ofNumber(change: (number: string, random: Random) => string): Mutation {
  return ofText((text, random) => {
    const found = [...text.matchAll(NUMBER)];
    if (found.length === 0) return text;
    const { index, 0: number } = pick(found, random);
    return text.slice(0, index) + change(number, random) + text.slice(index + number.length);
  });
}

/** Changes one place of a JSON document; other files are left as they are. */
function ofNode(
  change: (parent: Record<string, unknown> | unknown[], key: string, random: Random) => void,
): Mutation {
  return ofText((text, random) => {
    let root: unknown;
    try {
      root = JSON.parse(text);
    } catch {
      return text;
    }
    const places: (readonly [Record<string, unknown> | unknown[], string])[] = [];
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, inner] of Object.entries(value)) {
        places.push([value as Record<string, unknown>, key]);
        visit(inner);
      }
    };
    visit(root);
    if (places.length === 0) return text;
    const [parent, key] = pick(places, random);
    change(parent, key, random);
    return JSON.stringify(root);
  });
}

function set(parent: Record<string, unknown> | unknown[], key: string, value: unknown): void {
  (parent as Record<string, unknown>)[key] = value;
}

function ofSidecar(change: (bytes: Buffer, random: Random) => Buffer | undefined): Mutation {
  return (file, random) => {
    const names = [...file.beside.keys()];
    if (names.length === 0) return file;
    const name = pick(names, random);
    const beside = new Map(file.beside);
    const changed = change(file.beside.get(name)!, random);
    if (changed === undefined) beside.delete(name);
    else beside.set(name, changed);
    return { ...file, beside };
  };
}

function withFlippedBits(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  for (let count = 1 + nextBelow(random, 8); count > 0 && copy.length > 0; count--) {
    const place = at(copy.length, random);
    copy[place] = copy[place]! ^ (1 << nextBelow(random, 8));
  }
  return copy;
}

const cut = (bytes: Buffer, random: Random): Buffer => bytes.subarray(0, at(bytes.length, random));

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'bits flipped': ofBytes(withFlippedBits),
  'cut off': ofBytes(cut),
  'beginning lost': ofBytes((bytes, random) => bytes.subarray(at(bytes.length, random))),
  'piece lost': ofBytes((bytes, random) => {
    const from = at(bytes.length, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + nextBelow(random, 40))]);
  }),
  'piece doubled': ofBytes((bytes, random) => {
    const from = at(bytes.length, random);
    const piece = bytes.subarray(from, from + 1 + nextBelow(random, 200));
    return Buffer.concat([bytes.subarray(0, from), piece, bytes.subarray(from)]);
  }),
  'something put in': ofText((text, random) => {
    const from = at(text.length, random);
    return text.slice(0, from) + pick(SNIPPETS, random) + text.slice(from);
  }),
  'number replaced': ofNumber((_, random) => pick(NUMBERS, random)),
  'digit changed': ofNumber((number, random) => {
    const place = at(number.length, random);
    return number.slice(0, place) + String(nextBelow(random, 10)) + number.slice(place + 1);
  }),
  'number negated': ofNumber((number) => (number.startsWith('-') ? number.slice(1) : `-${number}`)),
  'number scaled': ofNumber((number, random) => `${number}e${nextBelow(random, 40) - 20}`),
  'place replaced': ofNode((parent, key, random) => set(parent, key, pick(VALUES, random))),
  'place removed': ofNode((parent, key) => {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  }),
  'place doubled': ofNode((parent, key) => {
    if (Array.isArray(parent)) parent.splice(Number(key), 0, parent[Number(key)]);
    else set(parent, `${key}2`, parent[key]);
  }),
  'place wrapped': ofNode((parent, key) => set(parent, key, [(parent as Record<string, unknown>)[key]])),
  'place renamed': ofNode((parent, key) => {
    if (Array.isArray(parent)) return;
    const value = parent[key];
    delete parent[key];
    set(parent, key.toUpperCase(), value);
  }),
  'line lost': ofText((text, random) => {
    const lines = text.split('\n');
    lines.splice(at(lines.length, random), 1);
    return lines.join('\n');
  }),
  'other separators': ofText((text) => text.replaceAll(',', ';').replaceAll('.', ',')),
  'carriage returns': ofText((text) => text.replaceAll('\n', '\r\n')),
  'a byte-order mark': ofText((text) => `\uFEFF${text}`),
  'UTF-16': ofBytes((bytes) => Buffer.from(`\uFEFF${bytes.toString('utf8')}`, 'utf16le')),
  'two files in one': (file, random, corpus) => ({
    ...file,
    bytes: Buffer.concat([file.bytes, pick(corpus, random).bytes]),
  }),
  "another file's companions": (file, random, corpus) => ({ ...file, beside: pick(corpus, random).beside }),
  'companion damaged': ofSidecar(withFlippedBits),
  'companion cut off': ofSidecar(cut),
  'companion lost': ofSidecar(() => undefined),
};

/** One file, damaged one to three times. */
export function mutate(corpus: readonly FuzzFile[], random: Random): Mutant {
  let file = pick(corpus, random);
  const how: string[] = [file.name];
  for (let count = 1 + nextBelow(random, 3); count > 0; count--) {
    const name = pick(Object.keys(MUTATIONS), random);
    file = MUTATIONS[name]!(file, random, corpus);
    how.push(name);
  }
  return { file, how };
}
