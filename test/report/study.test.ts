import { describe, expect, it } from 'vitest';

import { renderStudyHtml, studyPictures } from '../../src/report/html/study-html.tsx';
import { renderSuggestions } from '../../src/report/markdown/study-markdown.ts';
import { renderStudyTerminal } from '../../src/report/terminal/study-terminal.ts';
import { figureFile } from '../../src/report/svg/figure-file.tsx';
import { studyOf } from './study-of.ts';

describe('the reports of a study', () => {
  it('show the confirmed speed-up, and the search only as what it is', () => {
    const text = renderSuggestions(studyOf({ 1: 3, 2: 2, 4: 2.5 }));
    expect(text).toContain('**Speedup**: 1.50× (interval 1.40× … 1.60×)');
    expect(text).toContain('nvcc -DA=2 …');
    expect(text).toContain('1.20× in the search');
    expect(text).toContain('only confirmed speed-ups count');
  });

  it('tell what little money a short one cost, and how long the device was held', () => {
    const cost = { wall_s: 90, device_s: 90, money: { amount: 0.0021, currency: 'USD' } };
    const study = studyOf({ 1: 3, 2: 2 }, { cost });
    const suggestions = renderSuggestions(study);
    const terminal = renderStudyTerminal(study, { color: false, columns: 100 });
    for (const text of [suggestions, terminal, renderStudyHtml(study)]) expect(text).toContain('0.0021 USD');
    expect(suggestions).toContain('\n10 min 00 s, 1 min 30 s of device time, 0.0021 USD.');
  });

  it('carry hostile names as text', () => {
    const hostile = '<script>alert(1)</script> | `x` [l](u)\u001b[2J';
    const study = studyOf(
      { 1: 3, 2: 2 },
      { case: hostile, reason: hostile, notes: [hostile], kernel: hostile },
    );
    const page = renderStudyHtml(study);
    expect(page).not.toContain('<script>');
    expect(renderSuggestions(study)).not.toMatch(/<script>|\[l\]\(u\)/);
    expect(renderStudyTerminal(study, { color: false, columns: 100 })).not.toContain('\u001b');
  });

  it('draw pictures that are well-formed XML, whatever tunables are called', () => {
    const [first] = studyPictures(studyOf({ 1: 3, 2: 2 }));
    expect(figureFile({ ...first!.figure, label: 'a]]>b' })).toContain('<title>a]]&gt;b</title>');
  });

  it('draw what there is, and nothing where there is nothing', () => {
    const drawn = studyPictures(studyOf({ 1: 3, 2: 2, 4: 2.5 })).map(({ name }) => name);
    expect(drawn).toEqual(['best-so-far.svg', 'parallel-coordinates.svg']);
    for (const { figure } of studyPictures(studyOf({ 1: 3, 2: 2 }))) {
      expect(figureFile(figure)).not.toMatch(/NaN|Infinity|undefined/);
    }
    const empty = studyOf({ 1: 1 }, { trials: [], result: 'none-valid', confirmations: [] });
    const { best: _, ...nothing } = empty;
    expect(studyPictures(nothing)).toEqual([]);
    expect(renderStudyHtml(nothing)).toContain('No variant is valid');
  });
});
