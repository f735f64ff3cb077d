import { defined } from '../../../model/defined.ts';
import type { BenchReport } from '../../../model/reports/bench-report.ts';
import { faultText, lostText } from '../../../model/measure/fault.ts';
import type { Measurement } from '../../../model/measure/samples.ts';
import type { Variant } from '../../../model/problem/variant.ts';
import { benchReport } from '../../../report/bench-report.ts';
import { timeText } from '../../../report/text/units.ts';
import { bench } from '../../runs/bench.ts';
import { compare } from '../../runs/compare.ts';
import { WORKTREE } from '../../../rig/worktrees.ts';
import { QUICK_LOOK, workingOptions, type EvidenceContext } from './evidence-context.ts';
import type { MeasuredCase, MeasuredPair, MeasuredSide } from './measured-pair.ts';

export interface PairOptions {
  /** Default: few, for a quick look. */
  readonly processes?: number;
  /** As pawl.yaml has it measured, and kept in history. Default false: a quick look, which is not part of a trend. */
  readonly isFull?: boolean;
}

/**
 * Kernel and reference in the same minutes: by `bench` in random order where the reference is a kernel, by `compare`
 * in interleaved blocks where it is a commit. What gates of the same run have looked at is not measured again.
 */
export async function measurePair(
  context: EvidenceContext,
  cases: readonly string[],
  options: PairOptions = {},
): Promise<MeasuredPair> {
  if (options.isFull === true || options.processes !== undefined) return measureNow(context, cases, options);
  const known = context.looks?.of(cases);
  if (known !== undefined) return known;
  const pair = await measureNow(context, cases, options);
  context.looks?.add(pair);
  return pair;
}

async function measureNow(
  context: EvidenceContext,
  cases: readonly string[],
  options: PairOptions,
): Promise<MeasuredPair> {
  const { commit } = context.reference;
  const isQuick = options.isFull !== true;
  const processes = options.processes ?? context.processes ?? QUICK_LOOK.processes;
  const how = { ...(isQuick ? { ...QUICK_LOOK, history: false } : {}), processes };
  const measured =
    context.reference.kernel === undefined && commit !== undefined
      ? await againstCommit(context, cases, how, commit)
      : await againstKernel(context, cases, how);
  const { thresholds } = context.loaded.config;
  const { base, head } = measured.samples;
  const [before, after] = [benchReport(base, thresholds), benchReport(head, thresholds)];
  return {
    ...measured,
    processes,
    device: after.device ?? before.device,
    cases: cases.map((name) => {
      const kernel = sideOf(after, name, measured.skipped.head);
      const reference = sideOf(before, name, measured.skipped.base);
      const isBoth = kernel.median_ms !== undefined && reference.median_ms !== undefined;
      return {
        case: name,
        kernel,
        reference,
        ...(isBoth ? { speedup: reference.median_ms / kernel.median_ms } : {}),
      };
    }),
  };
}

interface How extends Partial<Omit<typeof QUICK_LOOK, 'processes'>> {
  readonly processes: number;
  readonly history?: boolean;
}

interface Measured extends Pick<MeasuredPair, 'samples' | 'device_s' | 'sources' | 'comparison'> {
  readonly skipped: { readonly base: string | undefined; readonly head: string | undefined };
}

async function againstKernel(
  context: EvidenceContext,
  cases: readonly string[],
  how: How,
): Promise<Measured> {
  const { kernel, reference } = context;
  const only = reference.kernel === undefined ? [kernel] : [kernel, reference.kernel];
  const outcome = await bench({
    ...workingOptions(context),
    ...how,
    ...defined({ judge: context.judge }),
    only,
    cases,
    allowNone: true,
  });
  const { measurements } = outcome.samples;
  const head = measurements.filter((one) => one.kernel === kernel);
  const base = measurements
    .filter((one) => one.kernel === reference.kernel)
    .map((one) => underName(one, kernel, head[0]?.variant));
  const skipped = (name: string | undefined) => outcome.skipped.find((one) => one.kernel === name)?.message;
  return {
    samples: {
      base: { ...outcome.samples, measurements: base },
      head: { ...outcome.samples, measurements: head },
    },
    device_s: outcome.times.reduce((sum, { device_s }) => sum + device_s, 0),
    sources: [
      {
        command: `pawl bench ${only.map((name) => `--only ${name}`).join(' ')}`,
        file: outcome.files.samples,
      },
    ],
    skipped: { base: skipped(reference.kernel), head: skipped(kernel) },
  };
}

/** Two kernels of one problem are compared as if they were two builds of one. */
function underName(measurement: Measurement, kernel: string, variant: Variant | undefined): Measurement {
  return { ...measurement, kernel, variant };
}

async function againstCommit(
  context: EvidenceContext,
  cases: readonly string[],
  how: How,
  commit: string,
): Promise<Measured> {
  const { report, samples } = await compare({
    ...workingOptions(context),
    ...how,
    what: 'revisions',
    judge: context.judge === undefined ? { by: 'head' } : { by: 'ruled', loaded: context.judge },
    base: commit,
    head: WORKTREE,
    only: [context.kernel],
    cases,
    control: false,
    // Also where nothing was changed yet: the reference has to have a time.
    measureIdentical: true,
  });
  return {
    samples,
    comparison: report.comparison,
    device_s: report.cost?.device_s ?? 0,
    sources: [{ command: `pawl compare --base ${commit.slice(0, 10)} --only ${context.kernel}` }],
    skipped: { base: undefined, head: undefined },
  };
}

function sideOf(report: BenchReport, name: string, skipped: string | undefined): MeasuredSide {
  const found = report.measurements.find((one) => one.case === name);
  if (found === undefined) return { isRight: false, problem: skipped ?? `${name} was not measured` };
  if (found.fault !== undefined) return { isRight: false, problem: faultText(found.fault) };
  if (found.state === 'unmeasured') {
    const [lost] = found.lost;
    return { isRight: false, problem: lost === undefined ? 'no series was taken' : lostText(lost) };
  }
  return { isRight: found.check !== 'failed', median_ms: found.median_ms };
}

/** `tiny_64: 0.84× of sdpa-cudnn (62.5 µs against 52.4 µs)`. */
export function caseLine(
  reference: string,
  { case: name, kernel, reference: other, speedup }: MeasuredCase,
): string {
  if (speedup === undefined || kernel.median_ms === undefined || other.median_ms === undefined) {
    return `${name}: ${kernel.problem ?? other.problem ?? 'not measured'}`;
  }
  const times = `${roughTime(kernel.median_ms)} against ${roughTime(other.median_ms)}`;
  return `${name}: ${speedup.toPrecision(3)}× of ${reference} (${times})`;
}

/** As exact as a quick look is. */
export function roughTime(time_ms: number): string {
  return timeText(time_ms, 3);
}
