/** A stream of random numbers. Passed in wherever chance is used, so that every result can be repeated. */
export interface Random {
  /** The next 32 bits, as an unsigned integer. */
  nextUint32(): number;
  /** Uniform on the open interval (0, 1): never 0 and never 1, so logarithms and powers of it are finite. */
  nextOpen(): number;
}

const TWO_POW_MINUS_32 = 2 ** -32;

/**
 * xoshiro128** 1.1 (Blackman & Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47(4), 2021;
 * https://prng.di.unimi.it/xoshiro128starstar.c), its state filled by SplitMix64 (Steele, Lea & Flood, "Fast
 * splittable pseudorandom number generators", OOPSLA 2014), as its authors advise.
 */
export class Xoshiro128 implements Random {
  #s0: number;
  #s1: number;
  #s2: number;
  #s3: number;

  constructor(seed: number | bigint) {
    const first = splitMix64(BigInt.asUintN(64, BigInt(seed)) + SPLITMIX_GAMMA);
    const second = splitMix64(BigInt.asUintN(64, BigInt(seed)) + 2n * SPLITMIX_GAMMA);
    this.#s0 = Number(first & 0xffffffffn) | 0;
    this.#s1 = Number(first >> 32n) | 0;
    this.#s2 = Number(second & 0xffffffffn) | 0;
    this.#s3 = Number(second >> 32n) | 0;
  }

  nextUint32(): number {
    const scrambled = Math.imul(rotateLeft(Math.imul(this.#s1, 5), 7), 9) >>> 0;
    const shifted = this.#s1 << 9;
    this.#s2 ^= this.#s0;
    this.#s3 ^= this.#s1;
    this.#s1 ^= this.#s2;
    this.#s0 ^= this.#s3;
    this.#s2 ^= shifted;
    this.#s3 = rotateLeft(this.#s3, 11);
    return scrambled;
  }

  nextOpen(): number {
    return (this.nextUint32() + 0.5) * TWO_POW_MINUS_32;
  }
}

const SPLITMIX_GAMMA = 0x9e3779b97f4a7c15n;

/** The output function of SplitMix64; the caller steps the state by the golden gamma. */
function splitMix64(state: bigint): bigint {
  let mixed = BigInt.asUintN(64, state);
  mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n);
  mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
  return mixed ^ (mixed >> 31n);
}

function rotateLeft(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

/**
 * Uniform integer in [0, bound), without bias: Lemire's multiply-and-reject ("Fast random integer generation in
 * an interval", ACM TOMACS 29(1), 2019) in the exact integers of a double. `bound` is at most 2^21.
 */
export function nextBelow(random: Random, bound: number): number {
  const threshold = 2 ** 32 % bound;
  for (;;) {
    const product = random.nextUint32() * bound;
    const high = Math.floor(product * TWO_POW_MINUS_32);
    if (product - high * 2 ** 32 >= threshold) return high;
  }
}
