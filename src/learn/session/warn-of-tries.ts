import { speedupOf } from '../../model/judge/comparison.ts';
import type { Warning } from '../../model/learn/lesson.ts';
import { speedupText } from '../../model/text/number-text.ts';
import type { Session } from '../../model/learn/session.ts';
import { nearnessBetween } from '../lessons/nearness.ts';
import { dayText, sentence } from '../lessons/when-text.ts';

/** More than anybody reads before starting. */
const MOST = 5;

/** The mistakes of earlier sessions on the same kernel, for the start of another: the newest first. */
export function warnOfTries(
  sessions: readonly Session[],
  place: { readonly kernel: string; readonly kind: string; readonly device: string | undefined },
  now: Date,
): Warning[] {
  return sessions
    .filter(({ kernel, kind }) => kernel === place.kernel && kind === place.kind)
    .toReversed()
    .flatMap((session) =>
      session.tries
        .filter(({ outcome }) => outcome === 'worse' || outcome === 'incorrect')
        .map((one): Warning => {
          const speedup = speedupOf(one.measured?.change_pct ?? 100);
          const what =
            one.outcome === 'incorrect' || speedup === undefined ? 'wrong results' : speedupText(speedup);
          const where = session.device === undefined ? '' : ` on ${session.device}`;
          const why = one.learnt ?? one.measured?.reason;
          const because = why === undefined ? '' : `, because ${why}`;
          return {
            kind: 'earlier-try',
            id: `${session.id}/try-${one.number}`,
            text: sentence(
              `${one.hypothesis}: tried on ${dayText(one.opened_at, now)}${where}, ${what}${because}`,
            ),
            matched: `the same kernel, ${session.kernel}`,
            matched_by: 'kernel',
            nearness: nearnessBetween(session, place),
          };
        }),
    )
    .slice(0, MOST);
}
