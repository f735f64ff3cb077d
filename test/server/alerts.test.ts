import { readFile, writeFile } from 'node:fs/promises';

import { afterEach, describe, expect, it } from 'vitest';

import { openStore } from '../../src/history/store/open-store.ts';
import { alertSchema } from '../../src/model/server/alert.ts';
import { alertsProject, withQuietPast } from '../alerts/alerts-project.ts';
import { startFarEnd, type FarEnd } from '../alerts/far-end.ts';
import { timeOf } from '../history/stored-run-of.ts';
import { READ_TOKEN, ServeRig } from './serve-rig.ts';

let rig: ServeRig | undefined;
let far: FarEnd | undefined;
afterEach(async () => {
  await rig?.stop();
  await far?.close();
});

async function subscriptionsIn(store: string): Promise<string[]> {
  const history = await openStore(store);
  const names = [...(await history.alertSubscriptions()).keys()];
  await history.close();
  return names.toSorted();
}

describe('pawl serve --alerts', () => {
  it('tells of a change that comes while it runs, and says so; a subscription may come later', async () => {
    far = await startFarEnd();
    const project = await alertsProject('subscriptions:\n  room: { slack: PAWL_ALERT_ROOM }\n');
    await withQuietPast(project);
    rig = await ServeRig.start({
      root: project.config,
      store: project.store,
      env: { PAWL_ALERT_ROOM: far.url },
      now: () => timeOf(40),
      alerts: { interval_ms: 50 },
      origins: ['https://pawl.example.org'],
      readToken: READ_TOKEN,
    });
    const added = '  hook: { webhook: PAWL_ALERT_ROOM }\n';
    await writeFile(project.config, `${await readFile(project.config, 'utf8')}  ${added}`);
    // Both were looked for before anything changed.
    await expect.poll(() => subscriptionsIn(project.store), { timeout: 20_000 }).toEqual(['hook', 'room']);
    await project.put({ at: 20, level_ms: 0.056, verdict: 'regressed' });
    const { received } = far;
    await expect.poll(() => received.length, { timeout: 20_000 }).toBe(2);
    const bodies = received.map(({ body }) => JSON.parse(body) as { readonly schema?: string });
    const alert = alertSchema.parse(bodies.find(({ schema }) => schema !== undefined));
    expect(alert.url).toContain('https://pawl.example.org/#/case/');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(received).toHaveLength(2);
    expect(rig.events.filter(({ event }) => event === 'alert-sent')).toHaveLength(2);
  });

  it('does not start where pawl.yaml has no alerts', async () => {
    const project = await alertsProject('subscriptions:\n  room: { slack: PAWL_ALERT_ROOM }\n');
    const text = await readFile(project.config, 'utf8');
    await writeFile(project.config, text.slice(0, text.indexOf('alerts:')));
    await expect(
      ServeRig.start({ root: project.config, store: project.store, alerts: {} }),
    ).rejects.toMatchObject({ kind: 'configuration', message: 'pawl.yaml has no `alerts`.' });
  });
});
