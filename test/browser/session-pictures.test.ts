import { describe, expect, it } from 'vitest';

import { treeLayout, wrapped } from '../../web/app/charts/tree-layout.ts';
import { workTime } from '../../web/app/charts/work-time.ts';
import { eventsOf } from '../../web/app/common/session-events.ts';
import { currentGate, phasesOf } from '../../web/app/common/session-gates.ts';
import { sessionOf } from '../history/session-of.ts';

const MINUTE_MS = 60_000;

describe('time of work', () => {
  it('leaves out what lay between for more than half an hour, and says where', () => {
    const night = 14 * 60;
    const { minutesAt, total_min, pauses } = workTime([
      [0, 10 * MINUTE_MS],
      [(10 + night) * MINUTE_MS, (15 + night) * MINUTE_MS],
      [(35 + night) * MINUTE_MS, (40 + night) * MINUTE_MS],
    ]);
    expect(total_min).toBe(40);
    expect(pauses.map(({ at_min, length_min }) => [at_min, length_min])).toEqual([[10, night]]);
    expect(minutesAt(5 * MINUTE_MS)).toBe(5);
    expect(minutesAt(100 * MINUTE_MS)).toBe(10);
    expect(minutesAt((15 + night) * MINUTE_MS)).toBe(15);
  });
});

describe('lines of a box', () => {
  it('break between words and end in dots where there is no room', () => {
    expect(wrapped('pawl profile attention --case smallest', 20, 2)).toEqual([
      'pawl profile',
      'attention --case …',
    ]);
    expect(wrapped('short', 20, 2)).toEqual(['short']);
    expect(wrapped('a'.repeat(50), 20, 2)).toEqual([`${'a'.repeat(19)}…`]);
  });
});

describe('the way through the gates', () => {
  const stopped = sessionOf({ at: 0, how: 'stopped' });

  it.each([340, 1100])('has boxes that do not lie on each other and stay inside %i pixels', (width) => {
    const { boxes, height } = treeLayout(phasesOf(stopped, undefined), width);
    expect(boxes.filter(({ kind }) => kind === 'gate')).toHaveLength(stopped.gates.length);
    for (const [at, one] of boxes.entries()) {
      expect(one.x + one.width).toBeLessThanOrEqual(width);
      expect(one.y + one.height).toBeLessThanOrEqual(height);
      for (const other of boxes.slice(at + 1)) {
        const isApart =
          one.y + one.height <= other.y ||
          other.y + other.height <= one.y ||
          one.x + one.width <= other.x ||
          other.x + other.width <= one.x;
        expect(isApart, `${one.key} and ${other.key}`).toBe(true);
      }
    }
  });

  it('stops at the gate that failed, else at the first open one, and nowhere once it ended', () => {
    expect(currentGate(stopped)).toBe('smallest-speedup');
    expect(currentGate(sessionOf({ at: 0, how: 'open' }))).toBe('matrix-correct');
    expect(currentGate(sessionOf({ at: 0 }))).toBeUndefined();
  });

  it('tells a gate that was overridden twice: that it failed, and that somebody went on', () => {
    const events = eventsOf(sessionOf({ at: 0 })).filter(({ text }) => text.startsWith('Smallest case'));
    expect(events.map(({ tone }) => tone)).toEqual(['gate-failed', 'gate-overridden']);
  });
});
