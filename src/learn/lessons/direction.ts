import type { Variable } from '../../model/learn/session.ts';

export type Direction = 'up' | 'down';

/** Whether a knob was moved. A constant that comes or goes with the code around it was not: new code has its own names. */
export function isMoved({ kind, from, to }: Variable): boolean {
  if (kind === 'constant') return from !== undefined && to !== undefined;
  return kind !== 'function' && kind !== 'file' && (from !== undefined || to !== undefined);
}

/** Whether a variable got larger or smaller; undefined where its values are not numbers, not known, or the same. */
export function directionOf({ from, to }: Variable): Direction | undefined {
  const [before, after] = [numberOf(from), numberOf(to)];
  if (before === undefined || after === undefined || before === after) return undefined;
  return after > before ? 'up' : 'down';
}

/** `true` and `false` are 1 and 0, so that a switch can be moved too; C's suffixes (`64u`, `0.5f`) are let pass. */
export function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const trimmed = text.trim().toLowerCase();
  if (trimmed === 'true' || trimmed === 'false') return Number(trimmed === 'true');
  const plain = /^0x[0-9a-f]+$/u.test(trimmed) ? trimmed : trimmed.replace(/(?<=[\d.])(?:[ul]+|f)$/u, '');
  if (plain === '') return undefined;
  const value = Number(plain);
  return Number.isFinite(value) ? value : undefined;
}

/** `BLOCK_N 64 → 128`. */
export function moveText({ name, from, to }: Variable): string {
  if (from === undefined && to === undefined) return name;
  return `${name} ${from ?? '(absent)'} → ${to ?? '(absent)'}`;
}
