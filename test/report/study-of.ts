import type { Study } from '../../src/model/tune/study-report.ts';
import type { Trial } from '../../src/model/tune/study.ts';

/** A study of one tunable A, by the times of its values. */
export function studyOf(times: Readonly<Record<number, number>>, more: Partial<Study> = {}): Study {
  const trials = Object.entries(times).map(([value, time_ms], index): Trial => ({
    number: index + 1,
    variant: { A: Number(value) },
    phase: index === 0 ? 'default' : 'search',
    outcome: {
      status: 'measured',
      time_ms,
      median_ms: time_ms,
      samples: 9,
      processes: 1,
      stopped_early: false,
    },
  }));
  const best = trials.toSorted(
    (one, other) => times[Number(one.variant.A)]! - times[Number(other.variant.A)]!,
  )[0]!;
  return {
    schema: 'pawl.study/1',
    id: 'study-1',
    kernel: 'k',
    case: 'c',
    mode: 'hot',
    dims: { N: 1 },
    device: { kind: 'cuda', name: 'GPU' },
    default: trials[0]!.variant,
    space: {
      parameters: [{ name: 'A', kind: 'ordered', values: Object.keys(times).map(Number) }],
      constraints: [],
      product: trials.length,
      size: trials.length,
      extent: 'all are feasible',
    },
    created_at: '2026-01-01T00:00:00.000Z',
    settings: { sampler: 'model', seed: 1, confirm: 3, processes: 1, samples: 40, warm: [] },
    result: 'improved',
    reason: 'it is faster.',
    best: { trial: best.number, variant: best.variant, time_ms: times[Number(best.variant.A)]! },
    default_ms: times[Number(trials[0]!.variant.A)]!,
    improvement_pct: 5,
    ended_by: 'space',
    finished_at: '2026-01-01T00:10:00.000Z',
    trials,
    confirmations: [
      {
        trial: best.number,
        variant: best.variant,
        verdict: 'improved',
        reason: 'clear.',
        speedup: 1.5,
        speedup_ci: [1.4, 1.6],
        processes: [6, 6],
        device_s: 1,
      },
    ],
    rejections: {},
    throughput: {
      wall_s: 600,
      search_s: 500,
      measuring_s: 400,
      measuring_share: 0.8,
      trials_per_minute: 12,
      building_s: 3000,
      builds_at_once: 15,
    },
    cost: { wall_s: 600, device_s: 600 },
    notes: [],
    files: {},
    ...more,
  };
}
