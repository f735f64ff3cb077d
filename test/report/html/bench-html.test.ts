import { describe, expect, it } from 'vitest';

import { renderBenchHtml } from '../../../src/report/html/bench-html.tsx';
import { benchReport } from '../../../src/report/bench-report.ts';
import { hostileRun } from '../hostile.ts';
import { sampleRun, THRESHOLDS } from '../sample-run.ts';

function rendered(samples = sampleRun()): string {
  return renderBenchHtml(benchReport(samples, THRESHOLDS), samples);
}

/** Opening and closing tags pair up: what a reader of the file relies on before anything else. */
function unbalanced(html: string): string[] {
  const open: string[] = [];
  const faults: string[] = [];
  for (const [, slash, name, rest] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)([^>]*)>/gu)) {
    if (slash === '/') {
      if (open.pop() !== name) faults.push(name!);
    } else if (!rest!.endsWith('/') && !['meta', 'link', 'br'].includes(name!)) {
      open.push(name!);
    }
  }
  return [...faults, ...open];
}

describe('renderBenchHtml', () => {
  it('is one well-formed file that fetches nothing and runs nothing', () => {
    const html = rendered();
    expect(unbalanced(html)).toEqual([]);
    expect(html).not.toMatch(/<script|<img|<iframe|@import|url\(|(?:src|href)="(?!data:)/u);
  });

  it('draws every sample, or counts it among those far out', () => {
    const samples = sampleRun();
    samples.measurements = samples.measurements.slice(0, 1);
    const html = rendered(samples);
    const dots = [...html.matchAll(/class="dots" d="([^"]*)"/gu)].map(
      ([, path]) => path!.split('M').length - 1,
    );
    const outside = [...html.matchAll(/[◂▸] (\d+)/gu)].map(([, count]) => Number(count));
    const total = [...dots, ...outside].reduce((sum, count) => sum + count, 0);
    expect(dots).toHaveLength(5);
    expect(total).toBe(500);
  });

  it('thins a series too long to draw, and says so', () => {
    const samples_ms = Array.from({ length: 1000 }, (_, index) => 1 + (index % 7) / 100);
    const html = rendered({
      schema: 'pawl.samples/1',
      measurements: [{ case: 'a', series: [{ samples_ms }] }],
    });
    expect(html).toContain('1000 samples, one in 3 drawn');
  });

  it('marks the median of each process with its value', () => {
    expect([...rendered().matchAll(/class="value"[^>]*>([\d.]+)</gu)].map(([, value]) => value)).toEqual(
      expect.arrayContaining(['53.31', '315.1']),
    );
  });

  it('shows the axis and the medians in the same unit', () => {
    const series = [{ samples_ms: [0.98, 1.02, 1.04] }];
    const html = rendered({ schema: 'pawl.samples/1', measurements: [{ case: 'a', series }] });
    expect(html).toContain('time of one sample, ms');
    expect(html).toContain('median, ms');
  });

  it('draws samples that are all equal', () => {
    const series = [{ samples_ms: [2, 2, 2] }];
    const html = rendered({ schema: 'pawl.samples/1', measurements: [{ case: 'a', series }] });
    expect(html).not.toMatch(/NaN|Infinity/u);
    expect(html).toContain('class="dots"');
  });

  it('holds the environment, the warnings and the lost series', () => {
    const html = rendered();
    for (const text of ['GPU-6b1f2c34', '83 °C', 'Segmentation fault', '3 throttled samples left out']) {
      expect(html).toContain(text);
    }
  });

  it('shows hostile text as text', () => {
    const html = rendered(hostileRun());
    expect(html).toContain('&lt;script>');
    expect(html).not.toMatch(/<script|x">|[^\P{C}\n]/u);
    expect(unbalanced(html)).toEqual([]);
  });

  it('says so when nothing was measured', () => {
    expect(rendered({ schema: 'pawl.samples/1', measurements: [] })).toContain('Nothing was measured.');
  });
});
