import { Flow } from './flow.ts';
import { locate, type FunctionLines, type Located } from './code-lines.ts';
import type { SourceTable } from './source-page.ts';

/**
 * The place of every instruction. Functions of the compiler's own, such as a division of 64-bit integers, stand behind
 * the kernel without lines; they belong to the line that calls them most.
 */
export function placesOf(table: SourceTable, lines: FunctionLines | undefined): (Located | undefined)[] {
  if (lines === undefined) return table.instructions.map(() => undefined);
  const places = table.instructions.map(({ address }) => locate(lines, address));
  const begins = new Set(lines.map(({ address }) => address));
  const { calls } = new Flow(table);
  const entries = [...calls.keys()].toSorted((one, other) => one - other);
  for (const [at, entry] of entries.entries()) {
    if (begins.has(table.instructions[entry]!.address)) continue;
    const callers = calls.get(entry)!.filter((index) => index < entry || entries[at + 1] === undefined);
    const [caller] = callers.toSorted(
      (one, other) => (table.instructions[other]!.executed ?? 0) - (table.instructions[one]!.executed ?? 0),
    );
    if (caller === undefined) continue;
    const place = places[caller];
    const end = entries[at + 1] ?? table.instructions.length;
    // As far as no line of its own begins.
    for (let index = entry; index < end && !begins.has(table.instructions[index]!.address); index += 1)
      places[index] = place;
  }
  return places;
}
