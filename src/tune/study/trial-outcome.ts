import { summarizeProcesses } from '../../judge/process-summary.ts';
import { faultOf, faultText } from '../../model/fault.ts';
import type { Rejection } from '../../model/rejection.ts';
import type { RejectedOutcome, TrialOutcome } from '../../model/study.ts';
import { detectorOf } from '../../model/fault.ts';
import { bootstrapMedian, median } from '../../stats/index.ts';
import type { Tried } from './try-variant.ts';

/** What running a variant means for the study. */
export function trialOutcome(tried: Tried, caseName: string): TrialOutcome {
  switch (tried.status) {
    case 'measured':
      return measured(tried);
    case 'wrong': {
      const fault = faultOf({ case: caseName, check: tried.check, series: [] });
      return rejection('numerics', fault === undefined ? 'its results are wrong' : faultText(fault));
    }
    case 'failed': {
      const where = tried.during === 'check' ? 'in its check' : 'when timed';
      return rejection(reasonOf(tried.reason), `${where}: ${tried.message}`);
    }
  }
}

function measured({ series, stoppedEarly }: Extract<Tried, { status: 'measured' }>): TrialOutcome {
  const processes = summarizeProcesses(series).map(({ time }) => time);
  const samples = series.flatMap(({ samples_ms }) => samples_ms);
  const interval = bootstrapMedian(samples);
  return {
    status: 'measured',
    time_ms: median(processes.map((each) => Math.exp(each.fastest ?? each.median))),
    median_ms: median(processes.map((each) => Math.exp(each.median))),
    ci_ms: [interval.low, interval.high],
    samples: samples.length,
    processes: processes.length,
    stopped_early: stoppedEarly,
  };
}

/** How a runner failed, in the words of the list of rejections. */
function reasonOf(reason: Extract<Tried, { status: 'failed' }>['reason']): Rejection {
  if (detectorOf(reason) !== undefined) return 'numerics';
  if (reason === 'hung') return 'timed_out';
  if (reason === 'out-of-memory') return 'oom_risk';
  return 'run_failed';
}

function rejection(reason: Rejection, message: string): RejectedOutcome {
  return { status: 'rejected', gate: 'run', reason, message };
}
