import type { Flow } from './flow.ts';

const REGISTERS = 256;
const WORDS = REGISTERS / 32;
/** Values settle after as many rounds as loops are nested; a graph that does not is not one of a compiler. */
const MOST_ROUNDS = 64;

/**
 * How many general registers hold a value that is still needed when an instruction runs: liveness, from the last
 * instruction backwards (Aho, Lam, Sethi and Ullman, Compilers, 9.2.5). ncu's window shows the same and its export
 * does not.
 */
export function liveRegisters(flow: Flow): number[] {
  const { code, before } = flow;
  const uses = code.map(({ reads }) => maskOf(reads));
  const kills = code.map(({ writes, isGuarded }) => maskOf(isGuarded ? [] : writes));
  const results = code.map(({ writes }) => maskOf(writes));
  const after = code.map(() => new Uint32Array(WORDS));
  for (let round = 0, changed = true; changed && round < MOST_ROUNDS; round += 1) {
    changed = false;
    for (let at = code.length - 1; at >= 0; at -= 1) {
      for (let word = 0; word < WORDS; word += 1) {
        const live = uses[at]![word]! | (after[at]![word]! & ~kills[at]![word]!);
        for (const previous of before[at]!) {
          const merged = (after[previous]![word]! | live) >>> 0;
          if (merged === after[previous]![word]) continue;
          after[previous]![word] = merged;
          changed = true;
        }
      }
    }
  }
  return code.map((_, at) => {
    let count = 0;
    for (let word = 0; word < WORDS; word += 1)
      count += bits((uses[at]![word]! | after[at]![word]! | results[at]![word]!) >>> 0);
    return count;
  });
}

function maskOf(registers: readonly string[]): Uint32Array {
  const mask = new Uint32Array(WORDS);
  for (const name of registers) {
    const number = /^R(\d+)$/u.exec(name)?.[1];
    if (number !== undefined && Number(number) < REGISTERS)
      mask[Number(number) >> 5]! |= 1 << (Number(number) & 31);
  }
  return mask;
}

function bits(word: number): number {
  let [count, left] = [0, word];
  while (left !== 0) {
    left = (left & (left - 1)) >>> 0;
    count += 1;
  }
  return count;
}
