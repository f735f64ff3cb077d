/**
 * A store with something for every page of the dashboard, and as many cases as a large project has:
 *
 *   npx tsc -p tsconfig.bench.json && node .bench/bench/dashboard-store.js FOLDER [--commits 200] [--cases 5000] [--few 100]
 *
 * Two devices measure the same `few` cases at every commit, and all of them at every fiftieth and at the last two; the
 * last is a check of all of them. Beside that history stand the profiles, studies and sessions of the browser's tests.
 * The folder gets `history.db`, and `queue.db` for the leaderboard: a store for `dashboard-paint.js`.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { openStore } from '../src/history/store/open-store.ts';
import { compareSamples } from '../src/judge/compare-measurements.ts';
import { CHECK_SCHEMA } from '../src/model/reports/check-report.ts';
import type { Samples } from '../src/model/measure/samples.ts';
import type { StoredRun } from '../src/model/history/stored-run.ts';
import { MadeHistory } from '../test/browser/dashboard-history.ts';
import { fillQueue } from '../test/browser/dashboard-queue.ts';
import { commitAt, runAt, timeAt } from './history/generated-history.ts';

const DEVICES = ['NVIDIA H200', 'NVIDIA L40S'] as const;
const ALL_EVERY = 50;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: 'string', default: '200' },
    cases: { type: 'string', default: '5000' },
    few: { type: 'string', default: '100' },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('wants a folder');
const [commits, cases, few] = [Number(values.commits), Number(values.cases), Number(values.few)];

mkdirSync(folder, { recursive: true });
const history = await openStore(join(folder, 'history.db'));
await new MadeHistory(new Date(timeAt(commits))).fill(history);
for (let at = 0; at < commits; at++) {
  const isAll = at % ALL_EVERY === 0 || at >= commits - 2;
  for (const device of DEVICES) {
    const shape = { cases: isAll ? cases : few, processes: 3, samples: 5, device };
    const run = runAt(at, shape);
    const isChecked = at === commits - 1 && device === DEVICES[0];
    const stored = isChecked ? checked(runAt(at - 1, shape), run) : run;
    await history.put(stored, { commits: [{ ...commitAt(at), author: at % 2 === 0 ? 'Bob' : 'Ada' }] });
  }
}
await history.close();
await fillQueue(join(folder, 'queue.db'));

/** The run as a check against the one before, which was measured beside it. */
function checked(before: StoredRun, run: StoredRun): StoredRun {
  const [base, head] = [headOf(before), headOf(run)];
  const comparison = compareSamples(base, head);
  const report = {
    schema: CHECK_SCHEMA,
    verdict: comparison.verdict,
    comparison,
    waived: [],
    advanced: [],
    new_cases: [],
    baseline: { path: 'pawl-baseline.json' },
    notes: [],
    files: {},
  } as const;
  return { ...run, kind: 'check', sides: { head, base }, report };
}

function headOf({ sides: { head } }: StoredRun): Samples {
  if (head === undefined) throw new Error('a generated run has a head');
  return head;
}
