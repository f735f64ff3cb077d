import { describe, expect, it } from 'vitest';

import { renderComparisonHtml } from '../../../src/report/html/comparison-html.tsx';
import { comparisonPictures } from '../../../src/report/svg/comparison-pictures.ts';
import { checkedRun, comparedReport, comparedRun, hostileReport, only } from '../comparison-run.ts';

/** Elements that are never closed, or closed in the wrong order. */
function unbalanced(markup: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  for (const [, slash, name, rest] of markup.matchAll(/<(\/?)([a-z][a-z0-9]*)([^>]*)>/gu)) {
    if (slash === '/' && open.pop() !== name) wrong.push(name!);
    if (slash === '' && !rest!.endsWith('/') && !['meta', 'link', 'br'].includes(name!)) open.push(name!);
  }
  return [...wrong, ...open];
}

describe('renderComparisonHtml', () => {
  const html = renderComparisonHtml(checkedRun(), comparedRun());

  it('is one well-formed file that fetches nothing and runs nothing', () => {
    expect(unbalanced(html)).toEqual([]);
    expect(html).not.toMatch(/<script|<img|<iframe|@import|url\(|(?:src|href)="(?!data:)/u);
  });

  it('has a row a case and pictures of each case with samples on both sides', () => {
    expect(html.match(/<td class="left case" data-name="case">/gu)).toHaveLength(7);
    expect(html.match(/aria-label="[^"]*: process medians in order of start"/gu)).toHaveLength(5);
  });

  it('leaves the pictures of samples out where there are none', () => {
    const plain = renderComparisonHtml(checkedRun());
    expect(plain.match(/<svg/gu)).toHaveLength(1);
    expect(plain).not.toContain('Samples and drift');
  });

  it('shows hostile text as text', () => {
    const { report, samples } = hostileReport();
    const hostile = renderComparisonHtml(report, samples);
    expect(hostile).toContain('&lt;script>');
    expect(hostile).not.toMatch(/<script|x">|[^\P{C}\n]/u);
    expect(unbalanced(hostile)).toEqual([]);
  });
});

describe('comparisonPictures', () => {
  const pictures = comparisonPictures(checkedRun(), comparedRun());
  const named = (name: string): string => pictures.find((one) => one.name === name)!.svg;
  const xOf = (svg: string, pattern: RegExp): number => Number(pattern.exec(svg)![1]);

  it('are files of their own, the overview first and the most urgent case next', () => {
    expect(pictures.slice(0, 3).map(({ name }) => name)).toEqual([
      'forest.svg',
      '01-slower-samples.svg',
      '01-slower-drift.svg',
    ]);
    for (const { svg } of pictures) {
      expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true);
      expect(unbalanced(svg)).toEqual([]);
      expect(svg).not.toMatch(/NaN|Infinity|undefined/u);
    }
  });

  it('put slower cases left of no change, faster ones right of it', () => {
    const forest = named('forest.svg');
    const zero = xOf(forest, /class="zero" x1="([\d.]+)"/u);
    const pointOf = (verdict: string): number =>
      xOf(
        forest,
        new RegExp(`<g class="tone-\\w+ ${verdict}">[\\s\\S]*?class="estimate" d="M([\\d.]+) `, 'u'),
      );
    expect(pointOf('regressed')).toBeLessThan(zero);
    expect(pointOf('improved')).toBeGreaterThan(zero);
  });

  it('mark an interval that leaves the picture with an arrow at its edge', () => {
    const report = checkedRun(only(comparedRun(), 'same'));
    const [one] = report.comparison.cases;
    if (one?.state !== 'estimated') throw new Error('the case has an estimate');
    one.ci_pct = [-300, 200];
    const [forest] = comparisonPictures(report);
    expect(forest!.svg).toMatch(
      /class="interval" d="M300 [\d.]+H730M305 [\d.]+l-5 4\.5l5 4\.5M725 [\d.]+l5 4\.5/u,
    );
  });

  it('draw every sample of both sides, or count it among those outside', () => {
    const svg = named('01-slower-samples.svg');
    const dots = [...svg.matchAll(/class="dots" d="([^"]*)"/gu)].map(
      ([, path]) => path!.split('M').length - 1,
    );
    const outside = [...svg.matchAll(/>(\d+) outside</gu)].map(([, count]) => Number(count));
    expect(dots).toHaveLength(20);
    expect([...dots, ...outside].reduce((sum, count) => sum + count, 0)).toBe(2000);
  });

  it('order processes by when they started, whichever side they are of', () => {
    const points = [
      ...named('01-slower-drift.svg').matchAll(/<g class="(base|head)"><line class="range"/gu),
    ].map(([, side]) => side);
    expect(points).toEqual(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'base' : 'head')));
  });

  it('say so where it is not known when processes started', () => {
    const run = only(comparedRun(), 'slower');
    delete run.head.measurements[0]!.series[0]!.started_at;
    const drift = comparisonPictures(comparedReport(run), run).at(-1)!;
    expect(drift.svg).toContain('when they started is not recorded');
  });

  it('show the clock where every process has it', () => {
    const run = only(comparedRun(), 'slower');
    expect(comparisonPictures(comparedReport(run), run).at(-1)!.svg).not.toContain('clock, MHz');
    for (const { measurements } of [run.base, run.head]) {
      for (const one of measurements[0]!.series) one.clock_mhz = one.samples_ms.map(() => 1980);
    }
    const svg = comparisonPictures(comparedReport(run), run).at(-1)!.svg;
    expect(svg).toContain('clock, MHz');
    expect(svg).not.toContain('NaN');
  });

  it('find the samples of a case also where one file leaves kernel and mode out', () => {
    const run = only(comparedRun(), 'slower');
    const [base] = run.base.measurements;
    run.base.measurements = [{ case: 'slower', series: base!.series }];
    expect(comparisonPictures(comparedReport(run), run)).toHaveLength(3);
  });

  it('draw samples that are all equal', () => {
    const run = only(comparedRun(), 'slower');
    for (const { measurements } of [run.base, run.head]) {
      for (const one of measurements[0]!.series) one.samples_ms = one.samples_ms.map(() => 2);
    }
    for (const { svg } of comparisonPictures(comparedReport(run), run))
      expect(svg).not.toMatch(/NaN|Infinity/u);
  });

  it('have names that are safe as file names, whatever the cases are called', () => {
    const { report, samples } = hostileReport();
    const hostile = comparisonPictures(report, samples);
    expect(hostile.length).toBeGreaterThan(3);
    for (const { name, svg } of hostile) {
      expect(name).toMatch(/^[a-z0-9-]+\.svg$/u);
      expect(svg).not.toMatch(/<script|[^\P{C}\n]/u);
    }
  });
});
