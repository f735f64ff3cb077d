import type { Adapter, Source } from '../adapter.ts';
import { field, fieldsOf } from '../fields.ts';
import { timePerUnit_ms } from '../rate-unit.ts';
import { ReadingBuilder } from '../reading-builder.ts';
import { toMilliseconds } from '../time-unit.ts';

/**
 * Bencher Metric Format (https://bencher.dev/docs/reference/bencher-metric-format): measures by benchmark. `latency` is
 * in nanoseconds and `throughput` in operations per second; other measures need not be times. One figure each.
 */
export const bencherAdapter: Adapter = {
  format: 'bencher',
  tool: 'Bencher',
  detect({ json }) {
    const benchmarks = Object.values(fieldsOf(json?.value) ?? {});
    if (benchmarks.length === 0) return 0;
    const isMeasured = benchmarks.every((one) => {
      const measures = Object.values(fieldsOf(one) ?? {});
      return measures.length > 0 && measures.every((each) => typeof field(each, 'value') === 'number');
    });
    return isMeasured ? 0.9 : 0;
  },
  read(source: Source) {
    const builder = new ReadingBuilder(source);
    builder.unit('ns', 'latencies');
    for (const [name, measures] of Object.entries(fieldsOf(source.json?.value) ?? {})) {
      const { latency, throughput, ...others } = fieldsOf(measures) ?? {};
      for (const other of Object.keys(others)) {
        builder.noteOf('dropped', 'measures that are not latency or throughput', `${other} of ${name}`);
      }
      const time_ms = toMilliseconds(field(latency, 'value'), 'ns');
      const each_ms = timePerUnit_ms(field(throughput, 'value'));
      const figure_ms = time_ms ?? each_ms;
      if (figure_ms === undefined) {
        builder.noteOf('dropped', 'benchmarks without a latency or a throughput', name);
        continue;
      }
      if (time_ms === undefined) {
        builder.noteOf('doubt', 'throughputs, taken as operations per second: 1000 over each', name);
      }
      builder.add({ case: name }, { series: [], summaries: [{ process: 1, unstated_ms: figure_ms }] });
    }
    return builder.build();
  },
};
