import type { BuildReport, BuiltItem, KernelResources } from '../../model/reports/build-report.ts';
import { shellWord } from '../../model/text/shell-word.ts';
import { plainLines, plainText } from '../text/plain-text.ts';
import { familyLines, memberLines } from '../resource-lines.ts';

const MARKS: Record<BuiltItem['status'], { readonly sign: string; readonly sgr: string }> = {
  built: { sign: '✓', sgr: '32' },
  cached: { sign: '✓', sgr: '32' },
  planned: { sign: '·', sgr: '2' },
  skipped: { sign: '–', sgr: '2' },
  failed: { sign: '✗', sgr: '31' },
};

/**
 * A build report for people: a line for each library, the compiler's words where it failed, and resources
 * where it told: a line for each GPU function, or with `verbose` for each of its instantiations.
 */
export function buildTerminal(
  report: BuildReport,
  { color = false, verbose = false }: { readonly color?: boolean; readonly verbose?: boolean } = {},
): string {
  const resourceLines = verbose ? memberLines : familyLines;
  const paint = (sgr: string, text: string) => (color ? `\u001B[${sgr}m${text}\u001B[0m` : text);
  const width = Math.max(0, ...report.kernels.map((item) => titleOf(item).length));
  const lines = report.kernels.flatMap((item) => {
    const { sign, sgr } = MARKS[item.status];
    const head = `${paint(sgr, sign)} ${plainText(titleOf(item)).padEnd(width)}  ${item.status}`;
    const [first = '', ...rest] = detailsOf(item, resourceLines);
    return [`${head}  ${first}`.trimEnd(), ...rest.map((line) => `    ${line}`)];
  });
  return `${lines.join('\n')}\n`;
}

function titleOf(item: BuiltItem): string {
  return item.part === 'kernel' ? item.kernel : `${item.kernel} (${item.part})`;
}

function detailsOf(
  item: BuiltItem,
  resourceLines: (resources: readonly KernelResources[]) => string[],
): string[] {
  switch (item.status) {
    case 'built':
      return [
        `in ${(item.duration_ms / 1000).toFixed(1)} s  ${item.artifact}`,
        ...resourceLines(item.resources),
      ];
    case 'cached':
      return [item.artifact, ...resourceLines(item.resources)];
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

/** A command as it could be pasted into a shell. */
function shellText(argv: readonly string[]): string {
  return argv.map(shellWord).join(' ');
}
