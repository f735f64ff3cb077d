import { defined } from '../../model/defined.ts';
import type { Adapter, Source } from '../adapter.ts';
import { dimsOf, field, fieldsOf, listOf, path, textOf } from '../fields.ts';
import { ReadingBuilder } from '../reading-builder.ts';
import { statedTimes } from '../stated-times.ts';

/**
 * `hyperfine --export-json` (https://github.com/sharkdp/hyperfine). Every time is of a process of its own, so every
 * one is a series of its own: they are the replication that other tools' samples are not.
 */
export const hyperfineAdapter: Adapter = {
  format: 'hyperfine',
  tool: 'hyperfine',
  detect({ json }) {
    const first = listOf(path(json?.value, 'results'))[0];
    const hasTimes = Array.isArray(field(first, 'times')) || typeof field(first, 'mean') === 'number';
    return typeof field(first, 'command') === 'string' && hasTimes ? 1 : 0;
  },
  read(source: Source) {
    const builder = new ReadingBuilder(source);
    builder.unit('s', 'times of whole processes');
    const results = listOf(path(source.json?.value, 'results'));
    const repeated = repeatedCommands(results);
    for (const result of results) {
      const command = textOf(field(result, 'command'));
      if (command === undefined) {
        builder.noteOf('dropped', 'results without a command', '1');
        continue;
      }
      addResult(builder, result, command, repeated.has(command));
    }
    return builder.build();
  },
};

function repeatedCommands(results: readonly unknown[]): ReadonlySet<unknown> {
  const seen = new Set<unknown>();
  const repeated = new Set<unknown>();
  for (const result of results) {
    const command = field(result, 'command');
    (seen.has(command) ? repeated : seen).add(command);
  }
  return repeated;
}

function addResult(builder: ReadingBuilder, result: unknown, command: string, isRepeated: boolean): void {
  const parameters = Object.entries(fieldsOf(field(result, 'parameters')) ?? {});
  const dims = dimsOf(parameters.map(([name, value]) => [name, numberIn(value)]));
  const settings = parameters.map(([name, value]) => `${name}=${String(value)}`).join(',');
  const name = isRepeated && settings !== '' ? `${command} (${settings})` : command;
  const times_ms = builder.times(name, listOf(field(result, 'times')), 's');
  const stated = statedOf(result);
  const warnings = [
    ...(times_ms.length === 0 ? [] : builder.compareStated(name, times_ms, stated)),
    ...failedRuns(builder, result, name),
  ];
  const summary = times_ms.length === 0 ? builder.summary(stated) : undefined;
  if (times_ms.length === 0 && summary === undefined) {
    builder.noteOf('dropped', 'commands without a time', name);
    return;
  }
  builder.add(
    { case: name, ...defined({ dims }), ...(warnings.length === 0 ? {} : { warnings }) },
    {
      series: times_ms.map((time_ms, at) => ({ process: at + 1, samples_ms: [time_ms], timing: 'host' })),
      ...(summary === undefined ? {} : { summaries: [summary] }),
    },
  );
}

function statedOf(result: unknown) {
  const own = { mean: 'mean', median: 'median', min: 'min', max: 'max', stddev: 'stddev' };
  return statedTimes(result, 's', own);
}

/** With `--ignore-failure` hyperfine times commands that fail, and how long a failure takes is seldom the question. */
function failedRuns(builder: ReadingBuilder, result: unknown, name: string): string[] {
  const codes = listOf(field(result, 'exit_codes'));
  const failed = codes.filter((code) => code !== 0).length;
  if (failed === 0) return [];
  builder.noteOf('doubt', 'runs that ended with an error', `${failed} of ${codes.length} of ${name}`);
  return [`${failed} of ${codes.length} runs ended with an error`];
}

function numberIn(value: unknown): number | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : Number(text);
}
