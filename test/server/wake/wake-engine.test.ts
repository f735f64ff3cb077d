import { describe, expect, it } from 'vitest';

import { wakeStatusSchema } from '../../../src/model/server/wake.ts';
import { LABELS, payload, PAYLOADS, WakeRig } from './wake-rig.ts';

describe('a queued job', () => {
  it('wakes the host that has its labels, whatever their case, and the host sleeps when it idles', async () => {
    const rig = await WakeRig.make();
    expect(rig.deliver(payload('queued'))).toBe('accepted');
    await rig.engine.settled();
    expect(await rig.ran()).toEqual(['wake gpu']);
    expect(rig.host()).toMatchObject({ phase: 'awake', woken_by_pawl: true });

    rig.deliver(payload('in_progress'));
    await rig.pass(60);
    expect(await rig.ran()).toEqual(['wake gpu']);
    rig.deliver(payload('completed'));
    await rig.pass(9);
    expect(rig.host().phase).toBe('awake');
    await rig.pass(2);
    expect(await rig.ran()).toEqual(['wake gpu', 'sleep gpu']);
    expect(rig.host()).toMatchObject({ phase: 'asleep', jobs: [] });
  });

  it('is taken as GitHub sends it: waiting for an approval wakes nothing, being queued does', async () => {
    const rig = await WakeRig.make();
    const waiting = PAYLOADS.find(({ action }) => action === 'waiting');
    const queued = PAYLOADS.find(
      ({ action, workflow_job }) => action === 'queued' && workflow_job.id === waiting?.workflow_job.id,
    );
    const recent = { created_at: '2026-07-01T09:00:00Z' };
    const fresh = (one: (typeof PAYLOADS)[number]) => ({
      ...one,
      workflow_job: { ...one.workflow_job, ...recent },
    });
    expect(rig.deliver(fresh(waiting!))).toBe('ignored');
    await rig.pass(1);
    expect(await rig.ran()).toEqual([]);
    expect(rig.deliver(fresh(queued!))).toBe('accepted');
    await rig.pass(1);
    expect(await rig.ran()).toEqual(['wake gpu']);
  });

  it.each([
    ['of another repository', { repository: 'octo-org/example' }],
    ['of a repository whose owner only begins alike', { repository: 'lineville-evil/x' }],
    ['that asks for a label the host has not', { labels: [...LABELS, 'h200'] }],
    ['for a runner of GitHub', { labels: ['ubuntu-latest'] }],
    ['without labels', { labels: [] }],
  ])('%s wakes nothing', async (_, details) => {
    const rig = await WakeRig.make();
    expect(rig.deliver(payload('queued', details))).toBe('ignored');
    await rig.pass(1);
    expect(await rig.ran()).toEqual([]);
  });

  it('wakes nothing where the host is for other repositories', async () => {
    const rig = await WakeRig.make({ gpu: { repositories: ['lineville/other'] } });
    expect(rig.deliver(payload('queued'))).toBe('ignored');
  });

  it('that was recorded years ago is too old to be news', async () => {
    const rig = await WakeRig.make();
    expect(rig.deliver(payload('queued', { created_at: '2023-04-19T21:12:12Z' }))).toBe('ignored');
    expect(rig.events.at(-1)?.message).toMatch(/too old/);
  });
});

