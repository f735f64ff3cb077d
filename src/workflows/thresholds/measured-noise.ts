import { resolve } from 'node:path';

import { historyKey } from '../../history/history-key.ts';
import type { History } from '../../history/history.ts';
import { alike, noiseOf } from '../../judge/thresholds/noise-of.ts';
import type { ProcessSummary } from '../../judge/process-summary.ts';
import { readSamples } from '../../judge/read-samples.ts';
import type { HistoryKey } from '../../model/history/history.ts';
import type { Series } from '../../model/measure/samples.ts';
import { hashOf } from '../../os/canonical-json.ts';

/** What is known of a key's processes. */
export interface MeasuredNoise {
  readonly key: HistoryKey;
  readonly measurements: number;
  readonly processes: readonly ProcessSummary[];
}

/** More processes than this say nothing new, and reading them takes time. */
const ENOUGH_PROCESSES = 200;
const MOST_RUNS = 500;

/** Gathers the processes of keys, each measurement once. */
class NoiseByKey {
  readonly #wanted: (key: HistoryKey) => boolean;
  readonly #found = new Map<string, { key: HistoryKey; measurements: number; processes: ProcessSummary[] }>();
  readonly #seen = new Set<string>();

  constructor(wanted: (key: HistoryKey) => boolean) {
    this.#wanted = wanted;
  }

  /** A check keeps the stored series of its baseline again beside what it measured: the same series count once. */
  add(key: HistoryKey, series: readonly Series[]): void {
    if (!this.wants(key)) return;
    const hash = hashOf([key.id, series.map(({ samples_ms }) => samples_ms)]);
    if (this.#seen.has(hash)) return;
    this.#seen.add(hash);
    const noise = noiseOf(series);
    if (noise.length === 0) return;
    const known = this.#found.get(key.id) ?? { key, measurements: 0, processes: [] };
    known.measurements += 1;
    known.processes.push(...noise);
    this.#found.set(key.id, known);
  }

  wants(key: HistoryKey): boolean {
    return this.#wanted(key) && (this.#found.get(key.id)?.processes.length ?? 0) < ENOUGH_PROCESSES;
  }

  result(): MeasuredNoise[] {
    return [...this.#found.values()].map(({ key, measurements, processes }) => ({
      key,
      measurements,
      processes: alike(processes),
    }));
  }
}

/** The newest measurements first, so that a machine that became quieter is known as it is now. */
export async function noiseInHistory(
  history: History,
  wanted: (key: HistoryKey) => boolean,
  { since, signal }: { readonly since?: Date | undefined; readonly signal?: AbortSignal | undefined },
): Promise<MeasuredNoise[]> {
  const noise = new NoiseByKey(wanted);
  let cursor: string | undefined;
  let left = MOST_RUNS;
  do {
    const page = await history.runs(since === undefined ? {} : { since }, {
      limit: Math.min(left, 100),
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const { id } of page.items) {
      signal?.throwIfAborted();
      const detail = await history.run(id);
      for (const each of detail?.measurements ?? []) {
        if (each.processes === 0 || !noise.wants(each.key)) continue;
        const stored = await history.measurement(each.id);
        // What retention has thinned has other fastest samples.
        const whole = (stored?.series ?? []).filter(({ thinned_from }) => thinned_from === undefined);
        noise.add(each.key, whole);
      }
    }
    left -= page.items.length;
    cursor = page.next;
  } while (cursor !== undefined && left > 0);
  return noise.result();
}

export async function noiseInFiles(
  files: readonly string[],
  wanted: (key: HistoryKey) => boolean,
): Promise<MeasuredNoise[]> {
  const noise = new NoiseByKey(wanted);
  for (const file of files) {
    const samples = await readSamples(resolve(file));
    for (const one of samples.measurements) noise.add(historyKey(one, samples), one.series);
  }
  return noise.result();
}
