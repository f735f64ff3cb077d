import { PawlError } from '../../model/pawl-error.ts';
import type { TrialOutcome } from '../../model/tune/study.ts';
import { bootstrapMedian, median, quantile } from '../../stats/index.ts';
import { verificationGate, failedRunGate } from '../gates/run-gate.ts';
import type { Tried } from './try-variant.ts';

/**
 * What stands for a process in the search: what disturbs a timing makes it longer, and of few samples some may be
 * short by a lucky clock. The lower quartile minds neither.
 */
const LEVEL = 0.25;

/**
 * What running a variant means for the study.
 *
 * @throws {PawlError} where it failed for a reason that says nothing about the variant, or nothing can be known of any
 */
export function trialOutcome(tried: Tried): TrialOutcome {
  switch (tried.status) {
    case 'measured':
      return measured(tried);
    case 'wrong':
      return { status: 'rejected', ...verificationGate(tried.check)! };
    case 'unproven':
      throw new PawlError(
        'configuration',
        `No variant can be checked for correctness: ${tried.why.message}.`,
        `${tried.why.remedy}, then tune again.`,
      );
    case 'failed': {
      const rejection = failedRunGate(tried);
      if (rejection === undefined) {
        throw new PawlError(
          'unavailable',
          `A variant could not be run: ${tried.message}`,
          'Run: pawl doctor',
        );
      }
      const where = tried.during === 'check' ? 'in its check' : 'when timed';
      return { status: 'rejected', ...rejection, message: `${where}: ${rejection.message}` };
    }
  }
}

function measured({ series, stoppedEarly }: Extract<Tried, { status: 'measured' }>): TrialOutcome {
  const samples = series.flatMap(({ samples_ms }) => samples_ms);
  const interval = bootstrapMedian(samples);
  return {
    status: 'measured',
    time_ms: median(series.map(({ samples_ms }) => quantile(samples_ms, LEVEL))),
    median_ms: interval.median,
    ci_ms: [interval.low, interval.high],
    samples: samples.length,
    processes: series.length,
    stopped_early: stoppedEarly,
  };
}
