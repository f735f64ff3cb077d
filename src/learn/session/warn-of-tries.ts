import type { Warning } from '../../model/lesson.ts';
import type { Session } from '../../model/session.ts';

/** More than anybody reads before starting. */
const MOST = 5;

/** The mistakes of earlier sessions on the same kernel, for the start of another: the newest first. */
export function warnOfTries(
  sessions: readonly Session[],
  place: { readonly kernel: string; readonly kind: string; readonly device: string | undefined },
): Warning[] {
  return sessions
    .filter(({ kernel, kind }) => kernel === place.kernel && kind === place.kind)
    .toReversed()
    .flatMap((session) =>
      session.tries
        .filter(({ outcome }) => outcome === 'worse' || outcome === 'incorrect')
        .map((one): Warning => {
          const isHere = session.device === place.device;
          const change_pct = one.measured?.change_pct;
          const what =
            one.outcome === 'incorrect' || change_pct === undefined
              ? 'wrong results'
              : `${(1 / (1 - change_pct / 100)).toFixed(2)}×`;
          const why = one.learnt ?? one.measured?.reason;
          return {
            kind: 'earlier-try',
            id: `${session.id}/try-${one.number}`,
            text: `${one.hypothesis}: tried on ${one.opened_at.slice(0, 10)}${session.device === undefined ? '' : ` on ${session.device}`}, ${what}${why === undefined ? '' : `, because ${why}`}`,
            matched: `the same kernel, ${session.kernel}`,
            nearness: isHere ? 'same-device' : 'other-device',
          };
        }),
    )
    .slice(0, MOST);
}
