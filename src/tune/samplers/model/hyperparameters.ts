import type { Encoding } from './encoding.ts';
import type { KernelPrior, ModelSettings } from './settings.ts';

/**
 * What is learnt about a space besides its times, all as logarithms in one array, so that one loop can step through
 * them: an inverse length scale for each column, a mismatch penalty for each tunable, the variance of the product
 * kernel, of each tunable's additive kernel, and of the noise.
 */
export class Layout {
  readonly columns: number;
  readonly tunables: number;
  readonly mismatch: number;
  readonly product: number;
  readonly additive: number;
  readonly noise: number;
  readonly count: number;
  readonly medians: Float64Array;
  /** A spread of 0 keeps a hyperparameter at its median. */
  readonly spreads: Float64Array;

  constructor({ columns, tunables }: Encoding, settings: ModelSettings) {
    const { prior } = settings;
    this.columns = columns.length;
    this.tunables = tunables;
    this.mismatch = this.columns;
    this.product = this.mismatch + tunables;
    this.additive = this.product + 1;
    this.noise = this.additive + tunables;
    this.count = this.noise + 1;
    const [medians, spreads] = [new Float64Array(this.count), new Float64Array(this.count)];
    const set = (from: number, to: number, median: number, spread: number) => {
      medians.fill(Math.log(median), from, to);
      spreads.fill(spread, from, to);
    };
    const learnt = settings.learnScales ? 1 : 0;
    set(0, tunables, prior.tunableScale, learnt * prior.scaleSpread);
    set(tunables, this.columns, prior.featureScale, learnt * prior.scaleSpread);
    set(this.mismatch, this.product, prior.mismatch, learnt * prior.mismatchSpread);
    set(this.product, this.additive, prior.product, prior.productSpread);
    set(this.additive, this.noise, ...additivePrior(prior, tunables, settings.additivePart));
    set(this.noise, this.count, prior.noise, prior.noiseSpread);
    this.medians = medians;
    this.spreads = spreads;
  }
}

/** Without the additive part its variance is nothing that matters, and stays so. */
function additivePrior(prior: KernelPrior, tunables: number, isOn: boolean): [number, number] {
  return isOn ? [prior.additive / Math.max(1, tunables), prior.additiveSpread] : [1e-9, 0];
}
