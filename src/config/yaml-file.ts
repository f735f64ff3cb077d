import { isAlias, isMap, isNode, isScalar, isSeq, Lexer, LineCounter, parseDocument, visit } from 'yaml';
import type { Document, ErrorCode, Node, Pair, YAMLError, YAMLMap } from 'yaml';

import { pathText } from './mistake.ts';
import type { Mistake, Path, PlacedMistake } from './mistake.ts';

/** Where a value stands: both count from 1, as editors do. */
interface Place {
  readonly line: number;
  readonly column: number;
}

/** A YAML text, its value, and the way from a path in the value back to a place in the text. */
export interface YamlFile {
  readonly value: unknown;
  /** What is wrong with the text as YAML. */
  readonly mistakes: readonly PlacedMistake[];
  /** Whether `value` can be trusted to be what was meant, apart from what `mistakes` says. */
  readonly usable: boolean;
  locate(path: Path, at: 'key' | 'value', offset: number): Place;
}

/** Deepest nesting read. The yaml package recurses; a file of brackets would take the process down. */
const MAX_DEPTH = 64;

export function readYaml(text: string): YamlFile {
  const lines = new LineCounter();
  const deep = depthMistake(text);
  if (deep !== undefined) return unusable([deep]);
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeOf = (position: number): Place => {
    const { line, col } = lines.linePos(position);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };

  const mistakes: PlacedMistake[] = [];
  const add = (position: number, message: string) => mistakes.push({ ...placeOf(position), text: message });
  for (const error of [...document.errors, ...document.warnings]) add(error.pos[0], yamlMessage(error));
  visit(document, {
    Pair(_, { key }) {
      // Objects would take it for their prototype, and the key would be gone without a word.
      if (isScalar(key) && key.value === '__proto__') add(startOf(key), 'no key can be called `__proto__`');
    },
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return;
      add(startOf(alias), `\`*${alias.source}\` refers to an anchor that is not above it`);
    },
  });
  const repeated = document.errors.filter(({ code }) => code === 'DUPLICATE_KEY');
  if (mistakes.length > repeated.length) return unusable(mistakes);

  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    // What the yaml package throws when aliases multiply beyond its limit.
    if (!(error instanceof ReferenceError)) throw error;
    return unusable([{ line: 1, column: 1, text: error.message }]);
  }
  return {
    value,
    mistakes,
    usable: true,
    locate: (path, at, offset) => placeOf(findPosition(document, path, at, offset)),
  };
}

function unusable(mistakes: readonly PlacedMistake[]): YamlFile {
  return { value: undefined, mistakes, usable: false, locate: () => ({ line: 1, column: 1 }) };
}

export function placeMistakes(mistakes: readonly Mistake[], file: YamlFile): PlacedMistake[] {
  return mistakes.map((mistake) => {
    const { path, message, at, offset, isData } = mistake;
    const place = file.locate(path, at ?? 'value', offset ?? 0);
    const text = path.length === 0 ? message : `${pathText(path)}: ${message}`;
    return { ...place, text, ...(isData === true && { isData }) };
  });
}

/** Lexemes that stand for no text: the start of a document, of a flow error and of a scalar. */
const MARKS: readonly string[] = ['\u0002', '\u0018', '\u001f'];

/** Depth is bounded by open brackets, by dashes and question marks on one line, and by indentation. */
function depthMistake(text: string): PlacedMistake | undefined {
  let [line, column, brackets, dashes] = [1, 1, 0, 0];
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme === '[' || lexeme === '{') brackets++;
    else if (lexeme === ']' || lexeme === '}') brackets--;
    else if (lexeme === '-' || lexeme === '?' || lexeme === ':') dashes++;
    const indented = column === 1 && /^ +$/.test(lexeme) && lexeme.length > 4 * MAX_DEPTH;
    if (brackets > MAX_DEPTH || dashes > 4 * MAX_DEPTH || indented) {
      return { line, column, text: `nested more than ${MAX_DEPTH} deep` };
    }
    const newlines = lexeme.split('\n').length - 1;
    if (newlines > 0) [line, column, dashes] = [line + newlines, 1, 0];
    else if (!MARKS.includes(lexeme)) column += lexeme.length;
  }
  return undefined;
}

/** Where the yaml package's own words do not say what to do. */
const YAML_MESSAGES: Partial<Record<ErrorCode, (message: string) => string>> = {
  DUPLICATE_KEY: () => 'this key is here for the second time',
  TAB_AS_INDENT: () => 'a tab indents this line; YAML is indented with spaces',
  MULTIPLE_DOCS: () => 'a second document begins here; a file must have one',
  TAG_RESOLVE_FAILED: (message) => `${message}; text that begins with \`!\` needs quotes`,
  BLOCK_AS_IMPLICIT_KEY: (message) => `${message}; text that contains \`: \` needs quotes`,
};

function yamlMessage(error: YAMLError): string {
  return YAML_MESSAGES[error.code]?.(error.message) ?? error.message;
}

function findPosition(document: Document, path: Path, at: 'key' | 'value', offset: number): number {
  let node: Node | null | undefined = document.contents;
  let key: Node | undefined;
  for (const [index, step] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document);
    let next: Node | null | undefined;
    if (isMap(node)) {
      const pair = pairOf(node, String(step));
      // A key that is not there: the nearest thing that is.
      if (pair === undefined) return startOf(key ?? node);
      key = isNode(pair.key) ? pair.key : key;
      next = isNode(pair.value) ? pair.value : undefined;
    } else if (isSeq(node)) {
      const item: unknown = node.items[Number(step)];
      next = isNode(item) ? item : undefined;
      if (next !== undefined && index === path.length - 1 && at === 'key') return startOf(next);
    }
    if (next === undefined) return startOf(key ?? node);
    node = next;
  }
  if (at === 'key' || node === null || node === undefined) return startOf(key ?? node);
  return startOf(node) + (isScalar(node) ? offsetInText(node, offset) : 0);
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
}

function startOf(node: Node | null | undefined): number {
  return node?.range?.[0] ?? 0;
}

/** Only a text that stands on one line as it is has its characters at the same distance as its value. */
function offsetInText(node: Node & { source?: string; type?: string }, offset: number): number {
  const length = (node.range?.[1] ?? 0) - (node.range?.[0] ?? 0);
  if (node.type === 'PLAIN' && node.source?.length === length) return offset;
  const quoted = node.type === 'QUOTE_SINGLE' || node.type === 'QUOTE_DOUBLE';
  return quoted && node.source !== undefined && node.source.length + 2 === length ? offset + 1 : 0;
}
