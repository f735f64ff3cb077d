import type { FuzzCase } from '../model/problem/fuzz-case.ts';
import { fuzzCaseSchema, OWN_VALUES } from '../model/problem/fuzz-case.ts';
import { PawlError } from '../model/pawl-error.ts';

const FORM = "Write it as pawl fuzz printed it: 'S=17,B=2 dtype=f16 values=q:huge,k:normal seed=123'.";

/** A case in one line, such as `S=17,B=2 dtype=f16 values=q:huge,k:normal seed=123`. */
export function replayLine({ dims, dtype, values, seed }: FuzzCase): string {
  const kinds = Object.entries(values).filter(([, value]) => value !== OWN_VALUES);
  return [
    Object.entries(dims)
      .map(([name, value]) => `${name}=${value}`)
      .join(','),
    ...(dtype === undefined ? [] : [`dtype=${dtype}`]),
    ...(kinds.length === 0 ? [] : [`values=${kinds.map(([name, value]) => `${name}:${value}`).join(',')}`]),
    `seed=${seed}`,
  ].join(' ');
}

/** @throws {PawlError} of kind `usage` where the line is not one that `replayLine` writes */
export function parseReplayLine(line: string): FuzzCase {
  // The dimensions come first, so that one may be called `seed`.
  const [dims = '', ...rest] = line.trim().split(/\s+/u);
  const settings = new Map(rest.map((part) => splitOnce(part, '=')));
  const unknown = [...settings.keys()].find((key) => !['dtype', 'values', 'seed'].includes(key));
  if (unknown !== undefined) throw new PawlError('usage', `The case to replay has "${unknown}".`, FORM);
  const values = settings.get('values') ?? '';
  const parsed = fuzzCaseSchema.safeParse({
    dims: Object.fromEntries(pairs(dims, '=').map(([name, value]) => [name, numberOf(value)])),
    ...(settings.has('dtype') ? { dtype: settings.get('dtype') } : {}),
    values: Object.fromEntries(values === '' ? [] : pairs(values, ':')),
    seed: settings.get('seed') ?? '0',
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new PawlError('usage', `The case to replay has no valid ${issue?.path.join('.') ?? 'form'}.`, FORM);
}

function pairs(text: string, separator: string): [string, string][] {
  return text.split(',').map((part) => splitOnce(part, separator));
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** Dimensions are integers, which the space of cases knows; scalars need not be. */
function numberOf(text: string): number {
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
}
