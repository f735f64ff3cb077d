import { setTimeout as sleep } from 'node:timers/promises';

import { defined } from '../../model/defined.ts';
import { cpuDeviceId } from '../../device/host.ts';
import { measuredTrials } from '../../model/tune/measured-trials.ts';
import type { Trial, TrialDetails } from '../../model/tune/study.ts';
import type { StudySettings } from '../../model/tune/study-settings.ts';
import { failedRunGate } from '../gates/run-gate.ts';
import { incumbent_ms, type Measured, type Prepared, type TrialTools } from '../study/run-worker.ts';
import { trialOutcome } from '../study/trial-outcome.ts';
import { tryVariant, type Tried } from '../study/try-variant.ts';
import { secretSeed } from '../../rig/bench-settings.ts';
import type { PreparedStudy } from '../study/study-subject.ts';
import type { BuiltVariant } from '../study/variant-builder.ts';

export interface TrialToolsOptions {
  readonly study: PreparedStudy;
  readonly settings: Pick<StudySettings, 'processes' | 'samples'>;
  /** No answer for this long is a hang, whatever else is known. */
  readonly timeout_ms: number;
  readonly now: () => Date;
}

/** A variant that takes this many times as long as any that was measured hangs. */
const HANG_FACTOR = 10;
const LEAST_TIMEOUT_MS = 10_000;

/** What is the machine's doing passes, mostly: a device that throttles cools down. */
const RETRIES = 3;
const RETRY_AFTER_MS = 2000;

/** Builds, checks and measures variants with the parts that `pawl bench` is made of. */
export class VariantTools implements TrialTools<BuiltVariant> {
  readonly #options: TrialToolsOptions;
  #seesKnown = false;

  constructor(options: TrialToolsOptions) {
    this.#options = options;
  }

  async prepare(trial: Trial, signal: AbortSignal): Promise<Prepared<BuiltVariant>> {
    const { builder, gates } = this.#options.study;
    const refused = gates.beforeBuild(trial.variant);
    if (refused !== undefined) return { status: 'rejected', outcome: refused, details: {} };
    const plan = builder.planOf(trial.variant);
    const variant = await builder.build(plan, signal);
    if ('status' in variant) return { status: 'rejected', outcome: variant, details: {} };
    const { target, built, build_s } = variant;
    const judged = gates.afterBuild(trial.variant, built?.resources ?? []);
    const details: TrialDetails = {
      build_s,
      ...defined({ resources: judged.resources }),
      ...(target.binary === undefined ? {} : { binary: `${target.binary.sha256}/${plan.threads}` }),
    };
    if (judged.rejected !== undefined) return { status: 'rejected', outcome: judged.rejected, details };
    return { status: 'ready', ready: variant, details };
  }

  measure({ target }: BuiltVariant, trials: readonly Trial[], signal: AbortSignal): Promise<Measured> {
    const { study, settings, now } = this.#options;
    return study.builder.measuring(async () => {
      const started = now();
      const attempt = () =>
        tryVariant(target, {
          mode: study.mode,
          ...settings,
          incumbent_ms: incumbent_ms(trials),
          blind: !this.#seesKnown,
          timeout_ms: this.#timeout_ms(trials),
          seed: secretSeed(),
          signal,
          now,
        });
      let tried = await attempt();
      for (let again = 1; again <= RETRIES && isMachines(tried) && !signal.aborted; again++) {
        await sleep(again * RETRY_AFTER_MS, undefined, { signal });
        tried = await attempt();
      }
      // A tolerance that was blind throws here; one that let a wrong variant fail was not tried.
      const outcome = trialOutcome(tried);
      if (tried.status === 'measured') this.#seesKnown = true;
      return {
        outcome,
        details: {
          measure_s: (now().getTime() - started.getTime()) / 1000,
          device: study.gpu?.info.uuid ?? cpuDeviceId(),
        },
      };
    });
  }

  /** A hang must not cost a minute where a trial takes a second. */
  #timeout_ms(trials: readonly Trial[]): number {
    const longest_s = Math.max(0, ...measuredTrials(trials).map(({ trial }) => trial.measure_s ?? 0));
    if (longest_s === 0) return this.#options.timeout_ms;
    return Math.min(this.#options.timeout_ms, Math.max(LEAST_TIMEOUT_MS, 1000 * HANG_FACTOR * longest_s));
  }
}

/** A failure that says nothing about the variant. */
function isMachines(tried: Tried): boolean {
  return tried.status === 'failed' && failedRunGate(tried) === undefined;
}
