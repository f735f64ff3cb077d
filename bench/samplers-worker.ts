/** A thread of bench/samplers.ts: runs one search after the other. */
import { parentPort } from 'node:worker_threads';

import type { Outcome } from '../src/tune/samplers/sampler.ts';
import { replayOf } from '../src/tune/simulate/listed-space.ts';
import type { Replay } from '../src/tune/simulate/listed-space.ts';
import { simulate } from '../src/tune/simulate/simulate.ts';
import type { Point } from '../src/tune/space/space.ts';
import { createContender } from './samplers/contenders.ts';
import { openSpace } from './samplers/open-space.ts';
import type { SearchJob, SearchResult } from './samplers/search-job.ts';

/** What an ask may cost (docs/samplers.md). */
const ASK_LIMIT_MS = 20;

const replays = new Map<string, Promise<Replay>>();

parentPort?.on('message', (job: SearchJob) => {
  void run(job).then((result) => parentPort?.postMessage(result, []));
});

async function run({ space, sampler: name, seed, trials }: SearchJob): Promise<SearchResult> {
  let opened = replays.get(space);
  if (opened === undefined) replays.set(space, (opened = openSpace(space).then(replayOf)));
  const replay = await opened;
  const sampler = createContender(name, { space: replay.space, seed, trials });
  const asks_ms: number[] = [];
  const timed = {
    ask: (): Point | undefined => {
      const start = performance.now();
      const point = sampler.ask();
      asks_ms.push(performance.now() - start);
      return point;
    },
    tell: (point: Point, outcome: Outcome) => sampler.tell(point, outcome),
  };
  const { best_ms } = simulate(replay, timed, trials);
  return {
    space,
    sampler: name,
    seed,
    trials,
    best_ms: best_ms.map((time) => time ?? null),
    ask_ms: asks_ms.reduce((sum, time) => sum + time, 0) / asks_ms.length,
    slowAsks: asks_ms.filter((time) => time > ASK_LIMIT_MS).length / asks_ms.length,
  };
}
