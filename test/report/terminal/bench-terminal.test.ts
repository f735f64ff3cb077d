import { describe, expect, it } from 'vitest';

import type { Samples } from '../../../src/model/measure/samples.ts';
import { benchReport } from '../../../src/report/bench-report.ts';
import { renderBenchTerminal } from '../../../src/report/terminal/bench-terminal.ts';
import { displayWidth } from '../../../src/report/text/plain-text.ts';
import { hostileRun } from '../hostile.ts';
import { sampleRun, THRESHOLDS } from '../sample-run.ts';

function rendered(samples: Samples, columns = 100, color = false): string {
  return renderBenchTerminal(benchReport(samples, THRESHOLDS), { columns, color });
}

describe('renderBenchTerminal', () => {
  it('shows a row a case, with its unit in the header and aligned numbers', () => {
    const lines = rendered(sampleRun()).split('\n');
    const header = lines.findIndex((line) => line.includes('median µs'));
    expect(lines[header - 1]).toBe('sdpa-flash · cold');
    expect(lines[header]).toContain('TFLOP/s');
    const end = lines[header]!.indexOf('median µs') + 'median µs'.length;
    expect(lines.slice(header + 1, header + 4).map((line) => line.slice(0, end).trim().split(/ +/u))).toEqual(
      [
        ['✓', 'training_512', '53.33'],
        ['✓', 'short_128', '16.13'],
        ['✓', 'long_2048', '310.37'],
      ],
    );
  });

  it.each([120, 100, 80, 60])('keeps every line within %i columns', (columns) => {
    for (const samples of [sampleRun(), hostileRun()]) {
      // A word that cannot be broken may be longer than a line; the table never is.
      const table = rendered(samples, columns)
        .split('\n')
        .filter((line) => /^[✓✗·] |median/u.test(line) && !line.includes('process'));
      expect(table.length).toBeGreaterThan(1);
      for (const line of table) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    }
  });

  it('says what else the machine did, where that was much', () => {
    const run = sampleRun();
    const beside = (other_cpus: number): Samples => ({
      ...run,
      environment: { ...run.environment, load: { cpus: 2, other_cpus } },
    });
    expect(rendered(beside(1.2), 200)).toContain('load other work kept 1.2 of 2 CPUs busy');
    expect(rendered(beside(0.2), 200)).not.toContain('CPUs busy');
  });

  it('gives up columns before it gives up the median', () => {
    expect(rendered(sampleRun(), 100)).toContain('95 % interval µs');
    expect(rendered(sampleRun(), 60)).toContain('± %');
    expect(rendered(sampleRun(), 20)).toContain('median µs');
  });

  it('cuts long case names where nothing else is left to give up', () => {
    const samples = sampleRun();
    samples.measurements[0]!.case = 'a-very-long-case-name-'.repeat(5);
    expect(rendered(samples, 80)).toMatch(/✓ a-very-long-[a-z-]*…/u);
  });

  it('shows the shape of the distribution', () => {
    expect(rendered(sampleRun())).toMatch(/[▁▂▃▄▅▆▇█]{3}/u);
  });

  it('chooses the unit of time by the kernel', () => {
    const run = (samples_ms: number[]): string =>
      rendered({ schema: 'pawl.samples/1', measurements: [{ case: 'a', series: [{ samples_ms }] }] });
    expect(run([0.0005, 0.0005])).toMatch(/median ns[\s\S]*500\.0/u);
    expect(run([5, 5])).toMatch(/median ms[\s\S]*5\.000/u);
    expect(run([2500, 2500])).toMatch(/median s [\s\S]*2\.500/u);
  });

  it('names what was not timed, what was lost and what its process said', () => {
    const text = rendered(sampleRun());
    expect(text).toMatch(/✗ training_512 +wrong result, not timed/u);
    expect(text).toContain('process 6: crashed: the runner ended with SIGSEGV');
    expect(text).toContain('│ Segmentation fault');
  });

  it('says a remedy once for all the warnings that ask for it', () => {
    expect(rendered(sampleRun()).split('make the machine quieter')).toHaveLength(2);
  });

  it('lets no control, escape or bidirectional character through', () => {
    expect(rendered(hostileRun())).not.toMatch(/[^\P{C}\n]/u);
  });

  it('writes escape sequences only where color was asked for, and the same text with them', () => {
    const plain = rendered(sampleRun());
    const colored = rendered(sampleRun(), 100, true);
    expect(colored).not.toBe(plain);
    // oxlint-disable-next-line no-control-regex -- the sequences are what is looked for
    expect(colored.replaceAll(/\u001B\[\d+m/gu, '')).toBe(plain);
  });

  it('says so when nothing was measured', () => {
    expect(rendered({ schema: 'pawl.samples/1', measurements: [] })).toBe('nothing was measured\n');
  });
});
