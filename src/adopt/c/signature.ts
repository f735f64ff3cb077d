import type { Dtype } from '../../model/problem/tensor.ts';
import type { Definitions, FoundFunction } from './functions.ts';
import type { Token } from './tokens.ts';
import { typeOf, type ParameterType } from './types.ts';

interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  /** A number that it has by default. */
  readonly initial?: number;
}

/** A function as it can be called, or why it cannot be adopted. */
export interface Signature {
  readonly name: string;
  readonly line: number;
  readonly place: FoundFunction['place'];
  readonly launches: boolean;
  /** As it is written, on one line. */
  readonly text: string;
  readonly parameters: readonly Parameter[];
  /** Names that its types are made of. */
  readonly typeNames: ReadonlySet<string>;
  readonly returns: Returned;
  /** Why it cannot be adopted, as the end of a sentence; undefined: it can. */
  readonly obstacle: string | undefined;
}

/** `value`: a number, which is an output where it is a result; `status`: an error code of CUDA. */
type Returned =
  | { readonly kind: 'nothing' | 'status' | 'other' }
  | { readonly kind: 'value'; readonly dtype: Dtype; readonly element: string };

/** Every function that the file defines, except `main`. */
export function signaturesOf(definitions: Definitions): Signature[] {
  return definitions.functions
    .filter(({ name, place }) => name !== 'main' && place !== 'device')
    .map((found) => signatureOf(found, definitions.aliases));
}

function signatureOf(found: FoundFunction, aliases: Definitions['aliases']): Signature {
  const { name, line, place, launches } = found;
  const parameters = found.parameters.map((tokens, at) => parameterOf(tokens, at, aliases));
  const returns = returnedOf(found.returns, aliases);
  const written = found.parameters.map((tokens) => textOf(tokens)).join(', ');
  return {
    name,
    line,
    place,
    launches,
    text: `${textOf(found.returns)} ${name}(${written})`,
    parameters,
    typeNames: new Set([found.returns, ...found.parameters].flat().map((token) => token.text)),
    returns,
    obstacle: obstacleOf(found, parameters, returns),
  };
}

function parameterOf(tokens: readonly Token[], at: number, aliases: Definitions['aliases']): Parameter {
  const end = tokens.findIndex(({ text }) => text === '=');
  const words = end === -1 ? tokens : tokens.slice(0, end);
  const bracket = words.findIndex(({ text }) => text === '[');
  const declared = bracket === -1 ? words : words.slice(0, bracket);
  const last = declared.at(-1);
  const isNamed = last?.kind === 'word' && declared.length > 1 && !isTypeWord(last.text);
  const type = isNamed ? declared.slice(0, -1) : declared;
  const dimensions = words
    .slice(bracket === -1 ? words.length : bracket)
    .filter(({ text }) => text === '[').length;
  const initial = end === -1 ? undefined : numberIn(tokens.slice(end + 1));
  return {
    name: isNamed ? last.text : `argument${at + 1}`,
    type: typeOf(type, aliases, dimensions),
    ...(initial !== undefined && { initial }),
  };
}

/** `1e-5f`, `-1`; undefined for a default that has to be computed. */
function numberIn(tokens: readonly Token[]): number | undefined {
  const text = tokens.map((token) => token.text).join('');
  const value = Number(text.replaceAll("'", '').replace(/(?<=[\d.])[fFlL]$/u, ''));
  return text === '' || !Number.isFinite(value) ? undefined : value;
}

/** An unnamed `unsigned int` or `const float *const` ends with a word, too. */
function isTypeWord(text: string): boolean {
  return [
    'int',
    'long',
    'short',
    'char',
    'float',
    'double',
    'const',
    'unsigned',
    '__restrict__',
    '__restrict',
    'restrict',
  ].includes(text);
}

function returnedOf(tokens: readonly Token[], aliases: Definitions['aliases']): Returned {
  const text = textOf(tokens);
  if (text === 'void') return { kind: 'nothing' };
  if (text === 'cudaError_t') return { kind: 'status' };
  // A number is what a pointer to it would point at.
  const pointed = typeOf(tokens, aliases, 1);
  return pointed.kind === 'pointer'
    ? { kind: 'value', dtype: pointed.dtype, element: pointed.element }
    : { kind: 'other' };
}

function obstacleOf(
  { isTemplate, place }: FoundFunction,
  parameters: readonly Parameter[],
  returns: Returned,
): string | undefined {
  if (isTemplate) return 'it is a template: adopt a function that calls one instance of it';
  const odd = parameters.find(({ type }) => type.kind === 'other');
  if (odd?.type.kind === 'other') {
    return `its parameter ${odd.name} is ${odd.type.written}; Pawl passes only pointers to numbers, integers and floating-point scalars`;
  }
  const writes = parameters.some(({ type }) => type.kind === 'pointer' && !type.isConst);
  const hasPointer = parameters.some(({ type }) => type.kind === 'pointer');
  if (!hasPointer) return 'none of its parameters is a pointer to numbers';
  if (!writes && (returns.kind !== 'value' || place === 'global'))
    return 'it does not write anything that could be compared';
  return undefined;
}

/** Tokens as a person writes them: `const float *x`. */
function textOf(tokens: readonly Token[]): string {
  return tokens
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/ ?:: ?/gu, '::')
    .replaceAll(/([*&]) (?=[\w*])/gu, '$1')
    .replaceAll(/ ?\[ ?/gu, '[')
    .replaceAll(' ]', ']');
}
