import { PawlError } from '../../model/pawl-error.ts';
import type { Adapter, Source } from '../adapter.ts';
import { numberIn, tableOf } from '../csv-table.ts';
import { field, fieldsOf, path, textOf } from '../fields.ts';
import { timePerUnit_ms } from '../rate-unit.ts';
import { ReadingBuilder } from '../reading-builder.ts';
import { toMilliseconds } from '../time-unit.ts';

/** Metrics that are times, or rates of a fixed amount of work; others say nothing about time by themselves. */
const RATES: Readonly<Record<string, string>> = { tflops: 'TFLOP', gbps: 'GB' };
const METRIC = /^tritonbench_(.+?)\[x_(.*)-([^-\]]+)\][_-](\w+)$/u;

/**
 * What tritonbench (meta-pytorch/tritonbench) writes: the JSON of its nightly runs, `metrics` named
 * `tritonbench_OP_MODE[x_INPUT-IMPLEMENTATION]_METRIC`, and the CSV of `--csv` and `--output`, a column per
 * implementation and metric: `IMPLEMENTATION-METRIC`. Latencies are in milliseconds. No samples.
 */
export const tritonbenchAdapter: Adapter = {
  format: 'tritonbench',
  tool: 'tritonbench',
  detect(source) {
    if (source.json !== undefined) {
      const metrics = Object.keys(fieldsOf(path(source.json.value, 'metrics')) ?? {});
      return metrics.some((name) => METRIC.test(name)) ? 1 : 0;
    }
    if (/^\s*[[{]/u.test(source.text)) return 0;
    const header = tableOf(source.text)?.header;
    return header?.[0] === 'x_val' && header.some((name) => metricOf(name) !== undefined) ? 1 : 0;
  },
  read(source) {
    const builder = new ReadingBuilder(source);
    builder.unit('ms', 'latencies');
    const found =
      source.json === undefined ? fromTable(builder, source) : fromMetrics(builder, source.json.value);
    const withTime = new Set(
      found.filter(({ metric }) => metric === 'latency').map(({ kernel, name }) => `${kernel} ${name}`),
    );
    for (const { kernel, name, metric, value } of found) {
      const work = RATES[metric];
      // Beside a latency, a rate is the same measurement once more.
      if (work !== undefined && withTime.has(`${kernel} ${name}`)) continue;
      if (work === undefined && metric !== 'latency') {
        builder.noteOf('dropped', 'metrics that are neither latencies nor rates', metric);
        continue;
      }
      const time_ms = work === undefined ? toMilliseconds(value, 'ms') : timePerUnit_ms(value);
      if (time_ms === undefined) {
        builder.noteOf('dropped', 'values that are not positive, finite numbers', `${kernel} at ${name}`);
        continue;
      }
      if (work !== undefined)
        builder.noteOf('doubt', `rates, as milliseconds per ${work}: 1000 over each`, kernel);
      builder.add(
        { kernel, case: work === undefined ? name : `${name} per ${work}` },
        { series: [], summaries: [{ process: 1, unstated_ms: time_ms }] },
      );
    }
    const device = textOf(path(source.json?.value, 'env', 'device'));
    return builder.build(device === undefined ? undefined : { kind: 'cuda', name: device });
  },
};

interface Found {
  readonly kernel: string;
  readonly name: string;
  readonly metric: string;
  readonly value: unknown;
}

function fromMetrics(builder: ReadingBuilder, root: unknown): Found[] {
  return Object.entries(fieldsOf(field(root, 'metrics')) ?? {}).flatMap(([key, value]) => {
    const [, operator, input, implementation, metric] = METRIC.exec(key) ?? [];
    if (operator === undefined) {
      builder.noteOf('dropped', 'metrics with unknown names', key);
      return [];
    }
    return [{ kernel: `${operator}/${implementation!}`, name: `x=${input!}`, metric: metric!, value }];
  });
}

function fromTable(builder: ReadingBuilder, source: Source): Found[] {
  const table = tableOf(source.text);
  if (table === undefined) {
    throw new PawlError(
      'bad-data',
      `${source.name} is not a table of tritonbench.`,
      'It is what --output writes.',
    );
  }
  if (table.broken.length > 0) {
    builder.note(
      'dropped',
      `lines with a different number of columns: ${table.broken.slice(0, 8).join(', ')}`,
    );
  }
  return table.rows.flatMap((row) =>
    table.header.flatMap((column, at): Found[] => {
      const named = metricOf(column);
      if (at === 0 || named === undefined) return [];
      // Newer versions put the spread beside it: `0.0091 (±1.05%)`.
      const cell = row[at]!.replace(/\s*\(.*\)\s*$/u, '');
      return [{ ...named, name: `x=${row[0]!}`, value: numberIn(cell, false) }];
    }),
  );
}

/** `triton_softmax-latency`. */
function metricOf(column: string): { readonly kernel: string; readonly metric: string } | undefined {
  const [, kernel, metric] = /^(.+)-(\w+)$/u.exec(column) ?? [];
  return kernel === undefined || metric === undefined ? undefined : { kernel, metric };
}
