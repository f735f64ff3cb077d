import { describe, expect, it } from 'vitest';

import type { Advice, RankedFix } from '../../../src/model/learn/advice.ts';
import { renderAdvice } from '../../../src/report/terminal/advice-terminal.ts';

const FIX: RankedFix = {
  rank: 1,
  rule: 'low-occupancy',
  diagnosis: 'Few warps.',
  fix: 'Use fewer registers.',
  rule_gain_pct: 20,
  expected_gain_pct: 10,
  ci_pct: [2, 16],
  outcomes: 1,
  weight: 1,
  evidence: [
    {
      session: 's1',
      try: 2,
      date: '2026-05-01T10:00:00Z',
      rule: 'low-occupancy',
      kind: 'attention',
      device: 'NVIDIA H200',
      expected_gain_pct: 18,
      change_pct: -3,
    },
  ],
  explanation: 'The rule says up to 20 %; 1 recorded fix brought −3.0 %. Expected 10 % (2.0 to 16 %): first.',
};
const ADVICE: Advice = {
  schema: 'pawl.advice/1',
  kernel: 'attention-cuda',
  kind: 'attention',
  device: 'NVIDIA H200',
  profile: { source: 'rep.csv', case: 'training_512' },
  fixes: [FIX],
  basis: 'recorded',
};

describe('advice in a terminal', () => {
  it('shows each fix with its bar, expectation and reason', () => {
    expect(renderAdvice(ADVICE)).toBe(`attention-cuda · attention · NVIDIA H200
profile: training_512 · rep.csv
Ranked by what such fixes gained in recorded sessions.

  1. low-occupancy           ███████████████▒▒▒▒▒▒▒▒▒░░░░░│   10 %
     Few warps.
     → Use fewer registers.
     The rule says up to 20 %; 1 recorded fix brought −3.0 %. Expected 10 % (2.0 to 16 %): first.

█ expected  ▒ to the upper end of the 80 % interval  │ the rule's own estimate; bars end at 20 % of the time
`);
  });

  it('names the outcomes that a rank rests on when asked', () => {
    expect(renderAdvice(ADVICE, { verbose: true })).toContain(
      '2026-05-01 s1, try 2, attention on NVIDIA H200: −3.0 % of 18 %',
    );
  });

  it("says when the order is the rules' own, and when there is nothing to fix", () => {
    expect(renderAdvice({ ...ADVICE, basis: 'rules' })).toContain('the order is that of the rules');
    expect(renderAdvice({ ...ADVICE, fixes: [] })).toContain('No rule found anything to fix.');
  });

  it('tells what was predicted, and how far predictions were off', () => {
    const text = renderAdvice({
      ...ADVICE,
      prediction: {
        minutes: 90,
        minutes_ci: [50, 160],
        speedup: 1.1,
        speedup_ci: [0.8, 1.5],
        sessions: 4,
        basis: '4 sessions that ended.',
      },
      prediction_error: { sessions: 4, minutes_factor: 1.5, speedup_factor: 1.2 },
    });
    expect(text).toContain('90 min (50 to 160)');
    expect(text).toContain('1.10× (0.80× to 1.50×)');
    expect(text).toContain('minutes by 1.50×, speed-ups by 1.20×');
  });

  it('shows names from elsewhere as one line of what can be seen', () => {
    const text = renderAdvice({ ...ADVICE, device: 'H200\u001b[2J\nroot#' });
    expect(text).not.toContain('\u001b');
    expect(text.split('\n')[0]).toContain('root#');
  });
});
