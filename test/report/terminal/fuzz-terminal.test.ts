import { describe, expect, it } from 'vitest';

import { renderFuzzTerminal } from '../../../src/report/terminal/fuzz-terminal.ts';
import { FAILURE, fuzzRun } from '../fuzz-run.ts';
import { HOSTILE } from '../hostile.ts';

const PLAIN = { color: false, columns: 100 } as const;

describe('renderFuzzTerminal', () => {
  const text = renderFuzzTerminal(fuzzRun(), PLAIN);
  const lines = text.split('\n');

  it('takes one line for a kernel that passed', () => {
    expect(lines[0]).toBe(
      '✓ good  227 cases passed · 27 matrix, 200 generated · 2 left out · worst error 31 % of the tolerance · 12 s',
    );
    expect(lines[1]).toMatch(/^✗ bad /);
  });

  it('says of a failure what it is, where it is smallest, and how to see it again', () => {
    expect(text).toContain('wrong-result in o: an output differs from the oracle by more than the tolerance');
    expect(text).toContain('case     B=1 S=17 · f16 · q:huge k:normal');
    expect(text).toContain('found as generated B=3 S=777 · f16 · q:huge k:spikes');
    expect(lines).toContain(`    again    ${FAILURE.replay}`);
    expect(text).toContain('also in  4 more cases');
  });

  it('shows the worst element among its neighbours, in the order of memory', () => {
    const table = lines.slice(lines.findIndex((line) => line.includes('right')) + 1).slice(0, 4);
    expect(table.map((line) => line.trim().split(/\s{2,}/))).toEqual([
      ['[0, 2, 7]', '-Inf', '3e-7'],
      ['[0, 3, 6]', '0.5', '0.5', '0.00e+0'],
      ['▸ [0, 3, 7]', '1.5', '0.25', '1.25e+0'],
      ['[0, 3, 8]', 'NaN', '-0.125'],
    ]);
  });

  it('shows how errors are spread, with the decades between that hold none', () => {
    const labels = lines.flatMap(
      (line) => /^\s+(exact|1e\S+|NaN, Inf) (█*) ?\s*(\d+)$/.exec(line)?.slice(1) ?? [],
    );
    expect(labels.filter((_, at) => at % 3 === 0)).toEqual([
      'exact',
      '1e-5',
      '1e-4',
      '1e-3',
      '1e-2',
      '1e-1',
      '1e0',
      'NaN, Inf',
    ]);
    expect(labels.filter((_, at) => at % 3 === 2)).toEqual(['4000', '90', '0', '3', '0', '0', '2', '1']);
  });

  it('says why a kernel could not run, and what to do', () => {
    expect(text).toContain('– gone  not run: there is no GPU here\n    → Use a machine with one.');
    expect(text).toContain('seed 424242');
  });

  it('lets no text from elsewhere repaint the terminal', () => {
    const hostile = fuzzRun({
      ...FAILURE,
      message: HOSTILE,
      output: HOSTILE,
      detector: HOSTILE,
      alone: false,
    });
    const shown = renderFuzzTerminal(hostile, PLAIN);
    // oxlint-disable-next-line no-control-regex
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u009b\u202e]/);
    expect(shown).toContain('fails only after other cases in the same process');
  });
});
