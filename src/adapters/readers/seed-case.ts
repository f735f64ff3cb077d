import { dimsOf, field, textOf } from '../fields.ts';

/** The letters of an attention problem, by the names that the scripts give its dimensions. */
const LETTERS: readonly (readonly [letter: string, names: readonly string[]])[] = [
  ['B', ['batch_size', 'batch', 'B']],
  ['H', ['num_heads', 'heads', 'H']],
  ['S', ['seq_len', 'seq', 'S']],
  ['D', ['head_dim', 'dim', 'd', 'D']],
];

/** `B=32,H=8,S=512,D=64 float16`: the same case whichever of the two scripts wrote it. */
export function seedCase(config: unknown): { readonly case: string; readonly dims?: Record<string, number> } {
  const dims = dimsOf(
    LETTERS.flatMap(([letter, names]) => {
      const found = names.map((name) => field(config, name)).find((value) => typeof value === 'number');
      return found === undefined ? [] : [[letter, found] as const];
    }),
  );
  const dtype = textOf(field(config, 'dtype'));
  const shape = Object.entries(dims ?? {}).map(([name, value]) => `${name}=${value}`);
  const text = [shape.join(','), dtype].filter((part) => part !== undefined && part !== '').join(' ');
  const name = textOf(field(config, 'name')) ?? (text === '' ? 'default' : text);
  return dims === undefined ? { case: name } : { case: name, dims };
}
