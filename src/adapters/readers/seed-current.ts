import { defined } from '../../model/defined.ts';
import type { Verification } from '../../model/correctness/verification.ts';
import type { Adapter, Source } from '../adapter.ts';
import { field, fieldsOf, path, textOf } from '../fields.ts';
import { ReadingBuilder, type Stated } from '../reading-builder.ts';
import { statedTimes } from '../stated-times.ts';
import { seedCase } from './seed-case.ts';

/**
 * `results/current.json` of an integrated test, `{"config": …, "performance": {"mean_time_ms": …}}`, one result or
 * several under `configs`; and `results/baseline.json` of the ratchet script beside it, whose `configs` name each
 * best median with its interval. Statistics only.
 */
export const seedCurrentAdapter: Adapter = {
  format: 'seed-current',
  tool: 'results/current.json',
  detect({ json }) {
    const [first] = resultsOf(json?.value);
    return first !== undefined && summaryFields(first.value) !== undefined ? 0.9 : 0;
  },
  read(source: Source) {
    const builder = new ReadingBuilder(source);
    builder.unit('ms', 'times');
    for (const { name, value } of resultsOf(source.json?.value)) {
      const summary = builder.summary(statedOf(summaryFields(value)));
      const { case: shape, dims } = seedCase(field(value, 'config'));
      const subject = name === undefined ? shape : name;
      if (summary === undefined) {
        builder.noteOf('dropped', 'results without a time', subject);
        continue;
      }
      const kernel = textOf(field(value, 'kernel_name'));
      const commit = textOf(field(value, 'git_commit'));
      const passed = path(value, 'correctness', 'passed');
      builder.add(
        {
          case: subject,
          ...defined({ kernel, commit, dims }),
          ...(typeof passed === 'boolean' ? { check: checkOf(passed) } : {}),
        },
        { series: [], summaries: [summary] },
      );
    }
    return builder.build();
  },
};

interface Result {
  readonly name: string | undefined;
  readonly value: unknown;
}

function resultsOf(root: unknown): readonly Result[] {
  const configs = field(root, 'configs');
  if (Array.isArray(configs))
    return configs.map((value: unknown) => ({ name: textOf(field(value, 'name')), value }));
  const named = fieldsOf(configs);
  if (named !== undefined) return Object.entries(named).map(([name, value]) => ({ name, value }));
  return fieldsOf(root) === undefined ? [] : [{ name: textOf(field(root, 'name')), value: root }];
}

/** Where the numbers stand; nothing where there is no time among them. */
function summaryFields(value: unknown): unknown {
  return [field(value, 'performance'), field(value, 'metrics'), value].find(
    (each) => typeof field(each, 'mean_time_ms') === 'number' || typeof field(each, 'median_ms') === 'number',
  );
}

function statedOf(fields: unknown): Stated {
  const median = field(fields, 'median_ms') === undefined ? 'median_time_ms' : 'median_ms';
  const times = { mean: 'mean_time_ms', median, min: 'min_time_ms', max: 'max_time_ms' };
  return statedTimes(fields, 'ms', { ...times, stddev: 'std_dev_ms' });
}

function checkOf(passed: boolean): Verification {
  const notes = ['the script that wrote the file compared the outputs; Pawl did not'];
  return { passed, oracle: 'the reference of the script', tensors: [], tampering: [], notes };
}
