import { describe, expect, it } from 'vitest';

import type { CiRun } from '../../../src/model/reports/ci-run.ts';
import { RULE_IDS } from '../../../src/model/profile/diagnosis-words.ts';
import { commentMarker } from '../../../src/report/markdown/ci-comment.ts';
import { findCmarkGfm, renderGfm } from '../../report/cmark-gfm.ts';
import { hostileReport } from '../../report/comparison-run.ts';
import { ciRun, failedRun } from '../ci-runs.ts';
import { goodRun, plant, publish, REPO, reportZip, RUN } from './hostile-runs.ts';
import { Stage } from './stage.ts';

/** A run that says a text wherever a report may say anything. */
function runSaying(text: string): CiRun {
  const { report } = hostileReport();
  const check = report;
  for (const [index, one] of check.comparison.cases.entries()) {
    one.kernel = text;
    one.case = `${index}${text}`;
    one.variant = { [text.slice(0, 100)]: text };
    one.reason = text;
  }
  const [first] = check.comparison.cases;
  first!.verdict = 'incorrect';
  first!.fault = {
    detector: text,
    message: `${text}\n${text}`,
    during: 'check',
    output: `${text}\n${text}`,
    reproduce: text,
    tensor: {
      name: text,
      elements: 4,
      mismatches: 1,
      max_abs_err: 1,
      max_rel_err: 1,
      worst: { index: [1], got: 'nan', want: 0.5 },
    },
  };
  const key = check.comparison.cases[1]!;
  return ciRun({
    verdict: 'incorrect',
    check: {
      ...check,
      verdict: 'incorrect',
      notes: [text],
      hardware: text,
      commit: text,
      base_commit: text,
      environment: { host: text, os: text, cxx: text },
      waived: [{ key, waiver: { reason: text, author: text, expires: text } }],
      baseline: { path: text },
      profiles: [
        {
          key,
          change_pct: -20,
          summary: text,
          head: { finding: { rule: RULE_IDS[0], diagnosis: text, fix: text } },
          folder: text,
          seconds: 1,
        },
      ],
      comparison: { ...check.comparison, missing: [{ case: text }], device_mismatch: text },
      files: { report: text, [text.slice(0, 100)]: text },
    },
    steps: [{ name: 'build', status: 'warned', detail: text }],
    judge_changes: [{ kind: 'oracle', subject: text, text }],
  });
}

/** Tags that the report itself is made of. */
const OWN_TAGS = new Set(['details', 'summary', 'sub', 'br', 'code', 'pre', 'wbr']);
const RENDERED_TAGS = new Set(
  'p ul li strong em table thead tbody tr th td hr h1 h2 h3 h4 a blockquote'.split(' '),
);

const program = findCmarkGfm();

function tagsOf(html: string): string[] {
  return [...html.matchAll(/<\/?([a-z!][\w-]*)/giu)].map(([, name]) => name!.toLowerCase());
}

