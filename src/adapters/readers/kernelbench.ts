import type { Verification } from '../../model/correctness/verification.ts';
import type { DeviceInfo } from '../../model/device/device.ts';
import type { Adapter, Source } from '../adapter.ts';
import { field, fieldsOf, textOf } from '../fields.ts';
import { ReadingBuilder, type Stated } from '../reading-builder.ts';
import { toMilliseconds } from '../time-unit.ts';
import { statedTimes } from '../stated-times.ts';

const PROBLEM = /^\d+$/u;
const LEVEL = /^level_?\d+$/u;
/** The first line of a compiler's output is enough to know it by. */
const MAX_MESSAGE = 300;

/**
 * `eval_results.json` of KernelBench's `eval_from_generations.py` (https://github.com/ScalingIntelligence/KernelBench):
 * for each problem the samples a model wrote, with correctness and statistics of their times; and the baseline times
 * of its reference models. Times are in ms, rounded to three digits, without samples.
 */
export const kernelbenchAdapter: Adapter = {
  format: 'kernelbench',
  tool: 'KernelBench',
  detect({ json }) {
    const entries = Object.entries(fieldsOf(json?.value) ?? {});
    if (entries.length === 0) return 0;
    if (entries.every(([name]) => PROBLEM.test(name))) {
      const first = evaluationsOf(entries[0]![1])[0];
      return typeof field(first, 'compiled') === 'boolean' && field(first, 'correctness') !== undefined
        ? 1
        : 0;
    }
    return entries.every(([name, value]) => LEVEL.test(name) && fieldsOf(value) !== undefined) ? 0.9 : 0;
  },
  read(source: Source) {
    const builder = new ReadingBuilder(source);
    builder.unit('ms', 'times');
    builder.note(
      'doubt',
      'KernelBench rounds times to three digits: a change below a percent may be rounding',
    );
    const devices = new Set<string>();
    for (const [name, value] of Object.entries(fieldsOf(source.json?.value) ?? {})) {
      if (LEVEL.test(name)) {
        for (const [problem, stats] of Object.entries(fieldsOf(value) ?? {})) {
          addBaseline(builder, `${name}/${problem.replace(/\.py$/u, '')}`, stats);
        }
      } else for (const each of evaluationsOf(value)) addEvaluation(builder, name, each, devices);
    }
    const [device] = devices;
    return builder.build(
      devices.size === 1 ? ({ kind: 'cuda', name: device! } satisfies DeviceInfo) : undefined,
    );
  },
};

/** A list since several samples a problem can be evaluated; a single record before. */
function evaluationsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function addEvaluation(
  builder: ReadingBuilder,
  problem: string,
  evaluation: unknown,
  devices: Set<string>,
): void {
  const sample = field(evaluation, 'sample_id');
  const subject = {
    kernel: `problem-${problem}`,
    case: typeof sample === 'number' ? `sample-${sample}` : 'sample-0',
  };
  const name = `${subject.kernel}/${subject.case}`;
  const metadata = field(evaluation, 'metadata');
  const stats = field(evaluation, 'runtime_stats');
  const hardware = textOf(field(stats, 'hardware')) ?? textOf(field(metadata, 'hardware'));
  const device = hardware === undefined ? {} : { device: { kind: 'cuda' as const, name: hardware } };
  if (hardware !== undefined) devices.add(hardware);
  if (field(evaluation, 'compiled') !== true) {
    const why = textOf(field(metadata, 'compilation_error')) ?? textOf(field(metadata, 'cuda_error'));
    const message = `it did not compile or load${why === undefined ? '' : `: ${why.slice(0, MAX_MESSAGE)}`}`;
    builder.add(
      { ...subject, ...device, lost: [{ process: 1, reason: 'load-failed', during: 'check', message }] },
      { series: [] },
    );
    return;
  }
  const passed = field(evaluation, 'correctness') === true;
  const summary = passed ? builder.summary(statedOf(stats, field(evaluation, 'runtime'))) : undefined;
  if (passed && summary === undefined) {
    const message = 'it was correct but not timed';
    builder.noteOf('dropped', 'kernels that were not timed', name);
    builder.add(
      {
        ...subject,
        ...device,
        check: checkOf(true),
        lost: [{ process: 1, reason: 'not-timed', during: 'timing', message }],
      },
      { series: [] },
    );
    return;
  }
  builder.add(
    { ...subject, ...device, check: checkOf(passed) },
    { series: [], ...(summary === undefined ? {} : { summaries: [summary] }) },
  );
}

function addBaseline(builder: ReadingBuilder, kernel: string, stats: unknown): void {
  const summary = builder.summary(statedOf(stats, undefined));
  const hardware = textOf(field(stats, 'hardware'));
  if (summary === undefined) {
    builder.noteOf('dropped', 'problems without a time', kernel);
    return;
  }
  builder.add(
    {
      kernel,
      case: 'reference',
      ...(hardware === undefined ? {} : { device: { kind: 'cuda', name: hardware } }),
    },
    { series: [], summaries: [summary] },
  );
}

/** A runtime of −1 stands for "not measured". */
function statedOf(stats: unknown, runtime: unknown): Stated {
  const own = {
    mean: 'mean',
    median: 'median',
    min: 'min',
    max: 'max',
    stddev: 'std',
    samples: 'num_trials',
  };
  const stated = statedTimes(stats, 'ms', own);
  return field(stats, 'mean') === undefined ? { ...stated, mean_ms: toMilliseconds(runtime, 'ms') } : stated;
}

function checkOf(passed: boolean): Verification {
  const notes = ['KernelBench compared the outputs with the PyTorch reference; Pawl did not'];
  return { passed, oracle: "KernelBench's PyTorch reference", tensors: [], tampering: [], notes };
}
