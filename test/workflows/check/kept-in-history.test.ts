import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { openStore } from '../../../src/history/store/open-store.ts';
import type { SqlHistory } from '../../../src/history/store/sql-history.ts';
import { bench } from '../../../src/workflows/runs/bench.ts';
import { check } from '../../../src/workflows/check.ts';
import { SessionProject } from '../session/session-project.ts';

let project: SessionProject;

beforeAll(async () => {
  project = await SessionProject.create();
});

function commit(message: string): void {
  project.git('add', '--all');
  project.git('commit', '--quiet', '--message', message);
}

async function inStore<T>(ask: (store: SqlHistory) => Promise<T>): Promise<T> {
  const store = await openStore(join(project.folder, '.pawl', 'history.db'));
  try {
    return await ask(store);
  } finally {
    await store.close();
  }
}

function levels() {
  return inStore(async (store) => {
    const keys = await store.keys({ case: 'small' });
    expect(keys).toHaveLength(1);
    return (await store.trendPoints(keys[0]!.id))!.points;
  });
}

const QUICK = { wait_s: 600, processes: 4 };

// Each step stands on those before.
describe('what history keeps of a check', () => {
  it('ends a trend at the baseline again once a regression was taken back', async () => {
    const { config } = project;
    await check({ config, update: true, ...QUICK });
    commit('baseline');
    await project.kernel({ turns: 200_000 });
    commit('slower');
    await bench({ config, ...QUICK });
    await project.kernel();
    commit('taken back');
    const { report, samples } = await check({ config, ...QUICK });
    expect(report.comparison.cases).toMatchObject([{ verdict: 'maintained', processes: [0, 0] }]);
    expect(samples.head.measurements[0]!.series).toEqual([]);

    const [first, slower, last] = await levels();
    expect(slower!.level_ms).toBeGreaterThan(2 * first!.level_ms);
    expect(slower!.carried).toBeUndefined();
    expect(last).toMatchObject({ carried: true, samples: 0, verdict: 'maintained' });
    expect(last!.commit).toBe(project.git('rev-parse', 'HEAD').trim());
    expect(last!.level_ms / first!.level_ms).toBeCloseTo(1, 4);
    const window = { since: new Date(0), until: new Date(8.64e15) };
    const { keys } = await inStore((store) => store.overview(window));
    expect(keys).toMatchObject([{ level_ms: last!.level_ms, verdict: 'maintained' }]);
  });

  it('is the control too, beside what was judged', async () => {
    await project.kernel({ turns: 5_000 });
    commit('faster');
    const { report, samples } = await check({ config: project.config, ...QUICK });
    expect(report.control?.cases).toHaveLength(1);
    expect(samples.control?.measurements[0]!.series.length).toBeGreaterThan(0);
    const [device] = await inStore((store) => store.devices());
    expect(device!.controls.total).toBe(1);
  });
});
