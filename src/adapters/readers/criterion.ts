import { defined } from '../../model/defined.ts';
import type { Adapter, Source } from '../adapter.ts';
import { decodeText } from '../decode-text.ts';
import { countOf, field, listOf, path, textOf } from '../fields.ts';
import { parseJson } from '../parse-json.ts';
import { ReadingBuilder } from '../reading-builder.ts';
import { toMilliseconds } from '../time-unit.ts';

/** Where Criterion puts the samples of the last run of a benchmark. */
export const CRITERION_SAMPLES = 'new/sample.json';

/**
 * `new/sample.json` in the folders below `target/criterion` of Criterion.rs, with `benchmark.json` and `estimates.json` beside it
 * (https://bheisler.github.io/criterion.rs/book). A sample is the time of a batch over the calls in it.
 */
export const criterionAdapter: Adapter = {
  format: 'criterion',
  tool: 'Criterion.rs',
  detect({ json }) {
    const value = json?.value;
    return Array.isArray(path(value, 'iters')) && Array.isArray(path(value, 'times')) ? 1 : 0;
  },
  read(source: Source) {
    const builder = new ReadingBuilder(source);
    builder.note(
      'unit',
      'batches in ns, converted to milliseconds per call; values of a custom measurement, such as cycles, would be read as ns',
    );
    const root = source.json?.value;
    const benchmark = besideJson(source, 'benchmark.json');
    const subject = nameOf(source, benchmark);
    const name = `${subject.kernel}/${subject.case}`;
    const iters = listOf(path(root, 'iters'));
    const times = listOf(path(root, 'times'));
    if (iters.length !== times.length) {
      builder.noteOf(
        'dropped',
        'samples whose two lists differ in length',
        `${name}: ${iters.length} and ${times.length}`,
      );
      return builder.build();
    }
    const samples_ms = builder.times(
      name,
      times.map((time, at) => perCall(time, iters[at])),
      'ns',
    );
    const estimates = besideJson(source, 'estimates.json');
    const warnings = builder.compareStated(name, samples_ms, {
      mean_ms: toMilliseconds(path(estimates, 'mean', 'point_estimate'), 'ns'),
      median_ms: toMilliseconds(path(estimates, 'median', 'point_estimate'), 'ns'),
    });
    if (samples_ms.length > 0) {
      const bytes = path(benchmark, 'throughput', 'Bytes');
      const batches = new Set(iters);
      const batch = batches.size === 1 ? countOf(iters[0]) : undefined;
      builder.add(
        {
          ...subject,
          ...(typeof bytes === 'number' && bytes >= 0 && bytes < Infinity ? { bytes } : {}),
          ...(warnings.length === 0 ? {} : { warnings }),
        },
        { series: [{ process: 1, samples_ms, timing: 'host', ...defined({ batch }) }] },
      );
    }
    return builder.build();
  },
};

function perCall(time: unknown, calls: unknown): number | undefined {
  if (typeof time !== 'number' || typeof calls !== 'number' || !(calls > 0)) return undefined;
  return time / calls;
}

/** A file beside the samples; what is not there, or is damaged, only names less. */
function besideJson(source: Source, file: string): unknown {
  const bytes = source.beside(file);
  if (bytes === undefined) return undefined;
  const result = parseJson(decodeText(bytes, file));
  return result.ok ? result.json.value : undefined;
}

function nameOf(source: Source, benchmark: unknown): { readonly kernel: string; readonly case: string } {
  const group = textOf(field(benchmark, 'group_id'));
  if (group !== undefined) {
    const name = textOf(field(benchmark, 'function_id'));
    // Criterion numbers the titles of benchmarks that have the same id.
    const number = / #\d+$/u.exec(textOf(field(benchmark, 'title')) ?? '')?.[0] ?? '';
    return {
      kernel: name === undefined ? group : `${group}/${name}`,
      case: `${textOf(field(benchmark, 'value_str')) ?? 'default'}${number}`,
    };
  }
  const folders = source.name.split('/').slice(0, -2);
  return { kernel: folders.length === 0 ? 'benchmark' : folders.join('/'), case: 'default' };
}
