import { describe, expect, it } from 'vitest';

import { confirmedBest } from '../../src/model/judge/confirmed-best.ts';
import { renderStudyHtml } from '../../src/report/html/study-html.tsx';
import { renderStudyTerminal } from '../../src/report/terminal/study-terminal.ts';
import { bestSoFarPlot } from '../../src/report/svg/best-so-far-plot.tsx';
import { figureFile } from '../../src/report/svg/figure-file.tsx';
import { shownRange } from '../../src/report/svg/shown-range.ts';
import { studyOf } from './study-of.ts';

/** Trial 2 was confirmed at 1.5×; trial 3 was nearly four times as fast once, by luck. */
const LUCKY = studyOf(
  { 1: 3, 2: 2, 4: 0.8, 8: 2.2, 16: 2.4, 32: 2.1, 64: 2.3, 128: 60 },
  {
    best: { trial: 2, variant: { A: 2 }, time_ms: 2 },
    confirmations: [
      {
        trial: 2,
        variant: { A: 2 },
        verdict: 'improved',
        reason: 'clear.',
        speedup: 1.5,
        speedup_ci: [1.4, 1.6],
        processes: [6, 6],
        device_s: 1,
      },
    ],
  },
);

describe('the best of a study', () => {
  it('is what was confirmed, never the fastest unconfirmed trial', () => {
    expect(confirmedBest(LUCKY)?.trial).toBe(2);
    expect(confirmedBest({ ...LUCKY, result: 'undecided' })).toBeUndefined();
    const picture = figureFile(bestSoFarPlot({ ...LUCKY, confirmed: confirmedBest(LUCKY) })!);
    expect(picture).toContain('confirmed: 1.50× (trial 2)');
    const page = renderStudyHtml(LUCKY);
    expect(page).toContain('Confirmed: 1.50×');
    for (const text of [picture, page]) expect(text).not.toContain('3.75×');
  });

  it('is called unconfirmed where nothing was confirmed', () => {
    const open = { ...LUCKY, result: 'unconfirmed' as const, confirmations: [] };
    expect(renderStudyHtml(open)).toContain('Fastest trial, not confirmed');
    expect(renderStudyTerminal(open, { color: false, columns: 100 })).toContain('not confirmed');
    expect(bestSoFarPlot(open)?.label).toContain('nothing was confirmed');
  });
});

describe('the times that a plot of trials shows', () => {
  it('are not squashed by one lucky time or one hopeless variant', () => {
    const times = LUCKY.trials.flatMap(({ outcome }) =>
      outcome?.status === 'measured' ? outcome.time_ms : [],
    );
    const [low, high] = shownRange(times, [3, 2]);
    expect(low).toBeGreaterThan(0.8);
    expect(high).toBeLessThan(6);
    expect(low).toBeLessThanOrEqual(2);
    expect(high).toBeGreaterThanOrEqual(3);
  });

  it('are all of them where there are few, and always what is marked', () => {
    expect(shownRange([1, 9], [4])).toEqual([1, 9]);
    expect(shownRange([1, 1, 1, 1, 1, 1], [7])).toEqual([1, 7]);
  });

  it('says how many lie beyond the axis', () => {
    const picture = figureFile(bestSoFarPlot({ ...LUCKY, confirmed: confirmedBest(LUCKY) })!);
    expect(picture).toContain('beyond the axis: 2');
  });
});
