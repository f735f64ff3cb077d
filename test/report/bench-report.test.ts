import { describe, expect, it } from 'vitest';

import type { BenchReport, MeasuredBench } from '../../src/model/reports/bench-report.ts';
import { benchReportSchema } from '../../src/model/reports/bench-report.ts';
import type { Measurement, Samples } from '../../src/model/measure/samples.ts';
import { unmeasuredText } from '../../src/report/bench-groups.ts';
import { benchReport } from '../../src/report/bench-report.ts';
import { sampleRun, THRESHOLDS } from './sample-run.ts';

function measured(report: BenchReport, index = 0): MeasuredBench {
  const one = report.measurements[index]!;
  if (one.state !== 'measured') throw new Error('expected samples');
  return one;
}

function reportOf(...measurements: Measurement[]): BenchReport {
  return benchReport({ schema: 'pawl.samples/1', measurements }, THRESHOLDS);
}

function kinds(report: BenchReport, index = 0): string[] {
  return report.measurements[index]!.warnings.map(({ kind }) => kind);
}

describe('benchReport', () => {
  it('warns of a blind tolerance before anything else, with one that sees', () => {
    const blind = [
      { answer: 'zeros', tensor: 'y', max_abs_err: 1, atol: 1e-7, rtol: 1e-3, factor: 4 },
      { answer: 'input x', tensor: 'y', max_abs_err: 1, atol: 1e-7, rtol: 1e-3, factor: 4 },
      { answer: 'other inputs', tensor: 'z', max_abs_err: 1, atol: 0.25, rtol: 0, factor: 4 },
    ];
    const check = { passed: true, oracle: 'o', tensors: [], tampering: [], blind };
    const report = reportOf({ case: 'a', check, series: [{ samples_ms: [1] }] });
    expect(report.measurements[0]!.warnings[0]).toEqual({
      kind: 'blind-tolerance',
      message:
        "the tolerance is blind: zeros and a copy of 'x' would pass as 'y'; the output of other inputs would pass " +
        "as 'z': the result may be wrong, so the time does not count",
      remedy:
        'Write a tighter tolerance for the problem in pawl.yaml: tolerance: { atol: 1e-7, rtol: 0, factor: 4 }',
    });
    expect(report.measurements[0]!.check).toBe('not-checked');
    const sees = { ...check, blind: [] };
    expect(kinds(reportOf({ case: 'a', check: sees, series: [{ samples_ms: [1] }] }))).not.toContain(
      'blind-tolerance',
    );
  });

  it('is what its schema says, also after a way through JSON', () => {
    const report = benchReport(sampleRun(), THRESHOLDS);
    const read = benchReportSchema.parse(JSON.parse(JSON.stringify(report)));
    expect(read).toEqual(JSON.parse(JSON.stringify(report)));
  });

  it('takes throughput and bandwidth from the median', () => {
    const one = measured(
      reportOf({ case: 'a', operations: 17.18e9, bytes: 67.1e6, series: [{ samples_ms: [0.0485] }] }),
    );
    // The attention problem at 48.5 µs: 17.18 GFLOP / 48.5e-6 s = 354 TFLOP/s; 67.1 MB / 48.5e-6 s = 1.38 TB/s.
    expect(one.throughput_gflop_s).toBeCloseTo(354_226.8, 1);
    expect(one.bandwidth_gb_s).toBeCloseTo(1383.5, 1);
  });

  it('takes the median over processes, and percentiles over all samples', () => {
    const one = measured(
      reportOf({
        case: 'a',
        series: [{ samples_ms: [1, 1, 1, 1, 1] }, { samples_ms: [2] }, { samples_ms: [3] }],
      }),
    );
    expect(one.median_ms).toBe(2);
    expect(one.p50_ms).toBe(1);
    expect(one.ci_method).toBe('hierarchical');
    expect(one.between_process_pct).toBeGreaterThan(0);
  });

  it('says that the interval of a single process is a plain one, and that one process proves little', () => {
    const report = reportOf({ case: 'a', series: [{ samples_ms: [1, 2, 3] }] });
    expect(measured(report).ci_method).toBe('plain');
    expect(measured(report).between_process_pct).toBeUndefined();
    expect(kinds(report)).toContain('single-process');
  });

  it('has no spread to report for a single sample', () => {
    const one = measured(reportOf({ case: 'a', series: [{ samples_ms: [1] }] }));
    expect([one.sd_ms, one.cv_pct]).toEqual([undefined, undefined]);
  });

  it('keeps a measurement without samples, with what became of its series', () => {
    const lost = [{ process: 1, reason: 'crashed', message: 'SIGSEGV' }];
    const [one] = reportOf({ case: 'a', series: [], lost }).measurements;
    expect(one).toMatchObject({ state: 'unmeasured', processes: 0, samples: 0, lost });
  });

  it('counts throttled samples and leaves them out', () => {
    const one = measured(
      reportOf({
        case: 'a',
        series: [{ samples_ms: [1, 1], throttled_ms: [9, 9, 9], throttle_reasons: ['sw-power-cap'] }],
      }),
    );
    expect([one.throttled, one.samples, one.max_ms]).toEqual([3, 2, 1]);
    expect(one.warnings.find(({ kind }) => kind === 'throttling')?.message).toContain('sw-power-cap');
  });

  it('warns of variation above the threshold, and only then', () => {
    const noisy = { case: 'a', series: [{ samples_ms: [1, 2] }, { samples_ms: [1, 2] }] };
    expect(kinds(reportOf(noisy))).toEqual(['variation']);
    const calm = benchReport(
      { schema: 'pawl.samples/1', measurements: [noisy] },
      { ...THRESHOLDS, cv_pct: 99 },
    );
    expect(kinds(calm)).toEqual([]);
  });

  it('warns of heat, foreign processes, load, launch latency and what the run recorded', () => {
    const report = reportOf({
      case: 'a',
      device: { kind: 'cpu', cores: 2 },
      warnings: ['the moon was full'],
      series: [
        { samples_ms: [1, 1], timing: 'plain', state_before: { load_average: 3.5 } },
        { samples_ms: [1, 1], state_after: { temperature_c: 81, foreign_pids: [12] } },
      ],
    });
    expect(kinds(report)).toEqual(['temperature', 'foreign-processes', 'load', 'launch-latency', 'recorded']);
  });

  it('says nothing of temperatures at the threshold, nor of states it does not have', () => {
    const series = [{ samples_ms: [1, 1], state_after: { temperature_c: 80 } }, { samples_ms: [1, 1] }];
    expect(kinds(reportOf({ case: 'a', series }))).toEqual([]);
  });

  it('says what was wrong with a result', () => {
    const report = benchReport(sampleRun(), THRESHOLDS);
    expect(report.measurements[3]!.check).toBe('failed');
    expect(report.measurements[3]!.warnings[0]).toMatchObject({
      kind: 'incorrect',
      message: expect.stringContaining("4096 of 8388608 elements of 'o' differ from oracle.cpp"),
    });
  });

  it.each([
    ['memory-leaked', undefined, 'every call leaves 96 bytes of memory allocated'],
    ['nondeterministic', 'o', "12 of 64 elements of 'o' differed between two runs on the same inputs"],
  ] as const)('calls a right result that %s refuses refused, not wrong', (detector, tensor, message) => {
    const check = {
      passed: false,
      oracle: 'oracle.cpp',
      tensors: [{ name: 'o', elements: 64, mismatches: 0, max_abs_err: 0, max_rel_err: 0 }],
      tampering: [{ detector, message, ...(tensor === undefined ? {} : { tensor }) }],
    };
    const [one] = reportOf({ case: 'a', check, series: [] }).measurements;
    expect(one!.warnings[0]!.message).toBe(`refused: ${detector}: ${message}`);
    expect(unmeasuredText(one!)).toBe(`refused: ${detector}, not timed`);
  });

  it('warns of a run that was cut short and of clocks that could not be locked', () => {
    const run: Samples = { ...sampleRun(), incomplete: 'interrupted' };
    const warnings = benchReport(run, THRESHOLDS).warnings;
    expect(warnings.map(({ kind }) => kind)).toEqual(['incomplete', 'clocks']);
  });

  it('takes the device from the measurements where the file names none, and keeps others apart', () => {
    const h200 = { name: 'NVIDIA H200', uuid: 'GPU-1' };
    const cpu = { name: 'Xeon' };
    const series = [{ samples_ms: [1] }];
    const report = reportOf({ case: 'a', device: h200, series }, { case: 'b', device: cpu, series });
    expect(report.device).toEqual(h200);
    expect(report.measurements.map(({ device }) => device)).toEqual([undefined, cpu]);
  });

  it('sums up an empty run', () => {
    expect(reportOf().measurements).toEqual([]);
  });
});
