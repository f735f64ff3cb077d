import { GATE_MARKS } from '../../../src/report/gate-marks.ts';
import { TRY_OUTCOME } from '../../../src/model/learn/try-outcome.ts';
import { changeText, formatDuration } from './format.ts';
import type { Session, Try } from '../source/shapes.ts';

export const LANES = ['gates', 'profiles', 'tries', 'notes'] as const;

/** Something that happened in a session. */
export interface SessionEvent {
  readonly lane: (typeof LANES)[number];
  readonly from_ms: number;
  readonly to_ms: number;
  /** A letter or two for the picture. */
  readonly mark: string;
  /** Class that gives its colour. */
  readonly tone: string;
  readonly text: string;
  readonly took: string;
}

/** In the order in which they ended. */
export function eventsOf(session: Session): readonly SessionEvent[] {
  return [
    ...gateEvents(session),
    ...session.tries.map(tryEvent),
    ...session.notes.map(({ at, text, by }) =>
      moment('notes', at, '¶', '', by === undefined ? text : `${by}: ${text}`),
    ),
  ].toSorted((one, other) => one.to_ms - other.to_ms);
}

function moment(
  lane: SessionEvent['lane'],
  at: string,
  mark: string,
  tone: string,
  text: string,
): SessionEvent {
  return { lane, from_ms: Date.parse(at), to_ms: Date.parse(at), mark, tone, text, took: '' };
}

function gateEvents({ gates }: Session): readonly SessionEvent[] {
  return gates.flatMap(({ title, state, reason, evidence, evaluated_at, took_s = 0, override }) => {
    if (evaluated_at === undefined) return [];
    const to_ms = Date.parse(evaluated_at);
    // A gate that was overridden had failed before.
    const seen = override === undefined ? state : 'failed';
    const event: SessionEvent = {
      lane: evidence?.kind === 'profile' ? 'profiles' : 'gates',
      from_ms: to_ms - took_s * 1000,
      to_ms,
      mark: GATE_MARKS[seen],
      tone: `gate-${seen}`,
      text: `${title}: ${seen}. ${reason}`,
      took: took_s === 0 ? '' : formatDuration(took_s * 1000),
    };
    return override === undefined
      ? [event]
      : [
          event,
          moment(
            'gates',
            override.at,
            GATE_MARKS.overridden,
            'gate-overridden',
            `${title}: overridden by ${override.by}. ${override.reason}`,
          ),
        ];
  });
}

function tryEvent({ number, opened_at, hypothesis, measured, outcome }: Try): SessionEvent {
  const from_ms = Date.parse(opened_at);
  const to_ms = measured === undefined ? from_ms : Date.parse(measured.at);
  const change = measured?.change_pct === undefined ? '' : ` ${changeText(measured.change_pct)}`;
  return {
    lane: 'tries',
    from_ms,
    to_ms,
    mark: String(number),
    tone: outcome === undefined ? '' : `tone-${TRY_OUTCOME[outcome].tone}`,
    text: `Try ${number}, ${outcome === undefined ? 'not measured' : TRY_OUTCOME[outcome].text}${change}: ${hypothesis}`,
    took: measured === undefined ? '' : formatDuration(to_ms - from_ms),
  };
}
