import type { Study } from '../model/tune/study-report.ts';
import type { Trial, TrialOutcome } from '../model/tune/study.ts';

/** T4's word for a configuration that does not count. */
const INVALIDITY: Readonly<Record<'static' | 'build' | 'run', string>> = {
  static: 'constraints',
  build: 'compile',
  run: 'runtime',
};

/**
 * All trials in T4, the results format that Kernel Tuner, KTT and others exchange (FAIR results of auto-tuning;
 * schema version 1.0.0). Times are in seconds where they tell what the search cost and in milliseconds where they
 * are measurements.
 */
export function studyAsT4(study: Study): object {
  const start_ms = Date.parse(study.created_at);
  return {
    schema_version: '1.0.0',
    metadata: {
      tuner: 'pawl',
      kernel: study.kernel,
      case: study.case,
      device: study.device.name,
      study: study.id,
    },
    results: study.trials.flatMap((trial) => {
      const { outcome } = trial;
      return outcome === undefined ? [] : [resultOf(trial, outcome, start_ms)];
    }),
  };
}

function resultOf(trial: Trial, outcome: TrialOutcome, start_ms: number): object {
  const measured = outcome.status === 'measured';
  return {
    timestamp: new Date(start_ms + 1000 * (trial.told_s ?? 0)).toISOString(),
    configuration: trial.variant,
    times: {
      compilation_time: trial.build_s ?? 0,
      framework: 0,
      search_algorithm: 0,
      validation: 0,
      benchmark: trial.measure_s ?? 0,
      runtimes: measured ? [outcome.median_ms] : [],
    },
    invalidity: measured ? 'correct' : invalidity(outcome),
    correctness: measured ? 1 : 0,
    measurements: measured
      ? [
          { name: 'time', value: outcome.time_ms, unit: 'ms' },
          { name: 'median', value: outcome.median_ms, unit: 'ms' },
        ]
      : [],
    objectives: ['time'],
  };
}

function invalidity({ gate, reason }: Extract<TrialOutcome, { status: 'rejected' }>): string {
  if (reason === 'numerics') return 'correctness';
  if (reason === 'timed_out') return 'timeout';
  return INVALIDITY[gate];
}
