import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { outcomesOf } from '../../../src/learn/advice/outcomes-of.ts';
import { RECORDED_OUTCOMES } from '../../../src/learn/advice/recorded-outcomes.ts';
import type { Session } from '../../../src/model/learn/session.ts';

const RESULTS = join(import.meta.dirname, '../../../docs/results/h200');
const sessions = readdirSync(RESULTS, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('session.json'))
  .map((name) => JSON.parse(readFileSync(join(RESULTS, name), 'utf8')) as Session);

describe('the outcomes that Pawl brings along', () => {
  it.each(RECORDED_OUTCOMES)('$session, try $try, is what the recorded session says', (outcome) => {
    const session = sessions.find(({ id }) => id === outcome.session);
    const one = session?.tries.find(({ number }) => number === outcome.try);
    expect(session).toMatchObject({ kind: outcome.kind, device: outcome.device });
    expect(one?.measured?.at).toBe(outcome.date);
    expect(one?.measured?.change_pct).toBeCloseTo(outcome.change_pct, 1);
    expect(one?.measured?.ci_pct?.[0]).toBeCloseTo(outcome.ci_pct![0], 1);
    expect(one?.measured?.ci_pct?.[1]).toBeCloseTo(outcome.ci_pct![1], 1);
    // Named by the session, or by no one then.
    expect([outcome.rule, undefined]).toContain(one?.rule);
    expect(one?.flags).not.toContain('several-variables');
  });

  it('leave out no try that the recorded sessions themselves learn from', () => {
    const learnt = outcomesOf(sessions).map((one) => `${one.session} ${one.try} ${one.rule}`);
    expect(learnt.length).toBeGreaterThan(0);
    expect(RECORDED_OUTCOMES.map((one) => `${one.session} ${one.try} ${one.rule}`)).toEqual(
      expect.arrayContaining(learnt),
    );
  });
});
