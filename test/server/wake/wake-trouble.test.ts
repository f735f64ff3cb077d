/** What a wake server does when things get lost, take too long, or it is restarted. */
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { payload, WakeRig } from './wake-rig.ts';

describe('a job that is lost', () => {
  it('in the queue is nudged once, then no longer keeps the host awake', async () => {
    const rig = await WakeRig.make();
    rig.deliver(payload('queued'));
    await rig.engine.settled();
    await rig.pass(16);
    expect(rig.names()).toContain('not-picked-up');
    expect(await rig.ran()).toEqual(['wake gpu', 'wake gpu']);
    await rig.pass(28);
    expect(rig.names()).toContain('job-expired');
    expect(await rig.ran()).toEqual(['wake gpu', 'wake gpu', 'sleep gpu']);
  });

  it('while it ran is expired, and its end is still taken', async () => {
    const rig = await WakeRig.make({ gpu: { job_timeout_hours: 1 } });
    rig.deliver(payload('queued'));
    await rig.engine.settled();
    rig.deliver(payload('in_progress'));
    await rig.pass(59);
    expect(rig.host().phase).toBe('awake');
    await rig.pass(13);
    expect(rig.host().phase).toBe('asleep');
    expect(rig.deliver(payload('completed'))).toBe('accepted');
  });

  it('and runs after all keeps the host awake again', async () => {
    const rig = await WakeRig.make();
    rig.deliver(payload('queued'));
    await rig.engine.settled();
    await rig.pass(33);
    expect(rig.names()).toContain('job-expired');
    expect(rig.deliver(payload('in_progress'))).toBe('accepted');
    await rig.pass(30);
    expect(rig.host()).toMatchObject({ phase: 'awake', jobs: [{ state: 'running' }] });
  });
});

describe('runners that hosts name', () => {
  it('move a job to the host that took it', async () => {
    const rig = await WakeRig.make({ first: { runners: ['first-*'] }, second: { runners: ['second-*'] } });
    rig.deliver(payload('queued'));
    await rig.engine.settled();
    rig.deliver(payload('in_progress', { runner_name: 'second-7' }));
    expect(rig.host('second')).toMatchObject({ jobs: [{ state: 'running' }] });
    expect(rig.host('first').jobs).toEqual([]);
    await rig.pass(11);
    expect(await rig.ran()).toEqual(['wake first', 'sleep first']);
  });

  it('let go of a job that a stranger took', async () => {
    const rig = await WakeRig.make({ gpu: { runners: ['gpu-*-runner'] } });
    rig.deliver(payload('queued'));
    await rig.engine.settled();
    rig.deliver(payload('in_progress', { runner_name: 'somebody' }));
    await rig.pass(11);
    expect(await rig.ran()).toEqual(['wake gpu', 'sleep gpu']);
  });
});

describe('an alarm', () => {
  it('rings for a host that stays awake, and again as much later', async () => {
    const rig = await WakeRig.make({ gpu: { max_awake_hours: 1, sleep: undefined } });
    Object.assign(rig.config, { alarm: [join(rig.folder, 'told'), 'alarm'] });
    rig.deliver(payload('queued'));
    await rig.engine.settled();
    rig.deliver(payload('in_progress'));
    await rig.pass(61);
    expect(await rig.raw()).toMatch(/alarm gpu awake for 1\.0 h secret=none/);
    await rig.pass(60);
    expect((await rig.ran()).filter((one) => one === 'alarm gpu')).toHaveLength(2);
    expect(rig.host().alarms).toBe(2);
  });
});

describe('a restart', () => {
  it('between the job and the wake has the host woken', async () => {
    const rig = await WakeRig.make();
    await rig.let('wake', 'hang');
    rig.deliver(payload('queued'));
    await rig.restart();
    await rig.let('wake', '');
    await rig.restart();
    await rig.engine.settled();
    expect(rig.host()).toMatchObject({ phase: 'awake', jobs: [{ state: 'queued' }] });
  });

  it('between the wake and the job keeps the host awake until the job is over', async () => {
    const rig = await WakeRig.make();
    rig.deliver(payload('queued'));
    await rig.engine.settled();
    await rig.restart();
    rig.deliver(payload('in_progress'));
    await rig.restart();
    await rig.pass(30);
    expect(await rig.ran()).toEqual(['wake gpu']);
    rig.deliver(payload('completed'));
    await rig.restart();
    await rig.pass(11);
    expect(await rig.ran()).toEqual(['wake gpu', 'sleep gpu']);
  });

  it('while the host falls asleep puts it to sleep again, or wakes it for a job', async () => {
    for (const isWanted of [false, true]) {
      const rig = await WakeRig.make();
      rig.deliver(payload('queued'));
      await rig.engine.settled();
      rig.deliver(payload('completed'));
      await rig.pass(9.5);
      await rig.let('sleep', 'hang');
      // The tick begins to sleep; the restart comes before it is done.
      const passing = rig.pass(0.5);
      while (rig.host().phase !== 'falling-asleep') await new Promise((resolve) => setImmediate(resolve));
      if (isWanted) rig.deliver(payload('queued', { id: 2 }));
      await rig.let('sleep', '');
      await rig.restart();
      await passing;
      await rig.pass(1);
      expect(rig.host().phase).toBe(isWanted ? 'awake' : 'asleep');
    }
  });

  it('of an empty journal leaves alone what may be somebody else’s', async () => {
    const rig = await WakeRig.make();
    await rig.pass(60);
    expect(await rig.ran()).toEqual([]);
    expect(rig.host()).toMatchObject({ phase: 'uncertain', woken_by_pawl: false });
  });
});
