import { describe, expect, it } from 'vitest';

import { renderFuzzHtml } from '../../../src/report/html/fuzz-html.tsx';
import { FAILURE, fuzzRun } from '../fuzz-run.ts';
import { HOSTILE } from '../hostile.ts';

describe('renderFuzzHtml', () => {
  const page = renderFuzzHtml(fuzzRun());

  it('is one file with no scripts and nothing fetched, for light and dark', () => {
    expect(page).not.toMatch(/<script|src=|href="(?!data:)/);
    expect(page).toContain("default-src 'none'");
    expect(page).toContain('prefers-color-scheme: dark');
  });

  it('has what the terminal has: counts, failure, smallest case, command, elements, remedies', () => {
    for (const text of [
      'Cases failed',
      '227',
      'B=1 S=17',
      'seed=123',
      '[0, 3, 7]',
      'NaN',
      'Use a machine with one.',
    ]) {
      expect(page).toContain(text);
    }
    expect(page).toContain('seed <b>424242</b>');
    expect(page).toContain('<b>input-changed in q</b>');
  });

  it('draws how the errors are spread, and says it in words too', () => {
    expect(page).toContain('aria-label="Absolute errors of o: exact 4000, 1e-5 90, 1e-4 0,');
    expect(page.match(/<rect class="hill"/g)).toHaveLength(8);
    expect(page).not.toMatch(/NaN"|Infinity|undefined/);
  });

  it('shows text from elsewhere as text', () => {
    const hostile = fuzzRun({
      ...FAILURE,
      message: HOSTILE,
      output: HOSTILE,
      detector: HOSTILE,
      name: HOSTILE,
    });
    const shown = renderFuzzHtml({ ...hostile, incomplete: HOSTILE, commit: HOSTILE });
    expect(shown).not.toContain('<script>');
    // oxlint-disable-next-line no-control-regex
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u009b\u202e]/);
  });
});
