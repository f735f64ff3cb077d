import { defined } from '../../model/defined.ts';
import { blankComments, syntaxOf, type Syntax } from './blank-comments.ts';
import type { ChangedPart } from './changed-part.ts';
import { functionsOf, type FunctionSpan } from './functions-of.ts';
import type { DiffLine, FileDiff } from './split-diff.ts';

/** Read by people or written by Pawl; no kernel is made of it. */
const NO_CODE = /(?:^|\/)\.[^/]*$|\.(?:md|txt|rst|adoc|html|svg|png|jpe?g|jsonl?|csv|lock|ya?ml)$/iu;

const CONSTANTS: Readonly<Record<Syntax, readonly RegExp[]>> = {
  c: [
    /^\s*#\s*define\s+(\w+)\s+(\S.*?)\s*$/u,
    /\bconstexpr\b[^=;(){}]*?\b(\w+)\s*(?:=\s*|\{)([^;{}]+?)\}?\s*;/u,
    // A local value is a knob where it is written as a number, and not where it is computed.
    /\bconst\b[^=;(){}]*?\b(\w+)\s*=\s*([-+\d.][\w.+\-*/ ]*?)\s*;/u,
  ],
  python: [/^\s*([A-Z][A-Z0-9_]*)\s*(?::[^=]+)?=\s*([^=\s].*?)\s*$/u],
};

interface Side {
  /** Lines without comments, from 1. */
  readonly lines: readonly string[];
  readonly functions: readonly FunctionSpan[];
}

/** What a change of one file touches: constants, functions, or the file where it is neither. */
export function sourceParts(diff: FileDiff, before: string, after: string): ChangedPart[] {
  const { path } = diff;
  const syntax = syntaxOf(path);
  if (syntax === undefined) {
    return NO_CODE.test(path) ? [] : [filePart(path, new Set(), false)];
  }
  const sides = { old: sideOf(before, syntax), new: sideOf(after, syntax) };
  const changed = meaningfulLines(diff, sides);
  const byFunction = new Map<string, Set<string>>();
  const outside = new Set<string>();
  for (const side of ['old', 'new'] as const) {
    for (const line of changed[side]) {
      if (constantOf(line.text, syntax) !== undefined) continue;
      const owner = ownerOf(line, sides[side]);
      const words = owner === undefined ? outside : (byFunction.get(owner) ?? new Set<string>());
      for (const [word] of line.text.matchAll(/[A-Za-z_]\w*/gu)) words.add(word);
      if (owner !== undefined) byFunction.set(owner, words);
    }
  }
  return [
    ...constantParts(changed, syntax, path),
    ...[...byFunction].map(([name, mentions]): ChangedPart => {
      const isDependent = !(hasFunction(sides.old, name) && hasFunction(sides.new, name));
      return { variable: { kind: 'function', name }, file: path, isDependent, mentions };
    }),
    ...(outside.size === 0 ? [] : [filePart(path, outside, !diff.wasThere || !diff.isThere)]),
  ];
}

interface Changed {
  readonly old: readonly DiffLine[];
  readonly new: readonly DiffLine[];
}

/** Changed lines without comments, of hunks in which more than comments and white space changed. */
function meaningfulLines(diff: FileDiff, sides: { readonly old: Side; readonly new: Side }): Changed {
  const changed = { old: [] as DiffLine[], new: [] as DiffLine[] };
  for (const hunk of diff.hunks) {
    const bare = (side: 'old' | 'new') =>
      hunk[side].map(({ number, text }) => ({ number, text: sides[side].lines[number - 1] ?? text }));
    const joined = (lines: readonly DiffLine[]) =>
      lines
        .map(({ text }) => text)
        .join(' ')
        .replaceAll(/\s+/gu, ' ')
        .trim();
    const [before, after] = [bare('old'), bare('new')];
    if (joined(before) === joined(after)) continue;
    changed.old.push(...before.filter(({ text }) => text.trim() !== ''));
    changed.new.push(...after.filter(({ text }) => text.trim() !== ''));
  }
  return changed;
}

function sideOf(text: string, syntax: Syntax): Side {
  return { lines: blankComments(text, syntax).split('\n'), functions: functionsOf(text, syntax) };
}

function ownerOf({ number }: DiffLine, { functions }: Side): string | undefined {
  return functions.find(({ from, to }) => number >= from && number <= to)?.name;
}

function hasFunction({ functions }: Side, name: string): boolean {
  return functions.some((each) => each.name === name);
}

function constantParts(changed: Changed, syntax: Syntax, file: string): ChangedPart[] {
  const before = valuesIn(changed.old, syntax);
  const after = valuesIn(changed.new, syntax);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name): ChangedPart[] => {
    const [from, to] = [before.get(name), after.get(name)];
    // Only moved.
    if (from === to) return [];
    const isDependent = from === undefined || to === undefined;
    const value = defined({ from, to });
    return [{ variable: { kind: 'constant', name, ...value }, file, isDependent, mentions: new Set([name]) }];
  });
}

function valuesIn(lines: readonly DiffLine[], syntax: Syntax): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const { text } of lines) {
    const found = constantOf(text, syntax);
    if (found !== undefined) values.set(found.name, found.value);
  }
  return values;
}

function constantOf(
  text: string,
  syntax: Syntax,
): { readonly name: string; readonly value: string } | undefined {
  for (const pattern of CONSTANTS[syntax]) {
    const [, name, value] = pattern.exec(text.slice(0, 1000)) ?? [];
    if (name !== undefined && value !== undefined) {
      return { name, value: value.trim().replaceAll(/\s+/gu, ' ').slice(0, 200) };
    }
  }
  return undefined;
}

function filePart(path: string, mentions: ReadonlySet<string>, isDependent: boolean): ChangedPart {
  return { variable: { kind: 'file', name: path }, file: path, isDependent, mentions };
}