describe('attacks with text', () => {
  const stage = new Stage();

  /** As Markdown source and, where the renderer is there, as the page it becomes. */
  async function commentSaying(text: string): Promise<string> {
    const { comment } = await stage.shown(runSaying(text));
    const body = comment.replace(commentMarker('default'), '');
    expect(body).not.toContain('<!--');
    const page = `https://github.com/${REPO}/actions/runs/${RUN}`;
    const source = body.replaceAll(`(<${page}>)`, '').replaceAll(`(<${page}/artifacts/55>)`, '');
    expect(tagsOf(source).filter((tag) => !OWN_TAGS.has(tag))).toEqual([]);
    if (program !== undefined) {
      const html = renderGfm(program, body);
      expect(tagsOf(html).filter((tag) => !OWN_TAGS.has(tag) && !RENDERED_TAGS.has(tag))).toEqual([]);
      const targets = [...html.matchAll(/(?:href|src)="([^"]*)"/gu)].map(([, target]) => target!);
      expect(targets.filter((target) => !target.startsWith(page))).toEqual([]);
      expect(html.split('<details>')).toHaveLength(html.split('</details>').length);
      for (const table of html.split('<table>').slice(1)) {
        const cells = table
          .split('</table>')[0]!
          .split('<tr>')
          .slice(1)
          .map((row) => row.split(/<t[dh]/u).length);
        expect(new Set(cells).size).toBe(1);
      }
    }
    return body;
  }

  it('table break: pipes and line breaks in names stay within their cell', async () => {
    await commentSaying('a | b\n| c |\n|---|\n# heading');
  });

  it('mention storm: nobody is notified', async () => {
    const body = await commentSaying('@octocat @acme/everyone @a @b '.repeat(20));
    expect(body).not.toMatch(/@|&#64;(?!&#8203;)/u);
  });

  it('references: no issue, pull request or commit is linked', async () => {
    const body = await commentSaying(`#1 GH-2 acme/kernels#3 ${'0123456789'.repeat(4)}`);
    expect(body).not.toMatch(/&#35;(?!&#8203;)|GH-\d|(?<![\da-z`])[\da-f]{20,40}(?![\da-z])/u);
  });

  it('HTML: script, image and form stay text', async () => {
    await commentSaying('<script>alert(1)</script><img src=x onerror=alert(1)><form action=//e.example>');
  });

  it('unclosed HTML: <details> and <table> of the report stay closed', async () => {
    await commentSaying('</details></table></code><details><summary><pre>');
  });

  it('comment end: --> neither ends nor begins a comment', async () => {
    const body = await commentSaying('--> <!-- x --!> <!-->');
    expect(body).not.toMatch(/-->|<!--/u);
  });

  it('forged marker: another configuration’s comment cannot be named in the text', async () => {
    const marker = commentMarker('other');
    const body = await commentSaying(marker);
    expect(body).not.toContain(marker);
  });

  it('forged marker in somebody else’s comment: theirs is left alone', async () => {
    plant(stage.standIn, reportZip(goodRun()));
    const body = `mine ${commentMarker('default')}`;
    const [pull] = stage.standIn.state.pulls;
    stage.standIn.state.comments.push({
      id: 1,
      issue: pull!.number,
      user: { login: 'mallory', type: 'User' },
      body,
      created_at: '2026-11-01T00:00:00Z',
    });
    await publish(stage.standIn);
    expect(stage.standIn.state.comments).toMatchObject([
      { id: 1, body },
      { user: { login: 'github-actions[bot]' } },
    ]);
  });

  it('links: javascript, data and web addresses stay text', async () => {
    await commentSaying(
      '[a](javascript:alert(1)) ![x](https://e.example/p.png) https://e.example www.e.example <https://e.example> a@e.example',
    );
  });

  it('images: nothing is fetched from elsewhere', async () => {
    await commentSaying('![tracker](https://e.example/pixel.gif) <picture><source srcset=//e.example/x>');
  });

  it('references of Markdown: a definition does not become a link', async () => {
    await commentSaying('[run]: https://e.example\n\n[run] [^1]\n\n[^1]: note');
  });

  it('code: backticks and fences end nothing', async () => {
    await commentSaying('`` ` ``` \n```\n# x\n```\n~~~');
  });

  it('bidirectional and invisible characters do not reach the comment', async () => {
    const body = await commentSaying('a\u202Eb\u2066c\u200Bd\u{E0041}\u{E0042}\u3164\uFEFFe');
    expect(body).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B-\u200F\u{E0000}-\u{E007F}\u3164\uFEFF]/u);
  });

  it('ANSI: escape sequences do not reach the comment', async () => {
    const body = await commentSaying('\u001B[31mred\u001B[0m \u009B2J \u0007');
    expect(body).not.toMatch(/[^\P{Cc}\n]/u);
  });

  it('zalgo: a tower of marks is cut', async () => {
    const body = await commentSaying(`z${'\u0301\u0317'.repeat(300)}`);
    expect(body).not.toMatch(/\p{M}{5}/u);
  });

  it('emoji names and formulas stay text', async () => {
    const body = await commentSaying(':tada: :+1: $x^2$ $$y$$');
    expect(body).not.toMatch(/:tada:|:\+1:|(?<!&#36;&#8203;)\$/u);
  });

  it('character references are shown, not resolved', async () => {
    const body = await commentSaying('&lt;img src=x&gt; &#64;octocat &amp;');
    expect(body).not.toMatch(/&lt;img|&#64;octocat/u);
  });

  it('long text: a name of megabytes does not push the verdict off the page', async () => {
    const { comment } = await stage.shown(runSaying('long '.repeat(2000)));
    expect(comment.length).toBeLessThan(65_536);
    expect(comment).toMatch(/^⛔ \*\*.{0,200} gives wrong results in .{0,200}\*\*$/mu);
  });

  it('profile folder: a path that leads elsewhere is dropped', async () => {
    const { outcome } = await stage.shown(runSaying('../../../../secret'));
    const { profiles, files, baseline } = outcome.run.check!;
    expect(profiles?.every(({ folder }) => folder === undefined)).toBe(true);
    expect(files).toEqual({});
    expect(baseline).toEqual({ path: 'pawl-baseline.json' });
  });

  it('profile folder: an address is dropped', async () => {
    const { outcome } = await stage.shown(runSaying('https://e.example/x'));
    expect(outcome.run.check?.profiles?.every(({ folder }) => folder === undefined)).toBe(true);
  });

  it('failure text: what a compiler is said to have printed stays text', async () => {
    const text = '</pre><script>alert(1)</script>\n@octocat\n::error::x\n```\n<!-- pawl:comment default -->';
    const { comment } = await stage.shown(failedRun(text, text));
    expect(comment.replace(commentMarker('default'), '')).not.toMatch(/<script|@octocat|<!--|<\/pre><s/u);
  });
});
