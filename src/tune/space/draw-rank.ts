import type { Random } from '../../stats/random.ts';

const TWO_POW_21 = 2 ** 21;
const TWO_POW_53 = 2 ** 53;

/** Uniform integer in [0, bound) for a bound up to 2^53, by rejection; above that, rounded to a double's steps. */
export function drawRank(random: Random, bound: number): number {
  if (bound > TWO_POW_53) return Math.floor(next53(random) * (bound / TWO_POW_53));
  const limit = TWO_POW_53 - (TWO_POW_53 % bound);
  for (;;) {
    const drawn = next53(random);
    if (drawn < limit) return drawn % bound;
  }
}

function next53(random: Random): number {
  return (random.nextUint32() % TWO_POW_21) * 2 ** 32 + random.nextUint32();
}
