import { describe, expect, it } from 'vitest';

import type { ProfilePage } from '../../../src/model/profile/profile-page.ts';
import { profilePage } from '../../../src/profile/page/profile-page.ts';
import { renderProfileMarkdown } from '../../../src/report/markdown/profile-markdown.ts';
import { renderProfilePage } from '../../../src/report/html/profile-page.tsx';
import { renderProfilePicture } from '../../../src/report/svg/profile-picture.tsx';
import { shortName } from '../../../src/report/text/profile-text.ts';
import { siNumber, signalValue } from '../../../src/report/text/signal-text.ts';
import { HOSTILE } from '../hostile.ts';
import { comparedPage, launchOf, pageOf } from '../profile-pages.ts';

const CHANGED = comparedPage('copy_ok', 'bank_conflict_transpose');

/** The words of a page, without its styles and marks. */
const words = (html: string): string =>
  html
    .replaceAll(/<style>[^]*?<\/style>/gu, '')
    .replaceAll(/<[^>]*>/gu, ' ')
    .replaceAll(/\s+/gu, ' ');

function hostilePage(): ProfilePage {
  const page = comparedPage('copy_ok', 'bank_conflict_transpose');
  const diagnosis = {
    ...page.after.diagnosis,
    name: HOSTILE,
    not_collected: [HOSTILE],
    findings: page.after.diagnosis.findings.map((finding) => ({
      ...finding,
      diagnosis: HOSTILE,
      fix: HOSTILE,
      gain_basis: HOSTILE,
      source: HOSTILE,
      evidence: { [HOSTILE]: 1 },
    })),
  };
  const stalls = { isWhole: true, shares: [{ reason: HOSTILE, pct: 60 }] };
  return {
    ...page,
    after: { ...page.after, diagnosis, stalls },
    comparison: {
      ...page.comparison!,
      kernel: HOSTILE,
      summary: HOSTILE,
      moved: [{ metric: HOSTILE, unit: HOSTILE, before: 1, after: 2 }],
    },
    roofline: { ...page.roofline!, counted: HOSTILE, unit: HOSTILE, basis: HOSTILE },
    provenance: [{ name: HOSTILE, value: HOSTILE }],
    problems: [HOSTILE],
  };
}

describe('the page of a profile', () => {
  it('begins with the kernel and one sentence that says it all', () => {
    expect(words(renderProfilePage([pageOf('bank_conflict_transpose')]))).toMatch(
      /^.{0,60}bank_conflict_transpose Threads of a warp hit the same banks of shared memory: 94 % of its passes are repeats\. 329\.44 µs · limited by L1 and shared memory · NVIDIA H200/u,
    );
    expect(words(renderProfilePage([CHANGED]))).toMatch(
      /^.{0,60}bank_conflict_transpose 164 % slower: shared-memory bank conflicts/u,
    );
  });

  it('shows each finding with gain, diagnosis, fix, evidence in units, and source', () => {
    const text = words(renderProfilePage([pageOf('bank_conflict_transpose')]));
    expect(text).toMatch(/1\. bank-conflicts up to 76 % of the time Threads of a warp/u);
    expect(text).toMatch(/Fix: Spread each warp/u);
    expect(text).toMatch(/shared-memory wavefronts that repeat 93\.9 %/u);
    expect(text).toMatch(/How the gain is estimated: .* Source: CUDA C\+\+ Programming Guide/u);
  });

  it('says with a sign and a word which way a signal moved, so that no colour is needed', () => {
    const html = renderProfilePage([CHANGED]);
    expect(html).toMatch(/<td class="worse" data-name="change">▲ 93\.9 points, worse<\/td>/u);
    expect(html).toMatch(
      /stalled: global or local memory<\/td><td[^>]*>94\.6 %<\/td><td[^>]*>15\.3 %<\/td><td class="moved"[^>]*>▼ 79\.3 points<\/td>/u,
    );
    expect(words(html)).toMatch(/appeared bank-conflicts vanished at-limit/u);
  });

  it('has no script and fetches nothing', () => {
    const html = renderProfilePage([CHANGED, pageOf('sdpa_flash')]);
    expect(html).not.toMatch(/<script|<link rel="stylesheet|@import|url\(|src=/u);
    expect(html).toContain("default-src 'none'");
  });

  it('gives every figure words for those who cannot see it', () => {
    const html = renderProfilePage([CHANGED]);
    expect(html.match(/<svg [^>]*role="img" aria-label="[^"]{20,}"/gu)).toHaveLength(4);
    expect(renderProfilePicture(CHANGED)).toMatch(/<title>Profile of bank_conflict_transpose: 164 % slower/u);
  });

  it('says what was not collected and never draws it as zero', () => {
    const page = profilePage({ launch: launchOf('bank_conflict_transpose', 'details') });
    const text = words(renderProfilePage([page]));
    expect(text).toMatch(/Tensor cores not collected/u);
    expect(text).toMatch(/\d+ metrics that rules would have used/u);
    const empty = { ...launchOf('copy_ok'), metrics: new Map(), ncuRules: [] };
    expect(words(renderProfilePage([profilePage({ launch: empty })]))).not.toMatch(
      / 0\.0 %|NaN|Infinity|undefined/u,
    );
  });

  it('leaves hostile names without effect', () => {
    for (const text of [renderProfilePage([hostilePage()]), renderProfilePicture(hostilePage())]) {
      expect(text).not.toMatch(/<script|<a |[^\P{C}\n]/iu);
      expect(text).toContain('&lt;script>');
    }
    const markdown = renderProfileMarkdown(hostilePage());
    expect(markdown).not.toMatch(/<script|@octocat|\]\(|[^\P{C}\n]/u);
  });

  it('is no larger than a photograph', () => {
    expect(renderProfilePage([CHANGED]).length).toBeLessThan(100_000);
    expect(renderProfilePicture(CHANGED).length).toBeLessThan(40_000);
  });
});

describe('the block for a comment', () => {
  it('has the sentence, the first finding with its fix, and the load of the units', () => {
    const text = renderProfileMarkdown(CHANGED);
    expect(text).toMatch(
      /^\*\*164 % slower: shared-memory bank conflicts rose from 0 to 94 % of wavefronts\.\*\*\n/u,
    );
    expect(text).toMatch(/- \*\*bank-conflicts\*\* \(up to 76 % of the time, new\): Threads of a warp/u);
    expect(text).toMatch(/\n {2}Fix: Spread each warp/u);
    expect(text).toMatch(/dram 86 → 33 %/u);
    expect(text.split('\n').length).toBeLessThan(12);
  });
});

describe('the words of a profile', () => {
  it('shortens a name to its function', () => {
    expect(shortName('void ns::softmax<float, 4>(const float *)')).toBe('ns::softmax');
    expect(shortName('(anonymous namespace)::k(int)')).toBe('k');
    expect(shortName('void (anonymous namespace)::k<1>(int)')).toBe('k');
    expect(shortName('<weird>')).toBe('<weird>');
  });

  it('writes numbers with three digits and their unit', () => {
    expect(siNumber(65_011_712)).toBe('65 M');
    expect(siNumber(4.81e12, 'B/s')).toBe('4.81 TB/s');
    expect(signalValue('conflict_pct', 93.94)).toBe('93.9 %');
    expect(signalValue('duration_ns', 329_440)).toBe('329.44 µs');
    expect(signalValue('sm_clock_hz', 1.98e9)).toBe('1.98 GHz');
  });
});
