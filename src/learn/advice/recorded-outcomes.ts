import type { FixOutcome } from '../../model/learn/advice.ts';

/**
 * What fixes brought in Pawl's own sessions on kernels that others published, and on its attention kernel: where a
 * project has no outcomes yet, these stand in for the share of a rule's estimate that would otherwise be assumed. The
 * sessions are in docs/results/h200; docs/results/advice.md has how far off this predicts kernels that it has not seen.
 *
 * Tries count that a session's own rules admit (outcomes-of.ts). Where a try named no finding, it is here only if its
 * hypothesis is the finding's own fix.
 */
export const RECORDED_OUTCOMES: readonly FixOutcome[] = [
  recorded('20261115-234141-attention-hopper', 3, {
    date: '2026-11-15T23:43:49.731Z',
    rule: 'fixed-latency',
    kind: 'attention',
    // Predicted by hand, from the cycles that were counted.
    expected_gain_pct: 3,
    change_pct: 0.27,
    ci_pct: [-0.2, 1.02],
  }),
  recorded('20261118-131444-softmax-forward', 1, {
    date: '2026-11-18T13:15:47.064Z',
    rule: 'memory-bound',
    kind: 'softmax_forward',
    // By the rule as it is since this session, which said "nothing to fix" (docs/results/loop.md).
    expected_gain_pct: 44,
    change_pct: 23.21,
    ci_pct: [23.03, 23.43],
  }),
  recorded('20261118-131700-adamw', 1, {
    date: '2026-11-18T13:18:06.151Z',
    // More bytes in flight per thread is this finding's fix; `pawl advise` ranked it first.
    rule: 'long-scoreboard',
    kind: 'adamw',
    expected_gain_pct: 41,
    change_pct: 14.63,
    ci_pct: [13.91, 15.49],
  }),
  recorded('20261118-132142-sgemm', 1, {
    date: '2026-11-18T13:22:52.709Z',
    rule: 'tensor-idle',
    kind: 'sgemm',
    expected_gain_pct: 75,
    change_pct: 37.46,
    ci_pct: [37.08, 37.95],
  }),
  recorded('20261118-132408-layernorm-forward', 1, {
    date: '2026-11-18T13:25:05.473Z',
    rule: 'memory-bound',
    kind: 'layernorm_forward',
    expected_gain_pct: 22,
    change_pct: -9.24,
    ci_pct: [-9.7, -8.67],
  }),
  recorded('20261118-132408-layernorm-forward', 2, {
    date: '2026-11-18T13:25:29.753Z',
    rule: 'memory-bound',
    kind: 'layernorm_forward',
    expected_gain_pct: 22,
    change_pct: 1.54,
    ci_pct: [0.94, 2.26],
  }),
  recorded('20261119-180249-layernorm-triton', 1, {
    date: '2026-11-19T18:04:26.972Z',
    rule: 'memory-bound',
    kind: 'layer_norm',
    // Predicted by hand: the profile had no such finding.
    expected_gain_pct: 10,
    change_pct: 26.96,
    ci_pct: [26.8, 27.18],
  }),
  recorded('20261119-180524-softmax-triton', 1, {
    date: '2026-11-19T18:06:45.462Z',
    rule: 'memory-bound',
    kind: 'softmax',
    expected_gain_pct: 18.4,
    change_pct: -0.46,
    ci_pct: [-1.58, 0.98],
  }),
  recorded('20261119-180658-layernorm-forward', 1, {
    date: '2026-11-19T18:07:45.787Z',
    rule: 'memory-bound',
    kind: 'layernorm_forward',
    expected_gain_pct: 20.1,
    change_pct: -0.21,
    ci_pct: [-1.25, 1.23],
  }),
  recorded('20261119-180658-layernorm-forward', 2, {
    date: '2026-11-19T18:08:04.465Z',
    rule: 'memory-bound',
    kind: 'layernorm_forward',
    expected_gain_pct: 20.1,
    change_pct: 3.38,
    ci_pct: [3.07, 3.81],
  }),
];

function recorded(
  session: string,
  number: number,
  outcome: Omit<FixOutcome, 'session' | 'try' | 'device'>,
): FixOutcome {
  return { session, try: number, device: 'NVIDIA H200', ...outcome };
}
