import { defined } from '../../model/defined.ts';
import type { DeviceInfo } from '../../model/device/device.ts';
import type { Adapter, Source } from '../adapter.ts';
import { countOf, dimsOf, field, fieldsOf, listOf, path, textOf } from '../fields.ts';
import { ReadingBuilder, type Stated } from '../reading-builder.ts';
import { toMilliseconds } from '../time-unit.ts';
import { readFloats } from './nvbench-sidecar.ts';

const TIMES = 'nv/json/bin:nv/cold/sample_times';
const CLOCKS = 'nv/json/freqs-bin:nv/cold/sample_freqs';

/**
 * `--jsonbin` and `--json` of nvbench (https://github.com/NVIDIA/nvbench/blob/main/docs/cli_help.md), file version 1.
 * Only `--jsonbin` keeps the samples, as float32 in files beside the JSON. What is read is the cold measurement.
 */
export const nvbenchAdapter: Adapter = {
  format: 'nvbench',
  tool: 'nvbench',
  detect({ json }) {
    const root = json?.value;
    const benchmarks = listOf(path(root, 'benchmarks'));
    if (benchmarks.length === 0 || !Array.isArray(field(benchmarks[0], 'states'))) return 0;
    return fieldsOf(path(root, 'meta', 'version', 'nvbench')) === undefined ? 0.9 : 1;
  },
  read(source: Source) {
    const builder = new ReadingBuilder(source);
    const root = source.json?.value;
    builder.unit('s', 'cold GPU times');
    const devices = listOf(path(root, 'devices'));
    const version = textOf(path(root, 'meta', 'version', 'nvbench', 'string'));
    for (const benchmark of listOf(path(root, 'benchmarks'))) {
      const kernel = textOf(field(benchmark, 'name'));
      if (kernel === undefined) {
        builder.noteOf('dropped', 'benchmarks without a name', '1');
        continue;
      }
      const isOnSeveral = listOf(field(benchmark, 'devices')).length > 1;
      for (const state of listOf(field(benchmark, 'states'))) {
        const device = deviceOf(devices.find((each) => field(each, 'id') === field(state, 'device')));
        addState(builder, source, { kernel, state, device, version, isOnSeveral });
      }
    }
    return builder.build();
  },
};

interface State {
  readonly kernel: string;
  readonly state: unknown;
  readonly device: DeviceInfo | undefined;
  readonly version: string | undefined;
  readonly isOnSeveral: boolean;
}

function addState(
  builder: ReadingBuilder,
  source: Source,
  { kernel, state, device, version, isOnSeveral }: State,
): void {
  const description = textOf(field(state, 'name')) ?? '';
  const shown = isOnSeveral ? description : description.replace(/^Device=\d+\s*/u, '');
  const subject = { kernel, case: shown.trim() === '' ? 'default' : shown.trim(), mode: 'cold' as const };
  const name = `${kernel}/${subject.case}`;
  const dims = dimsOf(
    listOf(field(state, 'axis_values')).map((axis) => [textOf(field(axis, 'name')) ?? '', numberOf(axis)]),
  );
  const common = {
    ...subject,
    ...defined({ device, dims }),
    ...(version === undefined ? {} : { versions: { nvbench: version } }),
  };
  if (field(state, 'is_skipped') === true) {
    const message = textOf(field(state, 'skip_reason')) ?? 'it was skipped';
    builder.noteOf('dropped', 'states that nvbench skipped', `${name}: ${message}`);
    builder.add(
      { ...common, lost: [{ process: 1, reason: 'skipped', during: 'timing', message }] },
      { series: [] },
    );
    return;
  }
  const summaries = listOf(field(state, 'summaries'));
  const stated = statedOf(summaries);
  const series = seriesOf(builder, source, summaries, name);
  const summary = series === undefined ? builder.summary(stated) : undefined;
  if (series === undefined && summary === undefined) {
    builder.noteOf('dropped', 'states without a cold GPU time', name);
    return;
  }
  if (valueOf(summaries, 'nv/batch/time/gpu/mean') !== undefined) {
    builder.noteOf('dropped', 'batch times: one mean each, without samples', name);
  }
  const warnings = series === undefined ? [] : builder.compareStated(name, series.samples_ms, stated);
  builder.add(
    { ...common, ...(warnings.length === 0 ? {} : { warnings }) },
    {
      series: series === undefined ? [] : [{ process: 1, ...series }],
      ...(summary === undefined ? {} : { summaries: [summary] }),
    },
  );
}

/** Times and clocks of the same samples: a sample that is not a time is left out of both. */
function seriesOf(builder: ReadingBuilder, source: Source, summaries: readonly unknown[], name: string) {
  const times = readFloats(builder, source, summaryOf(summaries, TIMES), name);
  if (times === undefined) return undefined;
  const samples_ms = builder.times(name, times, 's');
  if (samples_ms.length === 0) return undefined;
  const clocks = readFloats(builder, source, summaryOf(summaries, CLOCKS), name);
  if (clocks?.length !== times.length || samples_ms.length !== times.length) return { samples_ms };
  const clock_mhz = clocks.map((clock_hz) => clock_hz / 1e6);
  return clock_mhz.every((clock) => clock > 0 && clock < Infinity)
    ? { samples_ms, clock_mhz }
    : { samples_ms };
}

function summaryOf(summaries: readonly unknown[], tag: string): unknown {
  return summaries.find((each) => field(each, 'tag') === tag);
}

/** A number of a summary; numbers are written as text, since a JSON number would round int64. */
function valueOf(summaries: readonly unknown[], tag: string): number | undefined {
  const data = listOf(field(summaryOf(summaries, tag), 'data'));
  return numberOf(data.find((each) => field(each, 'name') === 'value'));
}

function numberOf(named: unknown): number | undefined {
  const value = field(named, 'value');
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/iu.test(value)) return undefined;
  return Number(value);
}

function statedOf(summaries: readonly unknown[]): Stated {
  const time = (name: string): number | undefined =>
    toMilliseconds(valueOf(summaries, `nv/cold/time/gpu/${name}`), 's');
  const samples = countOf(valueOf(summaries, 'nv/cold/sample_size'));
  const stddev_ms = time('stdev/absolute');
  return {
    mean_ms: time('mean'),
    median_ms: time('median'),
    min_ms: time('min'),
    max_ms: time('max'),
    ...defined({ stddev_ms, samples }),
  };
}

function deviceOf(device: unknown): DeviceInfo | undefined {
  const name = textOf(field(device, 'name'));
  if (name === undefined) return undefined;
  const sm = countOf(field(device, 'sm_version'));
  const sm_count = countOf(field(device, 'number_of_sms'));
  const memory_bytes = countOf(field(device, 'global_memory_size'));
  const l2_bytes = countOf(field(device, 'l2_cache_size'));
  return {
    kind: 'cuda',
    name,
    ...(sm === undefined
      ? {}
      : { compute_capability: `${Math.floor(sm / 100)}.${Math.floor((sm % 100) / 10)}` }),
    ...defined({ sm_count, memory_bytes, l2_bytes }),
  };
}
