import type { KernelResources } from '../model/reports/build-report.ts';

/**
 * Reads what `ptxas -v` prints (CUDA 11 to 13): for each entry function and architecture a "Compiling entry
 * function" line, its properties, a "Used … registers" line, then the properties of every function that it
 * calls and that was not inlined. What those spill, the kernel spills.
 */
export function parsePtxasReport(text: string): KernelResources[] {
  const blocks = text.split(/^.*Compiling entry function /m).slice(1);
  return blocks.flatMap((block) => {
    const [, symbol, arch] = /^'([^']+)' for '([^']+)'/.exec(block) ?? [];
    const usage = /^.*\bUsed \d+ registers.*$/m.exec(block)?.[0];
    // Without a usage line the entry was begun and not finished: ptxas failed on it.
    if (symbol === undefined || arch === undefined || usage === undefined) return [];
    const barriers = /used (\d+) barriers?/.exec(usage)?.[1];
    return [
      {
        function: symbol,
        symbol,
        arch,
        registers: total(usage, /Used (\d+) registers/g),
        spill_store_bytes: total(block, /(\d+) bytes spill stores/g),
        spill_load_bytes: total(block, /(\d+) bytes spill loads/g),
        // The first frame is the entry's own; the cumulative size, where it is said, is that of the deepest call.
        stack_bytes: Math.max(
          Number(/(\d+) bytes stack frame/.exec(block)?.[1] ?? 0),
          total(usage, /(\d+) bytes cumulative stack size/g),
        ),
        smem_bytes: total(usage, /(\d+)(?:\+(\d+))? bytes smem/g),
        cmem_bytes: total(usage, /(\d+)(?:\+(\d+))? bytes cmem\[\d+\]/g),
        ...(barriers === undefined ? {} : { barriers: Number(barriers) }),
      },
    ];
  });
}

/** Adds up every mention: constant memory comes in several banks, old reports write `16+8 bytes`. */
function total(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].reduce(
    (sum, [, first, second]) => sum + Number(first) + Number(second ?? 0),
    0,
  );
}
