import type { BuildReport, BuiltItem, KernelResources } from '../model/build-report.ts';
import { shellWord } from '../model/shell-word.ts';
import { plainLines, plainText } from './plain-text.ts';

const MARKS: Record<BuiltItem['status'], { readonly sign: string; readonly sgr: string }> = {
  built: { sign: '✓', sgr: '32' },
  cached: { sign: '✓', sgr: '32' },
  planned: { sign: '·', sgr: '2' },
  skipped: { sign: '–', sgr: '2' },
  failed: { sign: '✗', sgr: '31' },
};

/** A build report for people: a line a library, the compiler's words where it failed, resources where it told. */
export function buildTerminal(
  report: BuildReport,
  { color = false }: { readonly color?: boolean } = {},
): string {
  const paint = (sgr: string, text: string) => (color ? `\u001B[${sgr}m${text}\u001B[0m` : text);
  const width = Math.max(0, ...report.kernels.map((item) => titleOf(item).length));
  const lines = report.kernels.flatMap((item) => {
    const { sign, sgr } = MARKS[item.status];
    const head = `${paint(sgr, sign)} ${plainText(titleOf(item)).padEnd(width)}  ${item.status}`;
    const [first = '', ...rest] = detailsOf(item);
    return [`${head}  ${first}`.trimEnd(), ...rest.map((line) => `    ${line}`)];
  });
  return `${lines.join('\n')}\n`;
}

function titleOf(item: BuiltItem): string {
  return item.part === 'oracle' ? `${item.kernel} (oracle)` : item.kernel;
}

function detailsOf(item: BuiltItem): string[] {
  switch (item.status) {
    case 'built':
      return [
        `in ${(item.duration_ms / 1000).toFixed(1)} s  ${item.artifact}`,
        ...item.resources.map(resourceLine),
      ];
    case 'cached':
      return [item.artifact, ...item.resources.map(resourceLine)];
    case 'planned':
      return [item.cached ? 'in the cache' : '', ...item.commands.map(shellText)];
    case 'skipped':
      return [item.reason];
    case 'failed':
      return [
        item.reason,
        ...plainLines(item.message, 12),
        ...(item.hint === undefined ? [] : [`→ ${item.hint}`]),
      ];
  }
}

function resourceLine(resources: KernelResources): string {
  const { arch, registers, spill_store_bytes, spill_load_bytes, smem_bytes, stack_bytes } = resources;
  const spills = spill_store_bytes + spill_load_bytes;
  const parts = [
    `${registers} registers`,
    `${smem_bytes} B static shared memory`,
    ...(stack_bytes > 0 ? [`${stack_bytes} B stack`] : []),
    ...(spills > 0 ? [`spills ${spill_store_bytes} B out, ${spill_load_bytes} B in`] : []),
  ];
  return `${arch} ${shortName(plainText(resources.function))}: ${parts.join(', ')}`;
}

/** A demangled template runs to hundreds of characters; its name is what tells it apart. */
function shortName(name: string): string {
  return name.length <= 60 ? name : `${name.slice(0, 59)}…`;
}

/** A command as it could be pasted into a shell. */
function shellText(argv: readonly string[]): string {
  return argv.map(shellWord).join(' ');
}
