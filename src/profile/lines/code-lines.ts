/** Compiled code by the lines it comes from. */
import type { SourceTable } from './source-page.ts';

/** One place in the source. */
export interface Place {
  readonly file: string;
  readonly line: number;
  /** The function it was written in, as the linker names it, where it was inlined from one. */
  readonly function?: string;
}

/** An instruction's place, and the calls it was inlined through: the nearest first. */
export interface Located {
  readonly place: Place;
  readonly callers: readonly Place[];
}

/** Rows of one function, by address from its first instruction. */
export type FunctionLines = readonly { readonly address: number; readonly located: Located }[];

/** One launch, by instruction; its lines where the compiler wrote them down. */
export interface CapturedLines {
  readonly table: SourceTable;
  readonly lines: FunctionLines | undefined;
}

/** The row that an address falls into. */
export function locate(lines: FunctionLines, address: number): Located | undefined {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lines[middle]!.address <= address) low = middle + 1;
    else high = middle;
  }
  return lines[low - 1]?.located;
}
