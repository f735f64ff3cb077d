import type { RecordedRow, RecordedSpace } from '../../src/model/tune/recorded-space.ts';
import { normalQuantile } from '../../src/stats/normal.ts';
import { nextBelow, Xoshiro128 } from '../../src/stats/random.ts';
import type { Random } from '../../src/stats/random.ts';

/** What a made-up device gives a multiprocessor and a block. */
const DEVICE = { threads: 2048, registers: 65_536, sharedMemory_bytes: 102_400, blockMemory_bytes: 49_152 };

/** A made-up kernel: how much each resource matters to it, drawn once a space. */
interface Character {
  readonly problem: number;
  readonly arithmetic: number;
  readonly traffic: number;
  readonly latency: number;
  readonly registersPerItem: number;
  readonly registersBase: number;
  readonly halo: number;
  readonly bestUnroll: number;
  readonly unrollGain: number;
  readonly vectorGain: number;
  readonly layoutCost: readonly number[];
  readonly roundness: number;
  readonly noise: number;
}

const TUNABLES = [
  { name: 'block_size_x', values: [8, 16, 32, 48, 64, 96, 128, 192, 256] },
  { name: 'block_size_y', values: [1, 2, 4, 8, 16] },
  { name: 'tile_size_x', values: [1, 2, 3, 4, 6, 8] },
  { name: 'tile_size_y', values: [1, 2, 4, 8] },
  { name: 'unroll', values: [1, 2, 4, 8] },
  { name: 'vector_width', values: [1, 2, 4] },
  { name: 'use_shared', values: [0, 1] },
  { name: 'layout', values: ['rows', 'columns', 'swizzled'] },
] as const;

const CONSTRAINTS = [
  '32 <= block_size_x * block_size_y <= 1024',
  'block_size_x * tile_size_x % vector_width == 0',
  'tile_size_x * tile_size_y <= 24',
];

/**
 * A recorded space of a kernel that does not exist: a crude roofline with occupancy, coalescing, waves, tails, effects
 * of single values, noise, and variants that fail for want of registers or shared memory. Recorded spaces of real
 * kernels belong to others and are not in this repository; tests and first looks at a sampler use these.
 */
export function generatedSpace(seed: number): RecordedSpace {
  const random = new Xoshiro128(seed);
  const character = drawCharacter(random);
  const quirks = new Map<string, number>();
  const rows: RecordedRow[] = [];
  const sizes = TUNABLES.map(({ values }) => values.length);
  const count = sizes.reduce((product, size) => product * size, 1);
  for (let rank = 0; rank < count; rank++) {
    const indices = indicesOf(rank, sizes);
    const value = (at: number) => Number(TUNABLES[at]!.values[indices[at]!]);
    const [bx, by, tx, ty, vector] = [value(0), value(1), value(2), value(3), value(5)];
    if (bx * by < 32 || bx * by > 1024 || (bx * tx) % vector !== 0 || tx * ty > 24) continue;
    const time = timeOf(character, indices, quirks, random);
    rows.push({ indices, time_ms: time, status: time === undefined ? 'run_failed' : 'ok' });
  }
  return { name: `generated-${seed}`, tunables: TUNABLES, constraints: CONSTRAINTS, rows };
}

function drawCharacter(random: Random): Character {
  const between = (low: number, high: number) => low * (high / low) ** random.nextOpen();
  return {
    problem: 2 ** (20 + nextBelow(random, 4)),
    arithmetic: between(0.2, 5),
    traffic: between(0.2, 5),
    latency: between(0.05, 1),
    registersPerItem: between(1, 12),
    registersBase: between(16, 48),
    halo: nextBelow(random, 3) * 7,
    bestUnroll: nextBelow(random, 4),
    unrollGain: between(0.02, 0.3),
    vectorGain: between(0.02, 0.4),
    layoutCost: [0, 1, 2].map(() => between(0.02, 0.5)),
    roundness: between(0.01, 0.6),
    noise: between(0.001, 0.01),
  };
}

function indicesOf(rank: number, sizes: readonly number[]): number[] {
  const indices: number[] = [];
  let rest = rank;
  for (const size of sizes) {
    indices.push(rest % size);
    rest = Math.floor(rest / size);
  }
  return indices;
}

function timeOf(
  character: Character,
  indices: readonly number[],
  quirks: Map<string, number>,
  random: Random,
): number | undefined {
  const value = (at: number) => Number(TUNABLES[at]!.values[indices[at]!]);
  const [bx, by, tx, ty] = [value(0), value(1), value(2), value(3)];
  const threads = bx * by;
  const items = tx * ty;
  const registers = character.registersBase + character.registersPerItem * items * (1 + 0.2 * indices[4]!);
  const usesShared = value(6) === 1;
  const shared = usesShared ? 4 * (bx * tx + character.halo) * (by * ty + character.halo) : 0;
  if (shared > DEVICE.blockMemory_bytes || registers * threads > DEVICE.registers) return undefined;
  const blocks = Math.min(
    Math.floor(DEVICE.threads / threads),
    Math.floor(DEVICE.registers / (registers * threads)),
    shared === 0 ? 32 : Math.floor(DEVICE.sharedMemory_bytes / shared),
  );
  const occupancy = (blocks * threads) / DEVICE.threads;
  const warps = Math.ceil(threads / 32) * 32;
  const coalescing = Math.min(1, (bx * value(5)) / 32);
  const reuse = usesShared ? 1 + Math.log2(items * threads) / 4 : 1 + Math.log2(items) / 4;
  const compute = (character.arithmetic * (warps / threads)) / (1 - Math.exp(-3 * occupancy - items / 4));
  const memory = character.traffic / (reuse * (0.3 + 0.7 * coalescing)) / (1 - Math.exp(-4 * occupancy));
  const grid = Math.ceil(character.problem / (threads * items));
  const tail = Math.ceil(grid / (108 * blocks)) / (grid / (108 * blocks));
  const unroll = 1 + character.unrollGain * Math.abs(indices[4]! - character.bestUnroll);
  const vector = 1 + character.vectorGain / value(5);
  const layout = 1 + character.layoutCost[indices[7]!]! * (usesShared ? 1 : 0.3);
  const isRound = Number.isInteger(Math.log2(bx)) && Number.isInteger(Math.log2(tx));
  const body = Math.max(compute, memory) + 0.3 * Math.min(compute, memory) + character.latency / occupancy;
  // What a compiler makes of a pair of values, for no reason that a model could know.
  const quirk = quirkOf(quirks, `${indices[2]},${indices[4]},${indices[6]}`, random);
  const round = isRound ? 1 : 1 + character.roundness;
  const noise = Math.exp(character.noise * normalQuantile(random.nextOpen()));
  return body * tail * unroll * vector * layout * round * quirk * noise;
}

function quirkOf(quirks: Map<string, number>, key: string, random: Random): number {
  const known = quirks.get(key);
  if (known !== undefined) return known;
  const quirk = Math.exp(0.05 * normalQuantile(random.nextOpen()));
  quirks.set(key, quirk);
  return quirk;
}
