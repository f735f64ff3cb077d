import { describe, expect, it } from 'vitest';

import { PROFILE_SCHEMA, type ProfileReport } from '../../../src/model/profile/profile-report.ts';
import { renderLinesPage } from '../../../src/report/html/lines-page.tsx';
import { compiled, hot } from '../../profile/lines/planted-lines.ts';
import { HOSTILE } from '../hostile.ts';

const REPORT: ProfileReport = {
  schema: PROFILE_SCHEMA,
  kernel: 'row-sum',
  case: 'small',
  variant: {},
  mode: 'cold',
  seconds: 1,
  device_s: 0,
};

const words = (html: string): string =>
  html
    .replaceAll(/<style>[^]*?<\/style>/gu, '')
    .replaceAll(/<[^>]*>/gu, ' ')
    .replaceAll(/\s+/gu, ' ');

describe('the page of a profile without a picture', () => {
  it('shows compiled code by line, marked as static, with its occupancy and why there is nothing else', () => {
    const skipped = {
      reason: 'no-permission',
      message: 'ncu may not read the counters.',
      remedy: 'Ask the administrator.',
    } as const;
    const html = renderLinesPage({ ...REPORT, skipped, static_lines: [compiled()] });
    const text = words(html);
    expect(text).toContain('row-sum / small');
    expect(text).toContain('ncu may not read the counters.');
    expect(text).toContain('static: nothing was measured at lines');
    expect(text).toContain('of the code');
    expect(text).toMatch(/occupancy at best, block_threads of pawl\.yaml: 256 threads: \d+ % \(bounded by /u);
    expect(text).toMatch(/row-sum\.cuh:10 .*in 1 loop · .*shared 32/u);
    expect(html).not.toContain('<script');
  });

  it('shows lines that were sampled by a timer', () => {
    const sampled = { ...hot('faulty', 'header-row-sum'), basis: 'timer-samples' as const };
    const text = words(renderLinesPage({ ...REPORT, sampled }));
    expect(text).toContain('by line (sampled by a timer)');
    expect(text).toContain('row-sum.cuh:10');
    expect(text).not.toContain('occupancy at best');
  });

  it('shows hostile names and sources as text', () => {
    const lines = compiled();
    const hostile = {
      ...lines,
      kernel: HOSTILE,
      lines: lines.lines.map((one) =>
        Object.assign(one, { file: HOSTILE, source: HOSTILE, mix: { [HOSTILE]: 1 } }),
      ),
    };
    const html = renderLinesPage({ ...REPORT, kernel: HOSTILE, static_lines: [hostile] });
    expect(html).not.toMatch(/<(?:script|img|svg|iframe)/iu);
  });
});
