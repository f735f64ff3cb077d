/** Maps a value to a place on the page. */
export type Scale = (value: number) => number;

export function linearScale(
  domain: readonly [low: number, high: number],
  range: readonly [from: number, to: number],
): Scale {
  const [low, high] = domain;
  const [from, to] = range;
  return (value) => from + ((value - low) / (high - low)) * (to - from);
}

/**
 * Round numbers within a domain, about as many as asked for: steps of 1, 2 or 5 times a power of ten (Heckbert,
 * "Nice numbers for graph labels", Graphics Gems, 1990).
 */
export function niceTicks(low: number, high: number, about: number): { ticks: number[]; decimals: number } {
  const rough = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const ticks: number[] = [];
  for (let tick = Math.ceil(low / step - 1e-9); tick * step <= high + step * 1e-9; tick++)
    ticks.push(tick * step);
  return { ticks, decimals };
}

/** A coordinate, to a tenth of a pixel. */
export function at(value: number): string {
  return String(Math.round(value * 10) / 10);
}
