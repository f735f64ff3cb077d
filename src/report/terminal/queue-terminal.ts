import type { Leaderboard, QueueStatus, SubmissionAnswer } from '../../model/queue/queue.ts';
import type { QueuePruned } from '../../model/queue/queue-prune.ts';
import { withThousands } from '../../model/text/number-text.ts';
import type { TerminalOptions } from './bench-terminal.ts';
import { renderJudgementLine } from './judge-terminal.ts';
import { painter } from './paint.ts';
import { plainText } from '../text/plain-text.ts';

/** Tenants with what waits for them, problems and workers. */
export function renderQueueStatus(status: QueueStatus, { color }: TerminalOptions): string {
  const paint = painter(color);
  const { tenants, problems, workers } = status;
  const lines = [
    paint('bold', 'Tenants'),
    ...columns(
      ['tenant', 'weight', 'queued', 'leased', 'judged', 'failed', 'tokens'],
      tenants.map((one) => [
        one.suspended ? `${one.name} (suspended)` : one.name,
        String(one.weight),
        String(one.queued),
        String(one.leased),
        String(one.judged),
        String(one.failed),
        one.tokens
          .filter(({ revoked_at }) => revoked_at === undefined)
          .map(({ id, roles }) => `${id} ${roles.join('+')}`)
          .join(', '),
      ]),
    ),
    '',
    paint('bold', 'Problems'),
    ...columns(
      ['problem', 'device', 'reference', 'judge'],
      problems.flatMap(({ problem, judges }) =>
        judges.length === 0
          ? [[problem, 'no worker yet', '', '']]
          : judges.map((one) => [problem, one.device_class, one.reference, one.identity.slice(0, 12)]),
      ),
    ),
    '',
    paint('bold', 'Workers'),
    ...columns(
      ['worker', 'device', 'holds', 'last seen'],
      workers.map((one) => [one.worker, one.device_class, String(one.holds), one.seen_at]),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

export function renderPruned(pruned: QueuePruned): string {
  const { dry_run, submissions, judgements, sources, sources_bytes, logs, kept_for_others } = pruned;
  const verb = dry_run ? 'would be removed' : 'removed';
  const number = withThousands;
  return [
    `${number(submissions)} submissions ${verb}, and ${number(judgements)} judgements with them`,
    `${number(sources)} submissions' sources ${verb}, ${number(sources_bytes)} bytes`,
    ...(logs === 0 ? [] : [`${number(logs)} judgements' logs ${verb}`]),
    ...(kept_for_others === 0
      ? []
      : [`${number(kept_for_others)} stay without their sources: newer submissions use their judgement`]),
  ].join('\n');
}

export function renderLeaderboard(board: Leaderboard, { color }: TerminalOptions): string {
  const paint = painter(color);
  const where = board.device_class === undefined ? '' : ` on ${board.device_class}`;
  const lines = [
    paint('bold', `${board.problem}${where}`),
    ...columns(
      ['rank', 'speed-up', 'interval', 'author', 'id'],
      board.candidates.map(({ rank: [best, worst], speedup, author, tenant, id }) => [
        best === worst ? String(best) : `${best}–${worst}`,
        `${speedup.estimate.toFixed(2)}×`,
        `${speedup.low.toFixed(2)}–${speedup.high.toFixed(2)}`,
        plainText(author ?? tenant),
        id,
      ]),
    ),
    paint('dim', `${board.judged} judgements, ${board.candidates.length} candidates are right and timed`),
  ];
  return `${lines.join('\n')}\n`;
}

/** One submission: its answer, or how far it is. */
export function renderSubmission(answer: SubmissionAnswer, options: TerminalOptions): string {
  if (answer.schema !== 'pawl.submission/1') return renderJudgementLine(answer, options);
  return `${answer.id} ${answer.state}: ${answer.problem}`;
}

function columns(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return ['  none'];
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)));
  return [head, ...rows].map((row) =>
    `  ${row.map((cell, at) => cell.padEnd(widths[at]!)).join('  ')}`.trimEnd(),
  );
}
