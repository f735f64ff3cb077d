import type { OnProgress } from '../../model/measure/progress.ts';
import type { Clocks } from '../../model/measure/samples.ts';
import type { Trial } from '../../model/tune/study.ts';
import type { Measured, Prepared, TrialTools } from '../study/run-worker.ts';
import { withDevices } from '../../rig/with-devices.ts';
import { VariantTools, type TrialToolsOptions } from './trial-tools.ts';
import type { BuiltVariant } from '../study/variant-builder.ts';

export interface PilotToolsOptions extends TrialToolsOptions {
  /** How long to wait for a device that another Pawl is using. */
  readonly wait_s: number;
  readonly clocks: Clocks['policy'] | undefined;
  readonly onProgress: OnProgress;
}

/**
 * Like a study's own tools, but the device is held, and its clocks are locked, for one measurement at a time: a node
 * may have other users.
 */
export class PilotTools implements TrialTools<BuiltVariant> {
  readonly #tools: VariantTools;
  readonly #options: PilotToolsOptions;

  constructor(options: PilotToolsOptions) {
    this.#tools = new VariantTools(options);
    this.#options = options;
  }

  prepare(trial: Trial, signal: AbortSignal): Promise<Prepared<BuiltVariant>> {
    return this.#tools.prepare(trial, signal);
  }

  async measure(ready: BuiltVariant, trials: readonly Trial[], signal: AbortSignal): Promise<Measured> {
    const { study, wait_s, clocks, now, onProgress } = this.#options;
    const asked = { gpu: study.gpu, wait_s, clocks, signal, now, onProgress, command: 'tune worker' };
    return withDevices([ready.target], asked, () => this.#tools.measure(ready, trials, signal));
  }
}
