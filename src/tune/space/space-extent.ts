import { withThousands } from '../../model/text/number-text.ts';

/** How large a space is: of all combinations, how many satisfy every constraint. */
export interface SpaceExtent {
  /** All combinations of values. */
  readonly product: number;
  /** An estimate comes with its 95 % interval. */
  readonly feasible:
    | { readonly exact: number }
    | { readonly estimate: number; readonly low: number; readonly high: number };
}

/** Draws that an estimate rests on. */
const DRAWS = 20_000;
/** Quantile of the normal distribution at 97.5 %. */
const Z = 1.959964;

export function estimateExtent(options: {
  readonly widths: readonly number[];
  /** Points among which the feasible ones are. */
  readonly bound: number;
  /** How many are feasible, where that is known. */
  readonly exact: number | undefined;
  /** Draws one of those points: whether it is feasible. */
  readonly drawIsFeasible: () => boolean;
}): SpaceExtent {
  const { widths, bound, exact, drawIsFeasible } = options;
  const product = widths.reduce((all, width) => all * width, 1);
  if (exact !== undefined) {
    // Larger counts are rounded: right to 15 digits, and no whole number to rely on.
    const isWhole = exact <= Number.MAX_SAFE_INTEGER;
    return { product, feasible: isWhole ? { exact } : { estimate: exact, low: exact, high: exact } };
  }
  let hits = 0;
  for (let draw = 0; draw < DRAWS; draw++) if (drawIsFeasible()) hits++;
  const { low, high } = wilsonInterval(hits, DRAWS);
  return {
    product,
    feasible: {
      estimate: Math.round((bound * hits) / DRAWS),
      low: Math.floor(bound * low),
      high: Math.ceil(bound * high),
    },
  };
}

/** Wilson's score interval of a share ("Probable inference", JASA 22, 1927): sound also for no hits at all. */
function wilsonInterval(hits: number, draws: number): { low: number; high: number } {
  const share = hits / draws;
  const centre = share + Z ** 2 / (2 * draws);
  const spread = Z * Math.sqrt((share * (1 - share)) / draws + Z ** 2 / (4 * draws ** 2));
  const scale = 1 + Z ** 2 / draws;
  return { low: Math.max(0, (centre - spread) / scale), high: Math.min(1, (centre + spread) / scale) };
}

/** `4,362 of 10,240 combinations are feasible (43 %)`. */
export function extentText({ product, feasible }: SpaceExtent): string {
  const of = `of ${countText(product)} combinations`;
  if ('exact' in feasible) {
    return `${countText(feasible.exact)} ${of} are feasible (${shareText(feasible.exact / product)})`;
  }
  const { estimate, low, high } = feasible;
  if (low === high) return `about ${countText(estimate)} ${of} are feasible`;
  return `about ${countText(estimate)} ${of} are feasible (95 % interval ${countText(low)} to ${countText(high)}; too many to count)`;
}

/** Whole up to 10^15, then in powers of ten. */
export function countText(count: number): string {
  return count < 1e15 ? withThousands(Math.round(count)) : count.toExponential(2).replace('e+', '·10^');
}

function shareText(share: number): string {
  if (share === 0) return 'none';
  const percent = 100 * share;
  return `${percent >= 10 ? percent.toFixed(0) : percent.toPrecision(2)} %`;
}
