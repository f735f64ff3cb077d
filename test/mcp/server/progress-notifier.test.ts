import { afterEach, describe, expect, it } from 'vitest';

import { ProgressNotifier, type ProgressUpdate } from '../../../src/mcp/server/progress-notifier.ts';

describe('progress of a call', () => {
  const updates: ProgressUpdate[] = [];
  let now_ms = 0;
  let notifier = new ProgressNotifier(
    () => undefined,
    () => 0,
  );

  function start(): void {
    updates.length = 0;
    now_ms = 0;
    notifier.stop();
    notifier = new ProgressNotifier(
      (update) => updates.push(update),
      () => (now_ms += 1000),
    );
  }

  afterEach(() => notifier.stop());

  it('goes up from phase to phase, although each counts from nought', () => {
    start();
    for (const title of ['building', 'measuring']) {
      notifier.handle({ type: 'started', title, total: 3 });
      for (const done of [1, 2, 3]) notifier.handle({ type: 'step', done, label: `step ${done}` });
      notifier.handle({ type: 'finished' });
    }
    const values = updates.map(({ progress }) => progress);
    expect(values).toEqual([...new Set(values)].toSorted((one, other) => one - other));
    expect(updates.at(-1)).toMatchObject({ progress: 6, total: 6, message: 'measuring: step 3' });
    for (const { progress, total } of updates) expect(progress).toBeLessThanOrEqual(total!);
  });

  it('says at once that a device is waited for, and who holds it', () => {
    start();
    const holder = { pid: 7, purpose: 'pawl tune of gemm', since: '2026-11-01T09:59:00Z' };
    notifier.handle({ type: 'started', title: 'building', total: 1 });
    notifier.handle({ type: 'waiting', device: 'GPU-1', holder });
    expect(updates.at(-1)!.message).toBe(
      'building: waiting for the device GPU-1, which is in use by process 7 (pawl tune of gemm) since 2026-11-01T09:59:00Z',
    );
  });

  it('says nothing after the answer', () => {
    start();
    notifier.handle({ type: 'started', title: 'a', total: 1 });
    notifier.stop();
    notifier.handle({ type: 'step', done: 1, label: 'late' });
    expect(updates).toHaveLength(1);
  });

  it('shows names without what could repaint a terminal', () => {
    start();
    notifier.handle({ type: 'started', title: 'bad\u001b[2Jname\u202E', total: 0 });
    expect(updates[0]!.message).toBe('bad[2Jname');
  });
});
