import { describe, expect, it } from 'vitest';

import { renderBenchMarkdown } from '../../../src/report/markdown/bench-markdown.ts';
import { benchReport } from '../../../src/report/bench-report.ts';
import { markdownCode, markdownText } from '../../../src/report/markdown/markdown-text.ts';
import { HOSTILE, hostileRun } from '../hostile.ts';
import { sampleRun, THRESHOLDS } from '../sample-run.ts';

const text = renderBenchMarkdown(benchReport(sampleRun(), THRESHOLDS));

describe('renderBenchMarkdown', () => {
  it('has a table a kernel, each row as wide as its header', () => {
    const rows = text.split('\n').filter((line) => line.startsWith('| '));
    const header = rows.find((line) => line.includes('median µs'))!;
    const training = rows.find((line) => line.includes('training_512') && line.includes('53.33'))!;
    expect(training.split('|')).toHaveLength(header.split('|').length);
    expect(training).toContain('**53.33**');
  });

  it('says what is wrong, lost and to be done', () => {
    expect(text).toContain('❌ wrong');
    expect(text).toContain('`Segmentation fault`');
    expect(text).toContain('→ measure at least 5: --processes 5');
  });

  it('keeps hostile text inert: no tag, link, mention, code or new cell of its making', () => {
    const hostile = renderBenchMarkdown(benchReport(hostileRun(), THRESHOLDS));
    const tags = new Set(hostile.match(/<[^>]*>/gu));
    expect([...tags].sort()).toEqual([
      '</code>',
      '</details>',
      '</summary>',
      '<br>',
      '<code>',
      '<details>',
      '<summary>',
    ]);
    expect(hostile).not.toMatch(/\]\(|@octocat|#1 |:\/\/|www\.|[^\P{C}\n]/u);
    const rows = hostile.split('\n').filter((line) => line.startsWith('|'));
    const [header, , row] = rows;
    expect(row!.split('|')).toHaveLength(header!.split('|').length);
  });
});

describe('markdownText', () => {
  it('leaves ordinary sentences readable', () => {
    const sentence = 'samples vary by 38.3 % (CV), more than 12 %: see --processes 5';
    expect(markdownText(sentence)).toBe(sentence);
  });

  it('separates what would notify people', () => {
    expect(markdownText('@octocat')).toBe('&#64;&#8203;octocat');
  });

  it('keeps emoji names and links from becoming what they name', () => {
    expect(markdownText('a :100: http://b')).toBe('a &#58;&#8203;100: http&#58;&#8203;//b');
  });
});

describe('markdownCode', () => {
  it('is a code span for an ordinary name and escaped code for any other', () => {
    expect(markdownCode('training_512')).toBe('`training_512`');
    expect(markdownCode('a`b|c')).toBe('<code>a&#96;b&#124;c</code>');
    expect(markdownCode(HOSTILE)).not.toContain('<script');
  });
});
