import { describe, expect, it } from 'vitest';

import { foldSession } from '../../src/learn/session/fold-session.ts';
import type { Session } from '../../src/model/learn/session.ts';
import { renderSessionMarkdown } from '../../src/report/markdown/session-markdown.ts';
import { renderSession } from '../../src/report/terminal/session-terminal.ts';
import { eventsOf } from '../../web/app/common/session-events.ts';
import { phasesOf } from '../../web/app/common/session-gates.ts';
import { gate, measured, started, tried } from '../learn/session/session-records.ts';

const PASSED = [gate('builds', 1), gate('room', 2), gate('profiled', 3)];

/** What the terminal, the report and the dashboard call the phase in which tries are made. */
function titles(session: Session): string[] {
  const terminal = renderSession(session, { color: false, columns: 100 });
  const markdown = renderSessionMarkdown(session, { earlier: [], error: { sessions: 0 } });
  return [
    /^ {2}phase {6}(.+)$/mu.exec(terminal)?.[1],
    /^(\S.*)\n {2}. profiled$/mu.exec(terminal)?.[1],
    /in the phase (.+)\.$/mu.exec(markdown)?.[1],
    /^\| ([^|]+) \| [^|]+ \| 2 h 00 min \|/mu.exec(markdown)?.[1],
    phasesOf(session, undefined).find(({ id }) => id === 'optimise')?.title,
  ].map(String);
}

describe('the words of a session', () => {
  it('are the titles that its method gave the phases, in the terminal, the report and the dashboard', () => {
    const phases = started().phases.map((one) =>
      one.phase === 'optimise' ? Object.assign(one, { title: 'Make it fast' }) : one,
    );
    const session = foldSession([started({ phases }), ...PASSED]);
    expect(new Set(titles(session))).toEqual(new Set(['Make it fast']));
  });

  it('are those of the method that Pawl ships where none were recorded', () => {
    const session = foldSession([started(), ...PASSED]);
    expect(new Set(titles(session))).toEqual(new Set(['Profile and optimise']));
  });

  it('are the same for what came of a try', () => {
    const wrong = Object.assign(measured(1, 8, 20), { outcome: 'incorrect' });
    const session = foldSession([started(), ...PASSED, tried(1, 5), wrong]);
    const terminal = renderSession(session, { color: false, columns: 100 });
    expect(terminal).toContain('incorrect');
    expect(eventsOf(session).find(({ lane }) => lane === 'tries')?.text).toMatch(/^Try 1, incorrect/u);
  });
});
