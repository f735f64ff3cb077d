import type { Judgement, JudgementLine } from '../../model/queue/judgement.ts';
import { VERDICT } from '../../model/judge/verdict.ts';
import type { TerminalOptions } from './bench-terminal.ts';
import { painter, TONE_STYLE } from './paint.ts';
import { hanging, plainDocument, plainText, wrap } from '../text/plain-text.ts';

const NARROWEST = 60;
const WIDEST = 130;

/** One candidate: the outcome, by how much, and why. */
export function renderJudgement(judgement: Judgement, { color, columns }: TerminalOptions): string {
  const width = Math.min(WIDEST, Math.max(NARROWEST, columns));
  const paint = painter(color);
  const { mark, tone } = VERDICT[judgement.verdict];
  const { speedup, cost } = judgement;
  const size = speedup === undefined ? '' : ` · ${speedupText(speedup)} of ${judgement.reference}`;
  const { generated_cases: generated } = judgement;
  const facts = [
    `reward ${judgement.reward.toFixed(3)}`,
    ...(generated === undefined
      ? []
      : [`right in ${generated} generated ${generated === 1 ? 'case' : 'cases'}`]),
    `device ${cost.device_s.toFixed(1)} s, build ${cost.build_s.toFixed(1)} s`,
    judgement.protections.length === 0 ? 'not sandboxed' : `confined by ${judgement.protections.join(', ')}`,
  ];
  const [, ...log] = plainDocument(judgement.build_log ?? '').split('\n');
  const lines = [
    `${paint(TONE_STYLE[tone], mark)} ${paint('bold', judgement.verdict)}${size}`,
    ...wrap(plainText(judgement.reason), width - 2).map((line) => `  ${line}`),
    ...log.map((line) => `  ${line}`),
    ...(judgement.cases.length > 1 ? judgement.cases.map(caseLine) : []),
    ...judgement.findings.flatMap(({ detector, evidence }) =>
      detector === 'build-failed' ? [] : hanging(`  ${detector}: `, 4, evidence, width),
    ),
    ...wrap(facts.join(' · '), width).map((line) => paint('dim', line)),
  ];
  return `${lines.join('\n')}\n`;
}

/** One line per candidate of a batch. */
export function renderJudgementLine(line: JudgementLine, { color }: TerminalOptions): string {
  const paint = painter(color);
  const id = plainText(line.id ?? `line ${'line' in line ? line.line : ''}`);
  if ('error' in line) return `${paint('yellow', '!')} ${id}: ${plainText(line.error.message)}`;
  const { mark, tone } = VERDICT[line.verdict];
  const size = line.speedup === undefined ? plainText(line.reason) : speedupText(line.speedup);
  return `${paint(TONE_STYLE[tone], mark)} ${id}: ${line.verdict} · reward ${line.reward.toFixed(3)} · ${size}`;
}

function speedupText({ estimate, low, high }: NonNullable<Judgement['speedup']>): string {
  return `${estimate.toFixed(2)}× [${low.toFixed(2)}, ${high.toFixed(2)}] the speed`;
}

function caseLine({ case: name, verdict, reference_ms, candidate_ms }: Judgement['cases'][number]): string {
  const times =
    reference_ms === undefined || candidate_ms === undefined
      ? ''
      : `  ${reference_ms.toPrecision(4)} → ${candidate_ms.toPrecision(4)} ms`;
  return `  ${VERDICT[verdict].mark} ${name}  ${verdict}${times}`;
}
