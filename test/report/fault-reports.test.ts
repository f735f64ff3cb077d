import { describe, expect, it } from 'vitest';

import type { Fault } from '../../src/model/measure/fault.ts';
import { FaultDetails } from '../../src/report/html/fault-details.tsx';
import { faultMarkdown } from '../../src/report/markdown/fault-markdown.ts';
import { faultLines } from '../../src/report/terminal/fault-terminal.ts';
import { markup } from '../../src/report/markup.tsx';
import { painter } from '../../src/report/terminal/paint.ts';
import { HOSTILE } from './hostile.ts';

const FAULT: Fault = {
  detector: 'wrong-result',
  message: '2 of 64 elements of o differ',
  during: 'check',
  tensor: {
    name: 'o',
    elements: 64,
    mismatches: 2,
    max_abs_err: null,
    max_rel_err: null,
    worst: {
      index: [1, 7],
      got: 'nan',
      want: 0.25,
      neighbours: [
        { index: [1, 6], got: 0.5, want: 0.25 },
        { index: [0, 7], got: 'inf', want: 'inf' },
      ],
    },
  },
  output: 'one\ntwo\nthree\nfour\n',
  reproduce: 'pawl bench --verified --only attention --case small',
};

const faultHtml = (fault: Fault) => markup(FaultDetails({ fault }));
const terminal = (fault: Fault) => faultLines(fault, 100, painter(false)).join('\n');

describe('a fault in reports', () => {
  it('shows the worst element and its neighbours as a table, NaN and infinities by their names', () => {
    expect(terminal(FAULT).split('\n').slice(1, 6)).toEqual([
      'o, its worst element and the elements beside it:',
      '  element  got  right  error',
      '▸  [1, 7]  nan   0.25       ',
      '   [1, 6]  0.5   0.25  0.250',
      '   [0, 7]  inf    inf       ',
    ]);
    expect(faultMarkdown(FAULT)).toContain('| &#91;1, 6&#93; | 0.5 | 0.25 | 0.250 |');
    expect(faultHtml(FAULT)).toContain('<td data-name="element">[1, 6]</td><td data-name="got">0.5</td>');
  });

  it.each([
    ['terminal', terminal],
    ['Markdown', faultMarkdown],
    ['HTML', faultHtml],
  ])('says in %s what the detector means, what was printed last, and how to see it again', (_, render) => {
    const text = render(FAULT);
    expect(text).toMatch(/an output differs from the oracle by more than the tolerance/);
    expect(text).toMatch(/two.*three.*four/s);
    expect(text).not.toMatch(/\bone\b/);
    expect(text).toContain('pawl bench --verified --only attention --case small');
  });

  it('has no table where no element is known', () => {
    const { tensor: _, ...rest } = FAULT;
    expect(terminal(rest)).not.toMatch(/element {2}/);
    expect(faultHtml(rest)).not.toContain('<table>');
    expect(faultMarkdown(rest)).not.toContain('|');
  });

  it('shows hostile text as text', () => {
    const hostile: Fault = {
      ...FAULT,
      detector: HOSTILE,
      message: HOSTILE,
      tensor: { ...FAULT.tensor!, name: HOSTILE },
      output: HOSTILE,
      reproduce: HOSTILE,
    };
    expect(faultHtml(hostile)).not.toContain('<script');
    expect(faultMarkdown(hostile)).not.toMatch(/<script|\]\(javascript|@octocat/);
    // oxlint-disable-next-line no-control-regex -- control characters are what must not come through
    expect(terminal(hostile)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/u);
  });
});
