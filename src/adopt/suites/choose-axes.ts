import { Expression } from '../../config/expression/expression.ts';
import type { Definition } from './definition-file.ts';

/** Values for axes that were not given: small ones on a CPU. The first rule whose pattern is an axis's name holds. */
const USUAL: readonly { readonly names: RegExp; readonly cpu: number; readonly cuda: number }[] = [
  { names: /^(batch_size|batch|num_seqs|B)$/u, cpu: 4, cuda: 8 },
  { names: /^total_q$/u, cpu: 16, cuda: 64 },
  { names: /^total_kv$/u, cpu: 64, cuda: 512 },
  { names: /^total_seq_len$/u, cpu: 32, cuda: 128 },
  { names: /^num_kv_indices$/u, cpu: 32, cuda: 256 },
  { names: /^num_qo_heads$/u, cpu: 8, cuda: 32 },
  { names: /^num_kv_heads$/u, cpu: 2, cuda: 8 },
  { names: /^(max_seq_len|max_position\w*)$/u, cpu: 128, cuda: 4096 },
  { names: /^(M|num_tokens|seq_len|T|N)$/u, cpu: 16, cuda: 64 },
  { names: /./u, cpu: 8, cuda: 64 },
];
/** Several tokens of each sequence, where sequences are an axis of their own. */
const TOKENS_OF_EACH = 4;

/** Axes of a case: those that are given, constants, and what the definition says of the others. */
export function chooseAxes(
  definition: Definition,
  given: Readonly<Record<string, number>>,
  device: 'cpu' | 'cuda',
): Record<string, number> {
  const { axes } = definition;
  const values: Record<string, number> = {};
  for (const [name, axis] of Object.entries(axes)) {
    if (axis.type === 'const') values[name] = axis.value;
  }
  Object.assign(values, given);
  const isOpen = (name: string) => axes[name]?.type === 'var' && values[name] === undefined;
  const equal = equalities(definition);
  const usual = (name: string) => USUAL.find(({ names }) => names.test(name))![device];
  for (const name of Object.keys(axes)) {
    // What a constraint or another axis says comes after all others.
    if (!isOpen(name) || equal.has(name) || LATER.test(name)) continue;
    values[name] = name === 'seq_len' && 'batch_size' in axes ? TOKENS_OF_EACH : usual(name);
  }
  for (const [name, formula] of equal) {
    if (isOpen(name)) values[name] = formula.evaluateNumber(values);
  }
  for (const name of Object.keys(axes)) if (isOpen(name)) values[name] = later(name, values);
  for (const [name, axis] of Object.entries(axes)) {
    if (axis.type === 'expr') values[name] ??= Expression.parse(axis.expression).evaluateNumber(values);
  }
  return values;
}

/** Axes whose size follows from others. */
const LATER = /^(len_\w+|num_pages|max_num_pages|pool_size|\w+_cache_size)$/u;

function later(name: string, values: Readonly<Record<string, number>>): number {
  const sequences = values['batch_size'] ?? values['num_seqs'] ?? 4;
  const pageSize = values['page_size'] ?? 1;
  if (name.startsWith('len_')) return sequences + 1;
  if (name === 'max_num_pages') return Math.ceil(((values['topk'] ?? 64) * 2) / pageSize);
  if (name !== 'num_pages') return 2 * sequences;
  const indices = values['num_kv_indices'];
  if (indices !== undefined) return indices + Math.ceil(indices / 4);
  // Enough for every sequence's table, or for more entries than are chosen.
  const tables = values['max_num_pages'];
  return tables === undefined ? Math.ceil(((values['topk'] ?? 64) * 2) / pageSize) : sequences * tables;
}

/** `len_indptr == batch_size + 1`: an axis by others. */
function equalities({ axes, constraints }: Definition): Map<string, Expression> {
  const found = new Map<string, Expression>();
  for (const constraint of constraints ?? []) {
    const [, name, text] = /^\s*(\w+)\s*==\s*([\w\s+*/()-]+)$/u.exec(constraint) ?? [];
    if (name === undefined || text === undefined || axes[name]?.type !== 'var') continue;
    const formula = parsedOrNot(text);
    if (formula?.names.every((use) => use.name in axes) === true) found.set(name, formula);
  }
  return found;
}

function parsedOrNot(text: string): Expression | undefined {
  try {
    return Expression.parse(text);
  } catch {
    return undefined;
  }
}

/** `num_kv_indices == kv_indptr[-1].item()`: the axis that a list of offsets ends with. */
export function totalsOf({ axes, constraints }: Definition): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const constraint of constraints ?? []) {
    const [, axis, tensor] = /^\s*(\w+)\s*==\s*(\w+)\[-1\](?:\.item\(\))?\s*$/u.exec(constraint) ?? [];
    if (axis !== undefined && tensor !== undefined && axis in axes) found.set(tensor, axis);
  }
  return found;
}
