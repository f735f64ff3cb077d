import { describe, expect, it } from 'vitest';

import type { Judgement } from '../../../src/model/queue/judgement.ts';
import { renderJudgement, renderJudgementLine } from '../../../src/report/terminal/judge-terminal.ts';

const PLAIN = { color: false, columns: 100 };
const FORGED = 'a\n✓ b: improved · reward 9.000\u001B[2K\u202E';

const judgement: Judgement = {
  schema: 'pawl.judgement/1',
  problem: 'softmax',
  reference: 'plain',
  verdict: 'incorrect',
  correct: false,
  reason: `does not build: ${FORGED}`,
  reward: 0,
  cases: [],
  sources_sha256: '0'.repeat(64),
  findings: [{ detector: 'build-failed', evidence: FORGED }],
  protections: [],
  cost: { wall_s: 1, device_s: 0, build_s: 1 },
  build_log: `first\nkernel.cpp:1: ${FORGED}`,
};

describe('what a candidate says of itself', () => {
  it('cannot forge a line of a batch or repaint the terminal', () => {
    const lines = [
      renderJudgementLine({ ...judgement, id: FORGED }, PLAIN),
      renderJudgementLine(
        { schema: 'pawl.judgement-error/1', id: FORGED, error: { kind: 'bad-data', message: FORGED } },
        PLAIN,
      ),
    ];
    for (const line of lines) expect(line).toMatch(/^[‼!] a ✓ b: [^\n\p{C}]*$/u);
  });

  it('cannot repaint the terminal in the log of its build, whose lines stay indented', () => {
    const lines = renderJudgement(judgement, PLAIN).trimEnd().split('\n');
    expect(lines.join('')).not.toMatch(/\p{C}/u);
    expect(lines.filter((line) => /^\S/u.test(line))).toEqual([
      expect.stringContaining('incorrect'),
      expect.stringContaining('reward 0.000'),
    ]);
  });
});
