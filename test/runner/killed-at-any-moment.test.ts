import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { AuditedRunner, PREPARE } from './audited-runner.ts';
import type { RawRunner } from './raw-runner.ts';

/** PAWL_KILL_MOMENTS=200 for the figure in docs/results. */
const MOMENTS = Number(process.env['PAWL_KILL_MOMENTS'] ?? 20);
const TIMEOUT_MS = 30_000 + MOMENTS * 10_000;

let fixtures: AuditedRunner;
beforeAll(async () => {
  fixtures = await AuditedRunner.build();
}, 600_000);
afterEach(() => fixtures.stop());
afterAll(() => fixtures.remove());

/** The parent of every process, as far as they can be read. */
function parents(): Map<number, number> {
  const found = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [, state, parent] = / (\S) (\d+) /.exec(stat.slice(stat.lastIndexOf(')') + 1)) ?? [];
      if (state !== 'Z') found.set(Number(name), Number(parent));
    } catch {
      // It ended while we looked.
    }
  }
  return found;
}

function descendants(root: number): number[] {
  const all = parents();
  const found = [root];
  for (const pid of found) {
    for (const [child, parent] of all) if (parent === pid) found.push(child);
  }
  return found.slice(1);
}

async function sampling(): Promise<{ readonly judge: RawRunner; readonly candidate: number }> {
  const judge = fixtures.start();
  const opened = await judge.open(await fixtures.kernel('honest-joined-threads'));
  if (!opened.ok) throw new Error(opened.error.message);
  await judge.result('prepare', { ...PREPARE });
  return { judge, candidate: (opened.result as { pid: number }).pid };
}

const SAMPLE = { op: 'sample', mode: 'cold', count: 100_000, budget_ms: 60_000, timing: 'blocked' };

describe('kill -9 at any moment', () => {
  it(
    'of the judge leaves no process',
    async () => {
      for (let moment = 0; moment < MOMENTS; ++moment) {
        const { judge } = await sampling();
        judge.ask(SAMPLE).catch(() => undefined);
        await sleep(Math.random() * 60);
        const left = descendants(judge.child.pid ?? 0);
        expect(left.length).toBeGreaterThan(0);
        judge.kill();
        await judge.ended;
        await vi.waitFor(
          () => {
            const alive = parents();
            expect(left.filter((pid) => alive.has(pid))).toEqual([]);
          },
          { timeout: 5000, interval: 20 },
        );
      }
    },
    TIMEOUT_MS,
  );

  it(
    'of the candidate is told by the judge, which ends in good order and leaves no process',
    async () => {
      for (let moment = 0; moment < MOMENTS; ++moment) {
        const { judge, candidate } = await sampling();
        const asked = judge.ask(SAMPLE);
        await sleep(Math.random() * 60);
        process.kill(candidate, 'SIGKILL');
        expect(await asked).toMatchObject({ ok: false, error: { code: 'crashed' } });
        expect(descendants(judge.child.pid ?? 0)).toEqual([]);
        await judge.result('quit');
        expect(await judge.ended).toBe(0);
      }
    },
    TIMEOUT_MS,
  );
});
