import { describe, expect, it } from 'vitest';

import type { SessionRecord } from '../../src/model/learn/session-record.ts';
import { foldSession } from '../../src/learn/session/fold-session.ts';
import { renderSessionMarkdown } from '../../src/report/markdown/session-markdown.ts';
import {
  renderOverride,
  renderSession,
  renderStart,
  renderTry,
} from '../../src/report/terminal/session-terminal.ts';
import { at, gate, kept, measured, started, tried } from '../learn/session/session-records.ts';

const HOSTILE = 'a|b `c` <img src=x> [d](javascript:e) \u001b[31mred\u202E @all';
const DIFF = 'diff --git a/x b/x\n+```\n+# not a heading\n+\u001b[2Jgone\n';

const session = foldSession([
  started({
    warnings: [{ kind: 'lesson', id: 'x', text: HOSTILE, matched: HOSTILE, nearness: 'same-kind' }],
  }),
  gate('builds', 1),
  gate('room', 2, { state: 'failed', reason: HOSTILE, next: 'pawl device --calibrate' }),
  tried(1, 5, {
    hypothesis: HOSTILE,
    learnt: HOSTILE,
    flags: ['guess'],
    change: {
      diff: DIFF,
      truncated: false,
      files: ['x'],
      variables: [{ kind: 'constant', name: HOSTILE, from: '1', to: '2' }],
    },
  }),
  measured(1, 8, -20),
  kept(1, 8, false),
]);

/** Escape sequences and marks that turn the reading order around. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e]/u;

describe('the report of a session', () => {
  const text = renderSessionMarkdown(session, { earlier: [], error: { sessions: 0 } });

  it('has every part that a reader looks for', () => {
    for (const title of ['What went wrong', 'Time and cost', 'Against earlier sessions', 'Tries']) {
      expect(text).toContain(`## ${title}`);
    }
    expect(text).toContain('−20.0 %');
  });

  it('keeps text from elsewhere from becoming markup, table cells or commands to a terminal', () => {
    expect(text).not.toMatch(CONTROL);
    expect(text).not.toContain('<img');
    expect(text).not.toContain('](javascript');
    const rows = text.split('\n').filter((line) => line.startsWith('| 1 |'));
    expect(rows).toHaveLength(1);
    expect(rows[0]?.split('|')).toHaveLength(10);
  });

  it('keeps a diff in its fence, whatever fences are in it', () => {
    const [, inside] = /\n````diff\n([\s\S]*?)\n````(?:\n|$)/u.exec(text) ?? [];
    expect(inside).toContain('+```\n+# not a heading');
  });
});

describe('what a session report says of tries', () => {
  const report = (...records: readonly SessionRecord[]) =>
    renderSessionMarkdown(foldSession([started(), ...records]), { earlier: [], error: { sessions: 0 } });

  it('has the sign of what was predicted', () => {
    expect(report(tried(1, 5, { predicted_change_pct: -3 }))).toContain('| −3.0 % |');
    expect(report(tried(1, 5, { predicted_change_pct: 3 }))).toContain('| +3.0 % |');
  });

  it('counts those that were held back, and no note that somebody writes in such words', () => {
    const text = 'held back (several-variables): both at once';
    const note = { type: 'noted', at: at(3), text } as const;
    const held = '1 doubtful try was held back';
    expect(report({ ...note, held_back: ['several-variables'] })).toContain(held);
    expect(report({ ...note, by: 'Ann' })).not.toContain('was held back');
    // As journals have it from before the flags stood beside it.
    expect(report(note)).toContain(held);
  });
});

describe('a session in the terminal', () => {
  const options = { color: false, columns: 100 };

  it('shows no escape sequence from elsewhere', () => {
    const one = session.tries[0]!;
    for (const text of [
      renderSession(session, options),
      renderStart(session, options),
      renderTry({ session, try: one, measured: true }, { stopping: [], isLook: false }, options),
    ]) {
      expect(text).not.toMatch(CONTROL);
    }
  });

  it('names the next command, and how to go on where it is stopped', () => {
    const text = renderSession(session, options);
    expect(text).toContain('→ pawl device --calibrate');
    expect(text).toContain('pawl session override room --reason');
  });

  it('says of a try that was held back what mends the flags that stopped it, and no others', () => {
    const one = { ...session.tries[0]!, flags: ['no-profile', 'guess'] as const };
    const text = renderTry(
      { session, try: { ...one, flags: [...one.flags] }, measured: false },
      { stopping: ['no-profile'], isLook: false },
      options,
    );
    expect(text).toContain('→ profile first: pawl session check');
    expect(text).not.toContain('change one thing at a time');
    expect(text).toContain('--anyway');
  });
});

describe('a try that brought nothing', () => {
  const options = { color: false, columns: 100 };
  const change = {
    diff: '',
    truncated: false,
    files: ['x.cu'],
    variables: [{ kind: 'constant' as const, name: 'TILE', from: '1', to: '2' }],
  };
  const stopLoss = gate('stop-loss', 9, {
    phase: 'optimise',
    state: 'failed',
    reason: '2 tries in a row brought nothing.',
    next: 'pawl profile attention --case small',
    evidence: { kind: 'tries', taken_at: at(9), facts: {}, sources: [], lines: [] },
  });
  const failed = [started(), tried(1, 5, { change }), measured(1, 8, -20), kept(1, 8, false)];
  const stopped = foldSession([...failed, stopLoss]);
  const view = { stopping: [], isLook: false };
  const shown = (of: typeof stopped, more = {}) =>
    renderTry({ session: of, try: of.tries[0]!, measured: true }, { ...view, ...more }, options);

  it('names the command that puts its files back, unless they are', () => {
    expect(shown(stopped)).toContain('pawl session revert');
    expect(shown(stopped, { isReverted: true })).not.toContain('revert');
  });

  it('says that the session is stopped, and how it goes on', () => {
    const text = shown(stopped);
    expect(text).toContain('The session is stopped at stop-loss: 2 tries in a row brought nothing.');
    expect(text).toContain('pawl session end');
    expect(text).toContain('for one more try: pawl session override stop-loss');
    expect(shown(foldSession(failed))).not.toContain('stopped');
  });

  it('is told of as long as its change is part of the next try', () => {
    const other = { kind: 'constant' as const, name: 'PAD', from: '0', to: '1' };
    const look = (variables: (typeof other)[]) => {
      const one = { ...stopped.tries[0]!, number: 2, change: { ...change, variables } };
      return renderTry({ session: stopped, try: one, measured: false }, { ...view, isLook: true }, options);
    };
    expect(look([...change.variables, other])).toContain('pawl session revert');
    expect(look([other])).not.toContain('revert');
  });

  it('may be followed by one more after an override, which says so', () => {
    const override = { type: 'overridden', at: at(10), gate: 'stop-loss', reason: 'r', by: 'Ann' } as const;
    const text = renderOverride(foldSession([...failed, stopLoss, override]), 'stop-loss', options);
    expect(text).toContain('stop-loss is overridden for one try');
    const room = gate('room', 2, { state: 'failed', next: 'pawl bench' });
    const session = foldSession([started(), room, { ...override, gate: 'room' }]);
    expect(renderOverride(session, 'room', options)).toContain('room is overridden for this session');
  });
});
