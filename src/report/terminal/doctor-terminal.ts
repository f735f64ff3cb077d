import { isAdvice, isInTheWay } from '../../model/reports/doctor-report.ts';
import { wrap } from '../text/plain-text.ts';
import type { DoctorProbe, DoctorGroup, DoctorReport } from '../../model/reports/doctor-report.ts';

export interface DoctorTerminalOptions {
  readonly color?: boolean;
  /** Default: no line is broken. */
  readonly columns?: number | undefined;
}

const GROUP_TITLES: Record<DoctorGroup, string> = {
  project: 'Project',
  host: 'This machine',
  compilers: 'Compilers',
  gpu: 'GPU',
  profilers: 'Profilers',
  python: 'Python',
};

type Mark = 'good' | 'advice' | 'bad' | 'skipped';
const MARKS: Record<Mark, { readonly sign: string; readonly sgr: string }> = {
  good: { sign: '✓', sgr: '32' },
  advice: { sign: '!', sgr: '33' },
  bad: { sign: '✗', sgr: '31' },
  skipped: { sign: '–', sgr: '2' },
};

/** What is missing and not required is advice: only what stands in the way is bad. */
function markOf(check: DoctorProbe): Mark {
  if (isInTheWay(check)) return 'bad';
  if (isAdvice(check)) return 'advice';
  return check.state === 'skipped' ? 'skipped' : 'good';
}

export function doctorTerminal(
  report: DoctorReport,
  { color = false, columns = Number.POSITIVE_INFINITY }: DoctorTerminalOptions = {},
): string {
  const paint = (sgr: string, text: string) => (color ? `\u001B[${sgr}m${text}\u001B[0m` : text);
  const width = Math.max(0, ...report.checks.map((check) => check.title.length));
  const lines: string[] = [];
  for (const group of Object.keys(GROUP_TITLES) as DoctorGroup[]) {
    const checks = report.checks.filter((check) => check.group === group);
    if (checks.length === 0) continue;
    lines.push(paint('1', GROUP_TITLES[group]));
    for (const check of checks) {
      const mark = markOf(check);
      const { sign, sgr } = MARKS[mark];
      const indent = ' '.repeat(width + 6);
      const room = Math.max(30, columns - indent.length);
      const below = (text: string): string[] => wrap(text, room).map((line) => `${indent}${line}`);
      const [first = '', ...rest] = plain(check.detail)
        .split('\n')
        .flatMap((line) => wrap(line, room));
      lines.push(`  ${paint(sgr, sign)} ${check.title.padEnd(width)}  ${first}`);
      lines.push(...rest.map((line) => `${indent}${line}`));
      if (mark !== 'advice' && mark !== 'bad') continue;
      lines.push(`${indent}${paint('2', `needed for ${check.needed_for}`)}`);
      if (check.remedy !== undefined) lines.push(...below(`→ ${plain(check.remedy).replaceAll('\n', ' ')}`));
      if (check.fix !== undefined) {
        lines.push(...below(`→ \`pawl doctor --fix\` can ${plain(check.fix.description)}`));
      }
    }
    lines.push('');
  }
  const verdict = report.ready ? MARKS.good : MARKS.bad;
  lines.push(`${paint(verdict.sgr, verdict.sign)} ${paint('1', plain(report.summary))}`);
  return `${lines.join('\n')}\n`;
}

/** Compilers and drivers are quoted here: what they say must not move the cursor or turn the text around. */
function plain(text: string): string {
  return text.replaceAll(/[^\P{C}\n]/gu, '');
}
