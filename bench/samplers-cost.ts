/**
 * What an ask costs with 200 observations and 20,000 candidates: `node .bench/bench/samplers-cost.js [--samplers model,tpe]`.
 * CPU time beside elapsed time, for machines are shared. Prints Markdown.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';

import { quantile } from '../src/stats/quantile.ts';
import { Xoshiro128 } from '../src/stats/random.ts';
import { createSampler, SAMPLER_NAMES } from '../src/tune/search/create-sampler.ts';
import { ListedSpace, replayOf } from '../src/tune/simulate/listed-space.ts';
import { generatedSpace } from './samplers/generated-space.ts';

const CANDIDATES = 20_000;
const OBSERVATIONS = 200;
const ASKS = 60;
const LIMIT_MS = 20;

const { values } = parseArgs({ options: { samplers: { type: 'string', default: SAMPLER_NAMES.join(',') } } });

const { space: whole, times_ms } = replayOf(generatedSpace(1));
const points = whole.sample(CANDIDATES, new Xoshiro128(1));
const space = new ListedSpace(whole.parameters, points, whole.constraints);

console.log(
  `${points.length} candidates, ${OBSERVATIONS} to ${OBSERVATIONS + ASKS} observations, ${cpus()[0]?.model}\n`,
);
console.log('| sampler | CPU ms an ask, median | 95 % | greatest | asks over 20 ms | elapsed ms, median |');
console.log('| --- | --: | --: | --: | --: | --: |');
for (const name of values.samplers.split(',')) {
  const sampler = createSampler(name, { space, seed: 1, trials: OBSERVATIONS + ASKS });
  const cpu_ms: number[] = [];
  const elapsed_ms: number[] = [];
  for (let trial = 0; trial < OBSERVATIONS + ASKS; trial++) {
    const cpu = process.cpuUsage();
    const start = performance.now();
    const point = sampler.ask()!;
    if (trial >= OBSERVATIONS) {
      elapsed_ms.push(performance.now() - start);
      const { user, system } = process.cpuUsage(cpu);
      cpu_ms.push((user + system) / 1e3);
    }
    const time_ms = times_ms[whole.indexOf(point)!];
    sampler.tell(point, time_ms === undefined ? { rejected: 'run_failed' } : { time_ms });
  }
  const over = cpu_ms.filter((time) => time > LIMIT_MS).length / cpu_ms.length;
  const cells = [quantile(cpu_ms, 0.5), quantile(cpu_ms, 0.95), Math.max(...cpu_ms)].map((time) =>
    time.toFixed(1),
  );
  console.log(
    `| ${name} | ${cells.join(' | ')} | ${(100 * over).toFixed(0)} % | ${quantile(elapsed_ms, 0.5).toFixed(1)} |`,
  );
}
