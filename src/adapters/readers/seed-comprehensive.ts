import { defined } from '../../model/defined.ts';
import type { DeviceInfo } from '../../model/device/device.ts';
import type { Adapter, Source } from '../adapter.ts';
import { field, fieldsOf, listOf, path, textOf } from '../fields.ts';
import { ReadingBuilder, type Stated } from '../reading-builder.ts';
import { statedTimes } from '../stated-times.ts';
import { seedCase } from './seed-case.ts';

/**
 * What `baseline_comprehensive.py` writes: a `config_NN.json` a configuration, or `summary.json` with all of them
 * under `results`; `raw_latencies` where they were kept, else `statistics` only.
 */
export const seedComprehensiveAdapter: Adapter = {
  format: 'seed-comprehensive',
  tool: 'baseline_comprehensive',
  detect({ json }) {
    const [first] = resultsOf(json?.value);
    const hasConfig = fieldsOf(field(first, 'config')) !== undefined;
    return hasConfig && typeof path(first, 'statistics', 'median_ms') === 'number' ? 0.95 : 0;
  },
  read(source: Source) {
    const builder = new ReadingBuilder(source);
    const root = source.json?.value;
    builder.unit('ms', 'latencies');
    for (const result of resultsOf(root)) {
      const subject = seedCase(field(result, 'config'));
      const samples_ms = builder.times(subject.case, listOf(field(result, 'raw_latencies')), 'ms');
      const stated = statedOf(field(result, 'statistics'));
      const summary = samples_ms.length === 0 ? builder.summary(stated) : undefined;
      if (samples_ms.length === 0 && summary === undefined) {
        builder.noteOf('dropped', 'results without a time', subject.case);
        continue;
      }
      const warnings = builder.compareStated(subject.case, samples_ms, stated);
      const commit = textOf(path(result, 'metadata', 'commit')) ?? textOf(path(root, 'metadata', 'commit'));
      builder.add(
        {
          ...subject,
          ...defined({ commit }),
          ...(warnings.length === 0 ? {} : { warnings }),
        },
        {
          series: samples_ms.length === 0 ? [] : [{ process: 1, samples_ms, timing: 'plain' }],
          ...(summary === undefined ? {} : { summaries: [summary] }),
        },
      );
    }
    return builder.build(deviceOf(root));
  },
};

function resultsOf(root: unknown): readonly unknown[] {
  const results = field(root, 'results');
  return Array.isArray(results) ? results : [root];
}

function statedOf(statistics: unknown): Stated {
  const times = { mean: 'mean_ms', median: 'median_ms', min: 'min_ms', max: 'max_ms' };
  return statedTimes(statistics, 'ms', { ...times, stddev: 'std_ms', samples: 'n_samples' });
}

function deviceOf(root: unknown): DeviceInfo | undefined {
  const name = textOf(path(root, 'metadata', 'gpu')) ?? textOf(path(root, 'environment', 'gpu'));
  if (name === undefined) return undefined;
  const driver = textOf(path(root, 'environment', 'driver'));
  const cuda_runtime =
    textOf(path(root, 'metadata', 'cuda_version')) ?? textOf(path(root, 'environment', 'cuda'));
  return {
    kind: 'cuda',
    name,
    ...defined({ driver, cuda_runtime }),
  };
}
