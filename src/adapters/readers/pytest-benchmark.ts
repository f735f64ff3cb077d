import { defined } from '../../model/defined.ts';
import type { Measurement } from '../../model/measure/samples.ts';
import type { Adapter, Source } from '../adapter.ts';
import { countOf, dimsOf, field, fieldsOf, listOf, path, textOf } from '../fields.ts';
import { ReadingBuilder, type Stated } from '../reading-builder.ts';
import { statedTimes } from '../stated-times.ts';

/**
 * `--benchmark-json`, or `--benchmark-save` with `--benchmark-save-data` (https://pytest-benchmark.readthedocs.io).
 * Without the data a file has only statistics. A round is a sample, already divided by its iterations.
 */
export const pytestBenchmarkAdapter: Adapter = {
  format: 'pytest-benchmark',
  tool: 'pytest-benchmark',
  detect({ json }) {
    const benchmarks = path(json?.value, 'benchmarks');
    if (!Array.isArray(benchmarks) || fieldsOf(path(json?.value, 'machine_info')) === undefined) return 0;
    return benchmarks.length === 0 || fieldsOf(field(benchmarks[0], 'stats')) !== undefined ? 1 : 0;
  },
  read(source: Source) {
    const builder = new ReadingBuilder(source);
    const root = source.json?.value;
    builder.unit('s', 'rounds');
    const commit = commitOf(root);
    const versions = versionsOf(root);
    for (const benchmark of listOf(path(root, 'benchmarks'))) {
      const name = textOf(field(benchmark, 'fullname')) ?? textOf(field(benchmark, 'name'));
      const stats = field(benchmark, 'stats');
      if (name === undefined || fieldsOf(stats) === undefined) {
        builder.noteOf('dropped', 'benchmarks without a name or statistics', name ?? '?');
        continue;
      }
      const samples_ms = builder.times(name, listOf(field(stats, 'data')), 's');
      const stated = statedOf(stats);
      const warnings = builder.compareStated(name, samples_ms, stated);
      const batch = countOf(field(stats, 'iterations'));
      const summary = samples_ms.length === 0 ? builder.summary(stated) : undefined;
      if (samples_ms.length === 0 && summary === undefined) {
        builder.noteOf('dropped', 'benchmarks without a time', name);
        continue;
      }
      const dims = dimsOf(Object.entries(fieldsOf(field(benchmark, 'params')) ?? {}));
      builder.add(
        {
          ...nameParts(name),
          ...commit,
          ...defined({ versions, dims }),
          ...(warnings.length === 0 ? {} : { warnings }),
        },
        {
          series:
            samples_ms.length === 0
              ? []
              : [{ process: 1, samples_ms, timing: 'host', ...defined({ batch }) }],
          ...(summary === undefined ? {} : { summaries: [summary] }),
        },
      );
    }
    const cpu =
      textOf(path(root, 'machine_info', 'cpu', 'brand')) ??
      textOf(path(root, 'machine_info', 'cpu', 'brand_raw'));
    return builder.build(cpu === undefined ? undefined : { kind: 'cpu', name: cpu });
  },
};

/** `tests/test_sort.py::test_sort[100]`: the function is the kernel, its parameters are the case. */
function nameParts(name: string): { readonly kernel: string; readonly case: string } {
  const at = name.indexOf('[');
  if (at <= 0 || !name.endsWith(']') || at + 2 === name.length) return { kernel: name, case: 'default' };
  return { kernel: name.slice(0, at), case: name.slice(at + 1, -1) };
}

function statedOf(stats: unknown): Stated {
  const own = { mean: 'mean', median: 'median', min: 'min', max: 'max', stddev: 'stddev', samples: 'rounds' };
  return statedTimes(stats, 's', own);
}

function commitOf(root: unknown): Pick<Measurement, 'commit' | 'committed_at' | 'dirty'> | undefined {
  const commit = textOf(path(root, 'commit_info', 'id'));
  if (commit === undefined || !/^[0-9a-f]{7,40}$/u.test(commit)) return undefined;
  const dirty = path(root, 'commit_info', 'dirty');
  const time = textOf(path(root, 'commit_info', 'time'));
  const at = time === undefined ? NaN : Date.parse(time);
  return {
    commit,
    ...(typeof dirty === 'boolean' ? { dirty } : {}),
    ...(Number.isNaN(at) ? {} : { committed_at: new Date(at).toISOString() }),
  };
}

function versionsOf(root: unknown): Record<string, string> | undefined {
  const python = textOf(path(root, 'machine_info', 'python_version'));
  const tool = textOf(path(root, 'version'));
  if (python === undefined && tool === undefined) return undefined;
  return {
    ...defined({ python, 'pytest-benchmark': tool }),
  };
}