describe('deliveries', () => {
  it('that come twice, or again after a restart, count once', async () => {
    const rig = await WakeRig.make();
    expect(rig.deliver(payload('queued'), 'one')).toBe('accepted');
    expect(rig.deliver(payload('queued'), 'one')).toBe('duplicate');
    await rig.engine.settled();
    await rig.restart();
    expect(rig.deliver(payload('queued'), 'one')).toBe('duplicate');
    // GitHub's "redeliver" keeps the id; a second hook of the same repository has its own.
    expect(rig.deliver(payload('queued'), 'two')).toBe('ignored');
    await rig.pass(1);
    expect(await rig.ran()).toEqual(['wake gpu']);
  });

  it.each([
    ['completed, queued', ['completed', 'queued']],
    ['completed, in_progress, queued', ['completed', 'in_progress', 'queued']],
    ['in_progress, queued', ['in_progress', 'queued']],
  ])('in the order %s wake nothing', async (_, actions) => {
    const rig = await WakeRig.make();
    const results = actions.map((action) => rig.deliver(payload(action)));
    expect(results).toEqual(['accepted', ...actions.slice(1).map(() => 'ignored')]);
    await rig.pass(1);
    expect(await rig.ran()).toEqual([]);
  });

  it('of another attempt are about another job', async () => {
    const rig = await WakeRig.make();
    rig.deliver(payload('completed', { run_attempt: 1 }));
    expect(rig.deliver(payload('queued', { run_attempt: 2 }))).toBe('accepted');
    await rig.pass(1);
    expect(await rig.ran()).toEqual(['wake gpu']);
  });

  it('replayed in any order and number end in the same state', async () => {
    const actions = ['queued', 'in_progress', 'completed'];
    const ends = new Set<string>();
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 2],
      [0, 2, 1],
      [1, 2, 0],
      [2, 0, 1],
    ]) {
      const rig = await WakeRig.make();
      for (const index of [...order, ...order]) rig.deliver(payload(actions[index]!));
      await rig.pass(15);
      expect((await rig.ran()).filter((one) => one === 'wake gpu').length).toBeLessThanOrEqual(1);
      ends.add(JSON.stringify(rig.host().jobs));
      expect(['asleep', 'uncertain']).toContain(rig.host().phase);
    }
    expect([...ends]).toEqual(['[]']);
  });
});

describe('several jobs', () => {
  it('for one host are one wake, and the last of them ends its day', async () => {
    const rig = await WakeRig.make();
    rig.deliver(payload('queued', { id: 1 }));
    rig.deliver(payload('queued', { id: 2 }));
    await rig.engine.settled();
    rig.deliver(payload('in_progress', { id: 1 }));
    rig.deliver(payload('completed', { id: 1 }));
    await rig.pass(12);
    expect(await rig.ran()).toEqual(['wake gpu']);
    rig.deliver(payload('in_progress', { id: 2 }));
    await rig.pass(30);
    rig.deliver(payload('completed', { id: 2 }));
    await rig.pass(11);
    expect(await rig.ran()).toEqual(['wake gpu', 'sleep gpu']);
  });

  it('go to two hosts where both have the labels, and each sleeps on its own', async () => {
    const rig = await WakeRig.make({ first: {}, second: {} });
    rig.deliver(payload('queued', { id: 1 }));
    rig.deliver(payload('queued', { id: 2 }));
    await rig.engine.settled();
    expect((await rig.ran()).toSorted()).toEqual(['wake first', 'wake second']);
    rig.deliver(payload('completed', { id: 1 }));
    rig.deliver(payload('in_progress', { id: 2 }));
    await rig.pass(11);
    expect((await rig.ran()).slice(2)).toEqual(['sleep first']);
    expect(rig.host('second').phase).toBe('awake');
  });

  it('go to the host whose labels fit, and to no other', async () => {
    const rig = await WakeRig.make({ small: {}, large: { labels: [...LABELS, 'h200'] } });
    rig.deliver(payload('queued', { labels: ['self-hosted', 'H200'] }));
    await rig.engine.settled();
    expect(await rig.ran()).toEqual(['wake large']);
  });

  it('queue up behind one another where the host has room for more', async () => {
    const rig = await WakeRig.make({ first: { capacity: 2 }, second: {} });
    rig.deliver(payload('queued', { id: 1 }));
    rig.deliver(payload('queued', { id: 2 }));
    await rig.engine.settled();
    expect(await rig.ran()).toEqual(['wake first']);
  });
});

