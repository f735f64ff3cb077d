import type { ClaimReport } from '../../model/judge/claim.ts';
import { plainText } from '../text/plain-text.ts';

const MARKS = {
  ok: { sign: '✓', sgr: '32' },
  wrong: { sign: '✗', sgr: '31' },
  missing: { sign: '?', sgr: '33' },
} as const;

const VERDICTS: Record<ClaimReport['verdict'], string> = {
  proven: '✓ proven: the claim agrees with what was measured',
  'not-proven': '✗ not proven',
  incomplete: '? incomplete: nothing is wrong, but something is missing',
};

export function renderClaim(
  report: ClaimReport,
  { color = false }: { readonly color?: boolean } = {},
): string {
  const width = Math.max(0, ...report.findings.map(({ field }) => field.length));
  const rows = report.findings.map(({ field, state, message }) => {
    const { sign, sgr } = MARKS[state];
    const mark = color ? `\u001B[${sgr}m${sign}\u001B[0m` : sign;
    return `  ${mark} ${field.padEnd(width)}  ${plainText(message)}`;
  });
  return `${VERDICTS[report.verdict]}\n${rows.join('\n')}\n`;
}
