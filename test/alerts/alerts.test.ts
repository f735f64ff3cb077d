import { createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { openStore } from '../../src/history/store/open-store.ts';
import {
  alertSchema,
  alertsReportSchema,
  alertsSentSchema,
  alertTestSchema,
  type AlertsSent,
} from '../../src/model/server/alert.ts';
import { renderAlerts, renderSent } from '../../src/report/terminal/alerts-terminal.ts';
import { listAlerts, sendAlerts, testAlert } from '../../src/workflows/alerts.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';
import { commitOf, shaOf, storedRunOf, timeOf } from '../history/stored-run-of.ts';
import { alertsProject, withQuietPast, type AlertsProject } from './alerts-project.ts';
import { startFarEnd, startMailbox, type FarEnd, type Mailbox } from './far-end.ts';

const SECRET = 'a secret of more than sixteen bytes';
/** What no store, no output and no error may hold. */
const TOKEN = 'T0K3Nthat-is-the-password';

let far: FarEnd;
let mailbox: Mailbox;

beforeAll(async () => {
  far = await startFarEnd();
  mailbox = await startMailbox();
});
afterAll(async () => {
  await far.close();
  await mailbox.close();
});
beforeEach(() => {
  far.received.length = 0;
  far.answer = (response) => void response.writeHead(200).end('ok');
  mailbox.mails.length = 0;
  mailbox.refused.clear();
  mailbox.isSilent = false;
});

const HOOK = `subscriptions:
  hook: { webhook: PAWL_ALERT_HOOK, secret: PAWL_ALERT_SECRET }
`;

function envOf(): Record<string, string> {
  return {
    PAWL_ALERT_HOOK: `${far.url}/hooks/${TOKEN}`,
    PAWL_ALERT_SECRET: SECRET,
    PAWL_ALERT_SMTP: `smtp://ann:opensesame@127.0.0.1:${mailbox.port}`,
  };
}

interface SendAs {
  readonly at?: number;
  readonly env?: Record<string, string>;
  readonly dryRun?: boolean;
  readonly retryFailed?: boolean;
  readonly timeout_ms?: number;
}

async function send(project: AlertsProject, options: SendAs = {}): Promise<AlertsSent> {
  const { at = 60, env = envOf(), ...rest } = options;
  const sent = await sendAlerts({ config: project.config, env, now: () => timeOf(at), ...rest });
  return alertsSentSchema.parse(JSON.parse(JSON.stringify(sent)));
}

/** A project that was looked at when nothing had changed. */
async function watched(alerts: string): Promise<AlertsProject> {
  const project = await alertsProject(alerts);
  await withQuietPast(project);
  await send(project, { at: 20 });
  far.received.length = 0;
  mailbox.mails.length = 0;
  return project;
}

async function slower(project: AlertsProject, from = 20, to = 26, level_ms = 0.056): Promise<void> {
  for (let at = from; at < to; at++) await project.put({ at, level_ms });
}

describe('alerts', () => {
  it('tell a webhook of a step once, signed, with the page of the change', async () => {
    const project = await watched(`dashboard: https://pawl.example.org/\n${HOOK}`);
    expect(await send(project, { at: 21 })).toMatchObject({ found: 0, tried: [] });
    await slower(project);
    expect(await send(project)).toMatchObject({ found: 1, tried: [{ state: 'sent' }], waiting: 0 });
    const [{ headers, body }] = far.received as [(typeof far.received)[0]];
    const alert = alertSchema.parse(JSON.parse(body));
    expect(alert).toMatchObject({
      subscription: 'hook',
      key: { kernel: 'attention', case: 'small' },
      change: { kind: 'step', direction: 'slower', commit: shaOf(20), subject: 'change 20' },
      url: `https://pawl.example.org/#/case/${alert.key.id}?a=${shaOf(19)}&b=${shaOf(20)}`,
    });
    expect(alert.title).toMatch(/^attention\/small is 1[12] % slower since 0{10}$/u);
    const signed = `${alert.id}.${String(headers['webhook-timestamp'])}.${body}`;
    const digest = createHmac('sha256', SECRET).update(signed).digest('base64');
    expect(headers).toMatchObject({ 'webhook-id': alert.id, 'webhook-signature': `v1,${digest}` });
    expect(await send(project)).toMatchObject({ found: 0, tried: [] });
    await slower(project, 26, 36);
    expect(await send(project)).toMatchObject({ found: 0, tried: [] });
    expect(far.received).toHaveLength(1);
  });

  it('are silent of noise, of a single bad run, and of what was there before', async () => {
    const project = await alertsProject(HOOK);
    await withQuietPast(project);
    await slower(project);
    expect(await send(project)).toMatchObject({ found: 0, tried: [] });
    await project.put({ at: 26, level_ms: 0.08 });
    expect(await send(project)).toMatchObject({ found: 0, tried: [] });
    for (let at = 27; at < 32; at++) await project.put({ at, level_ms: 0.056 });
    expect(await send(project)).toMatchObject({ found: 0, tried: [] });
    expect(far.received).toEqual([]);
  });

  it('tell at once what a check confirmed, and not again when the trend shows it', async () => {
    const project = await watched(HOOK);
    await project.put({ at: 20, level_ms: 0.056, verdict: 'regressed' });
    expect(await send(project)).toMatchObject({ found: 1 });
    expect(JSON.parse(far.received[0]!.body)).toMatchObject({
      change: { kind: 'verdict', commit: shaOf(20), branch: 'main' },
    });
    for (let at = 21; at < 30; at++) await project.put({ at, level_ms: 0.056, verdict: 'regressed' });
    expect(await send(project)).toMatchObject({ found: 0 });
    expect(far.received).toHaveLength(1);
  });

  it('leave out what was waived and what a pull request measured', async () => {
    const project = await watched(HOOK);
    await project.put({ at: 20, level_ms: 0.056, verdict: 'regressed', waived: true });
    expect(await send(project)).toMatchObject({ found: 0 });
    const history = await openStore(project.store);
    const run = storedRunOf({ at: 21, level_ms: 0.04, verdict: 'improved' });
    await history.put({ ...run, pull_request: 7 }, { commits: [commitOf(21)] });
    await history.close();
    expect(await send(project)).toMatchObject({ found: 0 });
  });

  it('are only of the kernels, devices, branches and directions that were asked for', async () => {
    const project = await watched(`subscriptions:
  kernel: { webhook: PAWL_ALERT_HOOK, kernels: ['att*'] }
  other-kernel: { webhook: PAWL_ALERT_HOOK, kernels: [softmax] }
  device: { webhook: PAWL_ALERT_HOOK, devices: [h200] }
  other-device: { webhook: PAWL_ALERT_HOOK, devices: [B200] }
  branch: { webhook: PAWL_ALERT_HOOK, branches: [main] }
  other-branch: { webhook: PAWL_ALERT_HOOK, branches: ['release/*'] }
  faster: { webhook: PAWL_ALERT_HOOK, changes: faster }
`);
    await project.put({ at: 20, level_ms: 0.056, verdict: 'regressed' });
    await send(project);
    const told = far.received.map(({ body }) => alertSchema.parse(JSON.parse(body)).subscription);
    expect(told.toSorted()).toEqual(['branch', 'device', 'kernel']);
  });

  it('old changes that an import brings are not news', async () => {
    const project = await watched(HOOK);
    await slower(project);
    expect(await send(project, { at: 24 * 60 })).toMatchObject({ found: 0 });
  });

  it('are escaped for chats: a subject calls nobody and makes no link', async () => {
    const project = await watched(`dashboard: https://pawl.example.org
subscriptions:
  slack: { slack: PAWL_ALERT_HOOK }
  discord: { discord: PAWL_ALERT_HOOK }
`);
    const history = await openStore(project.store);
    const run = storedRunOf({ at: 20, level_ms: 0.056, verdict: 'regressed' });
    const subject = '<!channel> **@everyone** [x](https://evil.example)';
    await history.put(run, { commits: [{ ...commitOf(20), subject }] });
    await history.close();
    await send(project);
    const bodies = far.received.map(({ body }) => JSON.parse(body) as { text?: string; content?: string });
    const { text } = bodies.find((one) => one.text !== undefined)!;
    expect(text).toContain('&lt;!channel&gt;');
    expect(text).toContain('<https://pawl.example.org/#/case/');
    const discord = bodies.find((one) => one.content !== undefined)!;
    expect(discord).toMatchObject({ allowed_mentions: { parse: [] } });
    expect(discord.content).toContain('\\[x\\]');
    expect(discord.content).not.toContain(' **@');
  });

  it('are mails, with a password, that a mailbox can tell apart', async () => {
    const project = await watched(`from: pawl@example.org
subscriptions:
  team: { mail: [ann@example.org, bob@example.org] }
`);
    mailbox.refused.add('bob@example.org');
    await slower(project);
    const sent = await send(project);
    expect(sent.tried).toMatchObject([{ state: 'sent', error: 'the mail server refused 1 of 2 addresses' }]);
    const [mail] = mailbox.mails;
    expect(mail).toMatchObject({ to: ['ann@example.org'], user: 'ann' });
    expect(mail!.text).toMatch(/^Subject: attention\/small is 1[12] % slower since 0{10}\r$/mu);
    expect(mail!.text).toContain(`Message-ID: <${sent.tried[0]!.id}@pawl.alerts>`);
    expect(await send(project)).toMatchObject({ tried: [] });
  });

  it('a mail server that says nothing, or refuses the password, is tried again, and the password shown nowhere', async () => {
    const project = await watched(`from: pawl@example.org
subscriptions:
  team: { mail: [ann@example.org] }
`);
    await slower(project);
    const env = { PAWL_ALERT_SMTP: `smtp://ann:${TOKEN}@127.0.0.1:${mailbox.port}` };
    const refused = await send(project, { env });
    expect(refused.tried).toMatchObject([{ state: 'waiting', tries: 1 }]);
    expect(refused.tried[0]!.error).toMatch(/535/u);
    expect(JSON.stringify(refused)).not.toContain(TOKEN);
    mailbox.isSilent = true;
    const silent = await send(project, { at: 61, timeout_ms: 500 });
    expect(silent.tried).toMatchObject([{ state: 'waiting', tries: 2, error: 'Greeting never received' }]);
    mailbox.isSilent = false;
    expect(await send(project, { at: 62 })).toMatchObject({ tried: [{ state: 'sent', tries: 3 }] });
  });

  it('keep a password off the network where the mail server speaks no TLS', async () => {
    const project = await watched(`from: pawl@example.org
subscriptions:
  team: { mail: [ann@example.org] }
`);
    await slower(project);
    // Another name of this machine, which looks like one elsewhere.
    const env = { PAWL_ALERT_SMTP: `smtp://ann:opensesame@[::ffff:127.0.0.1]:${mailbox.port}` };
    expect(await send(project, { env })).toMatchObject({ tried: [{ state: 'waiting' }] });
    expect(mailbox.mails).toEqual([]);
  });
});

describe('a far end that fails', () => {
  it('is tried again after a while that doubles, and what it missed is delivered', async () => {
    const project = await watched(HOOK);
    await slower(project);
    far.answer = (response) => void response.writeHead(500).end(`no: /hooks/${TOKEN}`);
    const first = await send(project);
    expect(first).toMatchObject({ tried: [{ state: 'waiting', tries: 1 }], waiting: 1 });
    expect(first.tried[0]!.error).toBe('it answered 500: no: …');
    expect(Date.parse(first.tried[0]!.next_try_at!) - timeOf(60).getTime()).toBe(60_000);
    expect(await send(project)).toMatchObject({ tried: [], waiting: 1 });
    const second = await send(project, { at: 61 });
    expect(Date.parse(second.tried[0]!.next_try_at!) - timeOf(61).getTime()).toBe(120_000);
    far.answer = (response) => void response.writeHead(204).end();
    expect(await send(project, { at: 62 })).toMatchObject({ tried: [{ state: 'sent', tries: 3 }] });
    const ids = new Set(far.received.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(1);
  });

  it('is given up after days, and tried once more where somebody asks for it', async () => {
    const project = await watched(HOOK);
    await slower(project);
    far.answer = (response) => void response.writeHead(404).end();
    await send(project);
    expect(await send(project, { at: 60 + 24 * 5 })).toMatchObject({ tried: [{ state: 'failed' }] });
    far.answer = (response) => void response.writeHead(200).end();
    const at = 60 + 24 * 6;
    expect(await send(project, { at })).toMatchObject({ tried: [] });
    expect(await send(project, { at, retryFailed: true })).toMatchObject({ tried: [{ state: 'sent' }] });
  });

  it('is not followed to another address', async () => {
    const project = await watched(HOOK);
    await slower(project);
    const inside = await startFarEnd();
    far.answer = (response) => void response.writeHead(307, { location: `${inside.url}/inside` }).end();
    const { tried } = await send(project);
    expect(tried[0]!.error).toMatch(/^it answered 307, a redirect, which is not followed/u);
    expect(inside.received).toEqual([]);
    await inside.close();
  });

  it('that never ends its answer costs a few kilobytes', async () => {
    const project = await watched(HOOK);
    await slower(project);
    let written = 0;
    far.answer = (response) => {
      response.writeHead(400, { 'content-type': 'text/plain' });
      const more = (): void => {
        if (response.destroyed) return;
        written += 65_536;
        response.write('x'.repeat(65_536), () => setImmediate(more));
      };
      more();
    };
    const { tried } = await send(project);
    expect(tried[0]!.error!.length).toBeLessThan(200);
    expect(written).toBeLessThan(50_000_000);
  });

  it('that asks to wait is listened to', async () => {
    const project = await watched(HOOK);
    await slower(project);
    far.answer = (response) => void response.writeHead(429, { 'retry-after': '3600' }).end();
    const { tried } = await send(project);
    expect(Date.parse(tried[0]!.next_try_at!) - timeOf(60).getTime()).toBe(3_600_000);
  });

  it('that hangs holds up nobody else for longer than its patience', async () => {
    const project = await watched(`subscriptions:
  hangs: { webhook: PAWL_ALERT_HOOK }
  well: { webhook: PAWL_ALERT_OTHER }
`);
    await slower(project);
    const env = { ...envOf(), PAWL_ALERT_OTHER: `${far.url}/well` };
    far.answer = (response, { path }) => void (path === '/well' && response.writeHead(200).end());
    const { tried } = await send(project, { env, timeout_ms: 500 });
    expect(tried.map(({ subscription, state }) => [subscription, state])).toEqual([
      ['hangs', 'waiting'],
      ['well', 'sent'],
    ]);
    expect(tried[0]!.error).toBe('it gave no answer for 0.5 s');
  });
});

describe('the outbox', () => {
  it('keeps what was found when its sender dies, and does not send what another one holds', async () => {
    const project = await watched(HOOK);
    await slower(project);
    far.answer = (response) => void response.writeHead(500).end();
    await send(project);
    const history = await openStore(project.store);
    const held = await history.claimAlert(['hook'], timeOf(61), 120_000);
    expect(held).toMatchObject({ tries: 2 });
    far.answer = (response) => void response.writeHead(200).end();
    far.received.length = 0;
    expect(await send(project, { at: 61 })).toMatchObject({ tried: [], waiting: 1 });
    // Its holder died: after the lease the next one takes it up.
    expect(await send(project, { at: 62 })).toMatchObject({ tried: [{ state: 'sent', tries: 3 }] });
    // And what the dead one has to say comes too late.
    await history.settleAlert(held!, { state: 'failed', at_ms: timeOf(63).getTime() });
    expect(await history.alerts()).toMatchObject([{ state: 'sent' }]);
    await history.close();
    expect(far.received).toHaveLength(1);
  });

  it('sends a change once where several look at once', async () => {
    const project = await watched(HOOK);
    await slower(project);
    const sent = await Promise.all(Array.from({ length: 4 }, () => send(project)));
    expect(sent.flatMap(({ tried }) => tried)).toHaveLength(1);
    expect(far.received).toHaveLength(1);
  });

  it('and what is printed hold no address and no secret', async () => {
    const project = await watched(HOOK);
    await slower(project);
    far.answer = (response) => void response.writeHead(401).end(`unknown token ${TOKEN}`);
    const sent = await send(project);
    const report = await listAlerts({ config: project.config, env: envOf() });
    const shown = { color: false, columns: 80 };
    const texts = [
      JSON.stringify([sent, report]),
      renderSent(sent, shown),
      renderAlerts(report, shown),
      (await readFile(project.store)).toString('latin1'),
      (await readFile(`${project.store}-wal`).catch(() => Buffer.alloc(0))).toString('latin1'),
    ];
    for (const text of texts) {
      expect(text).not.toContain(TOKEN);
      expect(text).not.toContain(SECRET);
    }
  });

  it('waits for a secret that is not set, and says so', async () => {
    const project = await watched(HOOK);
    await slower(project);
    const { PAWL_ALERT_HOOK: _, ...env } = envOf();
    expect(await send(project, { env })).toMatchObject({
      tried: [{ state: 'waiting', error: 'PAWL_ALERT_HOOK is not set.' }],
    });
    const report = await listAlerts({ config: project.config, env });
    expect(alertsReportSchema.parse(report).subscriptions).toMatchObject([
      { name: 'hook', to: 'PAWL_ALERT_HOOK', missing: 'PAWL_ALERT_HOOK is not set.', waiting: 1 },
    ]);
    expect(renderAlerts(report, { color: false, columns: 80 })).toContain('cannot send: PAWL_ALERT_HOOK');
    const file = join(await temporaryFolder(), 'hook');
    await writeFile(file, `${far.url}/from-file\n`);
    const fromFile = { ...env, PAWL_ALERT_HOOK_FILE: file };
    expect(await send(project, { at: 61, env: fromFile })).toMatchObject({ tried: [{ state: 'sent' }] });
    expect(far.received[0]!.path).toBe('/from-file');
  });

  it('is left as it is by a dry run, which says what would be sent', async () => {
    const project = await watched(HOOK);
    await slower(project);
    expect(await send(project, { dryRun: true })).toMatchObject({ found: 1, tried: [{ tries: 0 }] });
    expect(far.received).toEqual([]);
    expect(await send(project)).toMatchObject({ found: 1, tried: [{ state: 'sent' }] });
  });
});

describe('a test of a subscription', () => {
  it('is sent at once and says that it is a test', async () => {
    const project = await alertsProject(HOOK);
    const test = await testAlert({ config: project.config, name: 'hook', env: envOf() });
    expect(alertTestSchema.parse(test)).toMatchObject({ sent: true, channel: 'webhook' });
    expect(alertSchema.parse(JSON.parse(far.received[0]!.body))).toMatchObject({ test: true });
    const dry = await testAlert({ config: project.config, name: 'hook', env: {}, dryRun: true });
    expect(dry).toMatchObject({ sent: false, dry_run: true, message: { schema: 'pawl.alert/1' } });
    expect(far.received).toHaveLength(1);
    expect(JSON.stringify(dry)).not.toContain(TOKEN);
  });

  it('of one that there is not names those that there are', async () => {
    const project = await alertsProject(HOOK);
    await expect(testAlert({ config: project.config, name: 'hok', env: {} })).rejects.toMatchObject({
      kind: 'usage',
      hint: 'It has: hook',
    });
  });
});

describe('alerts in pawl.yaml', () => {
  const mistake = async (alerts: string): Promise<string> => {
    const project = await alertsProject(alerts);
    return listAlerts({ config: project.config, env: {} }).then(
      () => '',
      (error: Error) => error.message,
    );
  };

  it('name variables that are made for alerts, and nothing else of the machine', async () => {
    for (const value of ['https://hooks.example.org/x', 'AWS_SECRET_ACCESS_KEY', 'PAWL_ALERT_X_FILE']) {
      expect(await mistake(`subscriptions:\n  a: { webhook: '${value}' }\n`)).toContain('PAWL_ALERT_');
    }
  });

  it('have one channel each, and mails somebody to be from', async () => {
    expect(await mistake('subscriptions:\n  a: { kernels: [x] }\n')).toContain('exactly one of');
    expect(await mistake('subscriptions:\n  a: { slack: PAWL_ALERT_A, mail: [a@b.org] }\n')).toContain(
      'exactly one of',
    );
    expect(await mistake('subscriptions:\n  a: { mail: [a@b.org] }\n')).toContain('from');
    expect(await mistake('subscriptions: {}\n')).toContain('at least one subscription');
  });
});
