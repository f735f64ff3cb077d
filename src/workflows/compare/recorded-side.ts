import { SamplesBuilder } from '../../measure/samples-builder.ts';
import type { Mode } from '../../model/mode.ts';
import type { Environment } from '../../model/samples.ts';
import type { Target } from '../../runner/target.ts';
import { BenchRecorder } from '../bench/bench-recorder.ts';
import type { PreparedSide } from './prepared-side.ts';

/** A side with the samples file it grows into. */
export interface RecordedSide {
  readonly targets: readonly Target[];
  readonly builder: SamplesBuilder;
  readonly recorder: BenchRecorder;
}

export function recordSide(
  { targets, git }: PreparedSide,
  { modes, environment }: { readonly modes: readonly Mode[]; readonly environment: Environment },
): RecordedSide {
  const builder = new SamplesBuilder();
  builder.add({ type: 'environment', environment });
  return { targets, builder, recorder: new BenchRecorder(builder, { targets, modes, git }) };
}
