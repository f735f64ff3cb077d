import { compareSamples } from '../../src/judge/compare-measurements.ts';
import type { CheckReport } from '../../src/model/reports/check-report.ts';
import type { CaseKey } from '../../src/model/judge/comparison.ts';
import type { Measurement, Samples } from '../../src/model/measure/samples.ts';
import type { ComparedSamples } from '../../src/report/comparison-samples.ts';
import type { Behaviour } from '../judge/samples-of.ts';
import { measurementOf, samplesOf } from '../judge/samples-of.ts';
import { HOSTILE } from './hostile.ts';

const START = Date.parse('2026-11-15T02:10:00Z');
const WRONG = { passed: false, oracle: 'oracle.cpp', tensors: [], tampering: [] };

/** A side's series start in turn with the other side's. */
function measured(
  name: string,
  behaviour: Behaviour,
  offset: number,
  rest: Partial<Measurement> = {},
): Measurement {
  const measurement = measurementOf(behaviour, {
    kernel: 'attention',
    mode: 'cold',
    variant: {},
    ...rest,
    case: name,
  });
  return {
    ...measurement,
    series: measurement.series.map((one, index) =>
      Object.assign(one, { started_at: new Date(START + 1000 * (2 * index + offset)).toISOString() }),
    ),
  };
}

function keyOf(name: string): CaseKey {
  return { kernel: 'attention', case: name, variant: {}, mode: 'cold' };
}

/** Ten processes per side of every verdict there is; `loud` has five that differ widely. */
export function comparedRun(): ComparedSamples {
  const level_ms = 0.0533;
  const base = samplesOf(
    measured('slower', { level_ms, processes: 10, seed: 1 }, 0),
    measured('same', { level_ms, processes: 10, seed: 2 }, 0),
    measured('faster', { level_ms, processes: 10, seed: 3 }, 0),
    measured('loud', { level_ms, processes: 5, between: 0.02, seed: 4 }, 0),
    measured('accepted', { level_ms, processes: 10, seed: 5 }, 0),
    measured('broken', { level_ms, processes: 10, seed: 6 }, 0),
    measured('gone', { level_ms, processes: 10, seed: 7 }, 0),
  );
  const head = samplesOf(
    measured('same', { level_ms, processes: 10, seed: 12 }, 1),
    measured('faster', { level_ms: level_ms * 0.85, processes: 10, seed: 13 }, 1),
    measured('slower', { level_ms: level_ms * 1.06, processes: 10, seed: 11 }, 1),
    measured('loud', { level_ms, processes: 5, between: 0.02, seed: 14 }, 1),
    measured('accepted', { level_ms: level_ms * 1.08, processes: 10, seed: 15 }, 1),
    measured('broken', { level_ms, processes: 10, seed: 16 }, 1, { check: WRONG }),
    measured('added', { level_ms, processes: 10, seed: 17 }, 1),
  );
  return { base, head };
}

/** What `pawl check` makes of the run: `accepted` is waived, `faster` became the baseline. */
export function checkedRun(samples: ComparedSamples = comparedRun()): CheckReport {
  return {
    ...comparedReport(samples),
    waived: [
      {
        key: keyOf('accepted'),
        waiver: { reason: 'masked rows are exact now', author: 'Ada Example', expires: '2026-12-31' },
      },
    ],
    advanced: [{ key: keyOf('faster'), old_ms: 0.0533, new_ms: 0.0453, change_pct: 15 }],
    new_cases: [keyOf('added')],
    baseline: { path: 'pawl-baseline.json' },
    notes: [],
    hardware: 'NVIDIA H200 · driver 580.159.04',
    commit: '8c41d7e9aa0b5f10',
    base_commit: '3f9d2c1b7a60',
    environment: { host: 'gpu-host', pawl: '0.1.0' },
    cost: { wall_s: 142, device_s: 61 },
  };
}

/** What `pawl compare` makes of two files. */
export function comparedReport({ base, head }: ComparedSamples): CheckReport {
  const comparison = compareSamples(base, head);
  return {
    schema: 'pawl.check/1',
    verdict: comparison.verdict,
    comparison,
    notes: [],
    waived: [],
    advanced: [],
    new_cases: [],
    files: {},
  };
}

/** The named cases only, in the run's order. */
export function only({ base, head }: ComparedSamples, ...names: string[]): ComparedSamples {
  const keep = (samples: Samples): Samples => ({
    ...samples,
    measurements: samples.measurements.filter((one) => names.includes(one.case)),
  });
  return { base: keep(base), head: keep(head) };
}

/** A report in which every free text is hostile, with its samples. */
export function hostileReport(): { report: CheckReport; samples: ComparedSamples } {
  const side = (levels_ms: readonly number[], seed: number): Samples =>
    samplesOf(
      ...levels_ms.map((level_ms, index) =>
        measured(`${HOSTILE}${index}`, { level_ms, processes: 5, seed: seed + index }, 0, {
          kernel: `${HOSTILE}${index}`,
          variant: { [HOSTILE]: HOSTILE },
        }),
      ),
    );
  // Waived, regressed and advanced.
  const samples = { base: side([1, 1, 1], 21), head: side([1.2, 1.2, 0.8], 31) };
  const report = comparedReport(samples);
  const [first, , last] = report.comparison.cases.map(({ kernel, case: name, variant, mode }) => ({
    kernel,
    case: name,
    variant,
    mode,
  }));
  for (const one of report.comparison.cases) one.reason = HOSTILE;
  report.comparison.missing = [{ case: HOSTILE }];
  report.comparison.device_mismatch = HOSTILE;
  return {
    samples,
    report: {
      ...report,
      control: report.comparison,
      waived: [{ key: first!, waiver: { reason: HOSTILE, author: HOSTILE, expires: HOSTILE } }],
      advanced: [{ key: last!, old_ms: 1, new_ms: 0.8, change_pct: 20 }],
      new_cases: [first!],
      baseline: { path: HOSTILE },
      notes: [HOSTILE],
      hardware: HOSTILE,
      commit: HOSTILE,
      base_commit: HOSTILE,
      environment: { host: HOSTILE, cxx: HOSTILE },
      files: { report: HOSTILE },
    },
  };
}
