import type { Measurement, Samples } from '../model/measure/samples.ts';

/** Fewer processes than this do not tell how much processes differ (docs/statistics.md). */
const PROCESSES_TO_TELL = 3;
/** A process is judged by its fastest tenth from ten samples on, and by its median below that. */
const SAMPLES_FOR_A_TENTH = 10;

/** What cannot be concluded from imported samples, and what would change that. */
export function conclusionLimits({ device, measurements }: Samples): string[] {
  const count = (is: (one: Measurement) => boolean): number => measurements.filter(is).length;
  const of = (some: number): string =>
    `${some} of ${measurements.length} measurement${measurements.length === 1 ? '' : 's'}`;
  const summarized = count(({ series, summaries = [] }) => series.length === 0 && summaries.length > 0);
  const few = count((one) => processesOf(one) > 0 && processesOf(one) < PROCESSES_TO_TELL);
  const short = count((one) => one.series.length > 0 && longestProcess(one) < SAMPLES_FOR_A_TENTH);
  const unchecked = count(
    ({ check, series, summaries = [] }) => check === undefined && series.length + summaries.length > 0,
  );
  const failed = count(
    ({ check, series, summaries = [], lost = [] }) =>
      check === undefined && series.length + summaries.length === 0 && lost.length > 0,
  );
  const unnamed = count((one) => (one.device ?? device)?.name === undefined);
  return [
    ...(summarized > 0
      ? [
          `${of(summarized)} without samples: pawl compare uses the given means or medians, with wide intervals`,
        ]
      : []),
    ...(few > 0
      ? [
          `${of(few)} from fewer than ${PROCESSES_TO_TELL} processes: samples of one process do not show how much processes differ, so only large changes can be detected. Run the benchmark several times, better five than three, and name all its files: they become processes of one measurement`,
        ]
      : []),
    ...(short > 0
      ? [`${of(short)} with fewer than ${SAMPLES_FOR_A_TENTH} samples per process: judged by the median`]
      : []),
    ...(failed > 0 ? [`${of(failed)} failed or was skipped, and has no time`] : []),
    ...(unchecked > 0 ? [`${of(unchecked)} unchecked: the results may be wrong`] : []),
    ...(unnamed > 0
      ? [
          `${of(unnamed)} without a device, so Pawl cannot refuse to compare across devices. Name it with --device`,
        ]
      : []),
  ];
}

function processesOf({ series }: Measurement): number {
  return new Set(series.map((one) => one.process ?? one)).size;
}

function longestProcess({ series }: Measurement): number {
  const counts = new Map<unknown, number>();
  for (const one of series) {
    const process = one.process ?? one;
    counts.set(process, (counts.get(process) ?? 0) + one.samples_ms.length);
  }
  let longest = 0;
  for (const count of counts.values()) longest = Math.max(longest, count);
  return longest;
}
