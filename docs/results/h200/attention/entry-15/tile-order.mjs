// How long the slowest of 132 thread blocks takes, of the mean, with tiles in sections of heads under a causal mask:
// every 132nd tile, or each to whoever comes first. 256 heads; a tile takes its blocks of 64 keys, and 1 or 1.5 besides.
//   node tile-order.mjs
const BLOCKS = 132;
const HEADS = 256;

function tiles(length, rows, heads, besides) {
  const lengths = Array.from({ length: length / rows }, (_, i) => (length - i * rows) / 64 + besides);
  return Array.from({ length: HEADS / heads }, () => lengths.flatMap((one) => Array(heads).fill(one))).flat();
}

function slowest(all, next) {
  const busy = Array(BLOCKS).fill(0);
  for (const [i, time] of all.entries()) busy[next(i, busy)] += time;
  return Math.max(...busy) / (busy.reduce((sum, one) => sum + one) / BLOCKS);
}

for (const { depth, rows, besides } of [
  { depth: 64, rows: 256, besides: 1.5 },
  { depth: 128, rows: 128, besides: 1 },
])
  for (const length of [512, 1024, 2048])
    for (const heads of [256, 128, 64, 32]) {
      const all = tiles(length, rows, heads, besides);
      const every = slowest(all, (i) => i % BLOCKS).toFixed(3);
      const given = slowest(all, (_, busy) => busy.indexOf(Math.min(...busy))).toFixed(3);
      console.log(`D ${depth} S ${length}, ${heads} heads a section: every ${BLOCKS}nd ${every}, given out ${given}`);
    }