describe('a wake command', () => {
  it('that fails is tried again, later each time, as long as the job waits', async () => {
    const rig = await WakeRig.make();
    await rig.let('wake', '3');
    rig.deliver(payload('queued'));
    await rig.engine.settled();
    expect(rig.host()).toMatchObject({
      phase: 'uncertain',
      gave_up: false,
      last_command: { ok: false, detail: expect.stringMatching(/ended with 3: as it was told/) },
    });
    await rig.pass(1);
    await rig.let('wake', '');
    await rig.pass(2);
    expect(rig.host().phase).toBe('awake');
    expect((await rig.ran()).every((one) => one === 'wake gpu')).toBe(true);
  });

  it('is given up after so many failures, with an alarm; a new job starts afresh', async () => {
    const rig = await WakeRig.make({ gpu: { attempts: 3 } }, {});
    await rig.let('wake', '1');
    rig.deliver(payload('queued', { id: 1 }));
    await rig.pass(5);
    expect(rig.host().gave_up).toBe(true);
    expect(rig.names()).toContain('wake-given-up');
    expect((await rig.ran()).filter((one) => one === 'wake gpu')).toHaveLength(3);
    await rig.restart();
    await rig.pass(1);
    expect((await rig.ran()).filter((one) => one === 'wake gpu')).toHaveLength(3);
    await rig.let('wake', '');
    rig.deliver(payload('queued', { id: 2 }));
    await rig.engine.settled();
    expect(rig.host()).toMatchObject({ phase: 'awake', gave_up: false });
  });

  it('that failed may have worked: the host is put to sleep all the same', async () => {
    const rig = await WakeRig.make({ gpu: { attempts: 1 } });
    await rig.let('wake', '1');
    rig.deliver(payload('queued'));
    await rig.pass(30);
    expect(await rig.ran()).toEqual(['wake gpu', 'sleep gpu']);
    expect(rig.host()).toMatchObject({ phase: 'asleep', gave_up: true });
  });

  it('is not tried again when the job is gone', async () => {
    const rig = await WakeRig.make();
    await rig.let('wake', '1');
    rig.deliver(payload('queued'));
    await rig.engine.settled();
    rig.deliver(payload('completed'));
    await rig.pass(9);
    expect(await rig.ran()).toEqual(['wake gpu']);
  });

  it('that hangs is ended and counts as failed', async () => {
    const rig = await WakeRig.make({ gpu: { command_timeout_s: 0.3, attempts: 1 } });
    await rig.let('wake', 'hang');
    rig.deliver(payload('queued'));
    await rig.engine.settled();
    expect(rig.host().last_command?.detail).toMatch(/took longer than 0\.3 s/);
  });

  it('that does not exist is a failure with a reason', async () => {
    const rig = await WakeRig.make({ gpu: { wake: ['/nowhere/gcloud'], attempts: 1 } });
    rig.deliver(payload('queued'));
    await rig.engine.settled();
    expect(rig.host().last_command?.detail).toMatch(/could not be started/);
  });

  it('sees the name of the host, and not the secret', async () => {
    const rig = await WakeRig.make();
    rig.deliver(payload('queued'));
    await rig.engine.settled();
    expect(await rig.raw()).toBe('wake gpu  secret=none\n');
  });

  it('that could not wake one host leaves the job to another that may run it', async () => {
    const rig = await WakeRig.make({
      first: { attempts: 1, wake: ['/nowhere/gcloud'] },
      second: {},
    });
    rig.deliver(payload('queued'));
    await rig.pass(1);
    expect(await rig.ran()).toEqual(['wake second']);
    expect(rig.host('second').jobs).toHaveLength(1);
  });
});

