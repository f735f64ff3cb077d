import type { Mode } from '../model/problem/mode.ts';
import { KeptJudge } from '../runner/kept-judge.ts';
import type { Target } from '../runner/target.ts';
import type { Random } from '../stats/index.ts';
import { Rounds, slotsOf, type RoundsOptions } from './rounds.ts';
import { seedDigits, shuffled } from './schedule.ts';

export type { SeriesRecord } from './rounds.ts';

export interface MeasureOptions extends Omit<RoundsOptions, 'seed' | 'judge'> {
  readonly processes: number;
  readonly modes: readonly Mode[];
  readonly random: Random;
}

/**
 * Takes every case of every target in `processes` fresh processes each. Rounds are outermost and the order
 * within a round is random, so that drift of the device falls on all alike. A process serves all cases of its
 * kernel; one that fails costs the series it was taking, and the rest of its cases get a new one.
 */
export async function measure(targets: readonly Target[], options: MeasureOptions): Promise<void> {
  const { processes, modes, random, onProgress } = options;
  const slots = slotsOf(targets, modes);
  onProgress({ type: 'started', title: 'measuring', work: 'measure', total: slots.length * processes });
  const judge = new KeptJudge();
  const rounds = new Rounds({ ...options, judge, seed: () => seedDigits(random) });
  try {
    for (let process = 1; process <= processes; process++) {
      for (const target of shuffled(targets, random)) {
        const own = slots.filter((slot) => slot.target === target);
        await rounds.take(target, shuffled(own, random), process);
      }
    }
  } finally {
    await judge.close();
  }
  onProgress({ type: 'finished' });
}
