import { describe, expect, it } from 'vitest';

import { figureFile } from '../../src/report/svg/figure-file.tsx';
import { forestPlot } from '../../src/report/svg/forest-plot.tsx';

describe('an interval in a forest plot', () => {
  const arrows = (ci_pct: readonly [number, number]) => {
    const change_pct = (ci_pct[0] + ci_pct[1]) / 2;
    const svg = figureFile(
      forestPlot([
        { name: 'one', verdict: 'undecided', change_pct, ci_pct },
        { name: 'slower', verdict: 'regressed', change_pct: -40 },
        { name: 'faster', verdict: 'improved', change_pct: 40 },
      ]),
    );
    const [path] = /class="interval" d="[^"]*"/u.exec(svg)!;
    return [...path.matchAll(/l(-?\d+) 4\.5l/gu)].map(([, way]) => Number(way));
  };

  it.each([
    [[-10, 10], []],
    [[70, 80], []],
    [[30, 90], [5]],
    [[-90, -30], [-5]],
    [
      [-90, 90],
      [-5, 5],
    ],
  ] as const)('%j ends in arrows where it goes on outside', (interval, expected) => {
    expect(arrows(interval)).toEqual(expected);
  });

  it('is drawn where it is, however large, and leaves small ones their room', () => {
    const svg = figureFile(
      forestPlot([
        { name: 'much slower', verdict: 'regressed', change_pct: -300, ci_pct: [-310, -290] },
        { name: 'a little', verdict: 'regressed', change_pct: -4, ci_pct: [-5, -3] },
        { name: 'the same', verdict: 'maintained', change_pct: 0, ci_pct: [-1, 1] },
      ]),
    );
    const places = [...svg.matchAll(/class="estimate" d="M(\d+)/gu)].map(([, x]) => Number(x));
    expect(places).toHaveLength(3);
    expect(places[2]! - places[1]!).toBeGreaterThan(25);
    expect(places[1]! - places[0]!).toBeGreaterThan(100);
    expect(svg).toContain('>−100<');
  });

  it('has no thresholds where none are known', () => {
    const row = { name: 'one', verdict: 'maintained', change_pct: 1, ci_pct: [0, 2] } as const;
    expect(figureFile(forestPlot([row]))).not.toContain('class="threshold');
    expect(figureFile(forestPlot([row], { regression_pct: 2, improvement_pct: 2 }))).toContain(
      'class="threshold slow"',
    );
  });
});