describe('a sleep command', () => {
  it('that refuses is asked again, and a job that comes meanwhile wakes the host', async () => {
    const rig = await WakeRig.make();
    rig.deliver(payload('queued'));
    await rig.engine.settled();
    rig.deliver(payload('completed'));
    await rig.let('sleep', '75');
    await rig.pass(13);
    expect((await rig.ran()).filter((one) => one === 'sleep gpu').length).toBeGreaterThan(1);
    expect(rig.host().phase).toBe('uncertain');
    rig.deliver(payload('queued', { id: 2 }));
    await rig.engine.settled();
    expect((await rig.ran()).at(-1)).toBe('wake gpu');
    expect(rig.host().phase).toBe('awake');
  });

  it('that is under way when a job comes is followed by a wake', async () => {
    const rig = await WakeRig.make();
    rig.deliver(payload('queued'));
    await rig.engine.settled();
    rig.deliver(payload('completed'));
    await rig.pass(9);
    // Without waiting for the commands: the next tick begins to sleep, and the job comes then.
    const passing = rig.pass(1);
    while (rig.host().phase !== 'falling-asleep' && rig.host().phase !== 'asleep') {
      await new Promise((resolve) => setImmediate(resolve));
    }
    rig.deliver(payload('queued', { id: 2 }));
    await passing;
    await rig.engine.settled();
    expect(await rig.ran()).toEqual(['wake gpu', 'sleep gpu', 'wake gpu']);
  });

  it('is not run before the grace after waking is over', async () => {
    const rig = await WakeRig.make({ gpu: { idle_minutes: 0, grace_minutes: 20 } });
    rig.deliver(payload('queued'));
    await rig.engine.settled();
    rig.deliver(payload('completed'));
    await rig.pass(19);
    expect(rig.host().phase).toBe('awake');
    await rig.pass(2);
    expect(rig.host().phase).toBe('asleep');
  });

  it('is not run on what somebody else woke', async () => {
    const rig = await WakeRig.make({ gpu: { status: ['true'] } });
    expect(rig.host()).toMatchObject({ phase: 'awake', woken_by_pawl: false });
    rig.deliver(payload('queued'));
    rig.deliver(payload('in_progress'));
    rig.deliver(payload('completed'));
    await rig.pass(60);
    expect(await rig.ran()).toEqual([]);
  });
});

describe('a status command', () => {
  it('decides whether the host is up, after the wake command said that it is', async () => {
    const gpu = { status: ['./told', 'status'], attempts: 1 };
    const rig = await WakeRig.make({ gpu }, {}, { status: '1' });
    expect(rig.host().phase).toBe('asleep');
    rig.deliver(payload('queued'));
    await rig.engine.settled();
    expect(rig.host().gave_up).toBe(true);
    expect(rig.host().last_command?.detail).toMatch(/not up 10 min after it was woken/);
  });

  it('that finds a host gone, with a job waiting, has it woken again', async () => {
    const gpu = { status: ['./told', 'status'], pickup_minutes: 500, up_minutes: 10_000 };
    const rig = await WakeRig.make({ gpu }, {}, { status: '1' });
    await rig.let('status', '');
    rig.deliver(payload('queued'));
    await rig.engine.settled();
    expect(rig.host()).toMatchObject({ phase: 'awake', woken_by_pawl: true });
    await rig.let('status', '1');
    // The next status is asked for within five minutes; the wake that follows waits until it is up again.
    const passing = rig.pass(5);
    while ((await rig.ran()).length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    await rig.let('status', '');
    await passing;
    await rig.engine.settled();
    expect(rig.host().phase).toBe('awake');
    expect(await rig.ran()).toEqual(['wake gpu', 'wake gpu']);
  });

  it('that tells nothing changes nothing', async () => {
    const rig = await WakeRig.make({ gpu: { status: ['./told', 'status'] } });
    rig.deliver(payload('queued'));
    await rig.engine.settled();
    await rig.let('status', '2');
    await rig.pass(6);
    expect(rig.host().phase).toBe('awake');
    expect(rig.names()).toContain('status-unknown');
  });
});

it('tells its state in the published form', async () => {
  const rig = await WakeRig.make();
  rig.deliver(payload('queued'));
  await rig.engine.settled();
  const status = JSON.parse(JSON.stringify(rig.engine.status(false))) as unknown;
  expect(wakeStatusSchema.parse(status)).toMatchObject({ hosts: [{ name: 'gpu', phase: 'awake' }] });
});
