/** What a report of ncu says by instruction, and which lines those come from. */
import type { CapturedLines, FunctionLines } from './code-lines.ts';
import { cubinsIn } from './elf.ts';
import { functionText } from './function-text.ts';
import { readLineTable } from './line-table.ts';
import { readSourcePage, type SourceTable } from './source-page.ts';

/**
 * `page` is ncu's source page with mangled names, `files` hold compiled code: the report, in which ncu keeps what it
 * profiled, or a library.
 */
export function capturedLines(page: string, files: readonly Buffer[]): CapturedLines[] {
  const { tables } = readSourcePage(page);
  const known = new Map<string, FunctionLines>();
  for (const file of files)
    for (const cubin of cubinsIn(file))
      for (const [name, lines] of readLineTable(cubin)) if (!known.has(name)) known.set(name, lines);
  return tables.map((table) => ({ table, lines: linesFor(table, known) }));
}

/** By the linker's name, or by the function's where ncu printed only that and one has it. */
function linesFor(
  { kernel }: SourceTable,
  known: ReadonlyMap<string, FunctionLines>,
): FunctionLines | undefined {
  const exact = known.get(kernel);
  if (exact !== undefined) return exact;
  const plain = functionName(kernel);
  const alike = [...known].filter(([name]) => functionText(name).split('::').at(-1) === plain);
  return alike.length === 1 ? alike[0]![1] : undefined;
}

/** `void ns::softmax<float>(float *)` → `softmax`. */
function functionName(kernel: string): string {
  const [head = kernel] = kernel.replace(/^void\s+/u, '').split(/[<(]/u);
  return head.trim().split('::').at(-1) ?? kernel;
}
