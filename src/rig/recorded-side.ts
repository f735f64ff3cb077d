import type { SideLabel } from '../measure/interleave.ts';
import type { RunJournal } from '../measure/run-journal.ts';
import { SamplesBuilder } from '../measure/samples-builder.ts';
import { defined } from '../model/defined.ts';
import type { Mode } from '../model/problem/mode.ts';
import type { Environment } from '../model/measure/samples.ts';
import type { Target } from '../runner/target.ts';
import { BenchRecorder } from './bench-recorder.ts';
import type { PreparedSide } from './prepared-side.ts';
import type { SideJournals } from './side-journals.ts';

/** A side with the samples file it grows into. */
export interface RecordedSide {
  readonly targets: readonly Target[];
  readonly builder: Pick<RunJournal, 'add' | 'build'>;
  readonly recorder: BenchRecorder;
  /** As in `PreparedSide`. What is recorded has the kernel's own name. */
  readonly calledAs?: string;
}

export interface Recording {
  readonly modes: readonly Mode[];
  readonly environment: Environment;
  /** Where the journals are; without them, what was measured is in memory only. */
  readonly journals?: { readonly of: SideJournals; readonly runs: string; readonly now: () => Date };
}

export async function recordSide(
  label: SideLabel,
  { targets, skipped, git, calledAs }: PreparedSide,
  { modes, environment, journals }: Recording,
): Promise<RecordedSide> {
  const builder =
    journals === undefined
      ? new SamplesBuilder()
      : await journals.of.start(journals.runs, label, environment, journals.now());
  builder.add({ type: 'environment', environment });
  if (skipped.length > 0) builder.add({ type: 'skipped', skipped: [...skipped] });
  const recorder = new BenchRecorder(builder, { targets, modes, git });
  return { targets, builder, recorder, ...defined({ calledAs }) };
}
