import { isFloating, type Dtype } from '../../model/problem/tensor.ts';
import type { Token } from './tokens.ts';

/** What a parameter's type is to Pawl. */
export type ParameterType =
  | { readonly kind: 'pointer'; readonly dtype: Dtype; readonly element: string; readonly isConst: boolean }
  | { readonly kind: 'integer' }
  | { readonly kind: 'floating'; readonly element: 'float' | 'double' }
  | { readonly kind: 'stream' }
  /** None that can be filled or told: the type as it is written. */
  | { readonly kind: 'other'; readonly written: string };

const QUALIFIERS = new Set([
  'const',
  'restrict',
  '__restrict__',
  '__restrict',
  'volatile',
  'struct',
  'register',
]);

/** Element types by how C, C++ and CUDA name them. */
const ELEMENTS: Readonly<Record<string, Dtype>> = {
  double: 'f64',
  float: 'f32',
  _Float16: 'f16',
  __half: 'f16',
  half: 'f16',
  __fp16: 'f16',
  __bf16: 'bf16',
  __nv_bfloat16: 'bf16',
  nv_bfloat16: 'bf16',
  int64_t: 'i64',
  'long long': 'i64',
  'long long int': 'i64',
  long: 'i64',
  'long int': 'i64',
  ptrdiff_t: 'i64',
  int32_t: 'i32',
  int: 'i32',
  int16_t: 'i16',
  short: 'i16',
  int8_t: 'i8',
  'signed char': 'i8',
  uint8_t: 'u8',
  'unsigned char': 'u8',
  bool: 'bool',
  uint16_t: 'u16',
  'unsigned short': 'u16',
  uint32_t: 'u32',
  unsigned: 'u32',
  'unsigned int': 'u32',
  uint64_t: 'u64',
  size_t: 'u64',
  'unsigned long': 'u64',
  'unsigned long long': 'u64',
};

const INTEGERS = new Set([
  ...Object.entries(ELEMENTS).flatMap(([name, dtype]) => (!isFloating(dtype) ? [name] : [])),
  'char',
  '_Bool',
  'ssize_t',
  'intptr_t',
  'uintptr_t',
  'unsigned long int',
]);

/** What a type is, through the file's own names for types. */
export function typeOf(
  tokens: readonly Token[],
  aliases: ReadonlyMap<string, readonly Token[]>,
  pointers = 0,
): ParameterType {
  const words = resolved(tokens, aliases);
  const stars = pointers + words.filter(({ text }) => text === '*').length;
  const firstStar = words.findIndex(({ text }) => text === '*');
  const pointee = words.slice(0, firstStar === -1 ? undefined : firstStar).map(({ text }) => text);
  const element = pointee
    .filter((text) => !QUALIFIERS.has(text))
    .join(' ')
    .replace(/^std :: /u, '');
  const written = words.map(({ text }) => text).join(' ');
  const other = { kind: 'other', written } as const;
  if (words.some(({ text }) => text === '&' || text === '<')) return other;
  if (stars === 0 && INTEGERS.has(element)) return { kind: 'integer' };
  if (stars === 0 && (element === 'float' || element === 'double')) return { kind: 'floating', element };
  if (stars === 0 && (element === 'cudaStream_t' || element === 'CUstream')) return { kind: 'stream' };
  const dtype = ELEMENTS[element];
  if (stars !== 1 || dtype === undefined) return other;
  return { kind: 'pointer', dtype, element, isConst: pointee.includes('const') };
}

function resolved(
  tokens: readonly Token[],
  aliases: ReadonlyMap<string, readonly Token[]>,
): readonly Token[] {
  // A file cannot name a type by itself; the bound is for one that is broken.
  let words = tokens;
  for (let round = 0; round < 8; round++) {
    const next = words.flatMap((token) => (token.kind === 'word' && aliases.get(token.text)) || [token]);
    if (next.length === words.length && next.every((token, at) => token === words[at])) break;
    words = next;
  }
  return words;
}
