import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { request as ask, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { thisProcess } from '../../src/os/process-identity.ts';
import { openStore } from '../../src/history/store/open-store.ts';
import { RunJournal } from '../../src/measure/run-journal.ts';
import { WaitingRun } from '../../src/rig/waiting-run.ts';
import { liveEventSchema, type LiveEvent } from '../../src/model/server/live-event.ts';
import { storedRunOf } from '../history/stored-run-of.ts';
import { ServeRig } from './serve-rig.ts';

interface Told {
  readonly id: string;
  readonly event: LiveEvent;
}

const CHECKED = { passed: true, oracle: 'reference', tensors: [], tampering: [] };

const streams: Stream[] = [];
const rigs: ServeRig[] = [];
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  for (const rig of rigs.splice(0)) await rig.stop();
});

/** A client of `/api/v1/live`. */
class Stream {
  readonly told: Told[] = [];
  text = '';
  isOver = false;
  readonly #response: IncomingMessage;
  #rest = '';

  private constructor(response: IncomingMessage) {
    this.#response = response;
    response.setEncoding('utf8').on('data', (chunk: string) => this.#hear(chunk));
    response.on('error', () => undefined);
    response.on('close', () => {
      this.isOver = true;
    });
  }

  static async open(rig: ServeRig, lastId?: string): Promise<Stream> {
    const headers = {
      accept: 'text/event-stream',
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    };
    const request = ask({
      host: '127.0.0.1',
      port: rig.port,
      path: '/api/v1/live',
      headers,
      agent: false,
    }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    const stream = new Stream(response);
    streams.push(stream);
    return stream;
  }

  #hear(chunk: string): void {
    this.text += chunk;
    const blocks = (this.#rest + chunk).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => [line.split(': ', 1)[0]!, line.slice(line.indexOf(': ') + 2)]),
      );
      if (!fields.has('id')) continue;
      const event = liveEventSchema.parse(JSON.parse(fields.get('data')!));
      expect(event.type).toBe(fields.get('event'));
      this.told.push({ id: fields.get('id')!, event });
    }
  }

  /** The first event that fits, when it has come. */
  async until(what: (event: LiveEvent) => boolean): Promise<Told> {
    for (;;) {
      const found = this.told.find(({ event }) => what(event));
      if (found !== undefined) return found;
      if (this.isOver) throw new Error(`the stream ended: ${this.text}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  close(): void {
    this.#response.destroy();
  }
}

async function start(): Promise<ServeRig> {
  const rig = await ServeRig.start();
  rigs.push(rig);
  return rig;
}

async function journalIn(rig: ServeRig): Promise<RunJournal> {
  const environment = { host: 'here', started_at: '2026-11-01T10:00:00Z' };
  const journal = await RunJournal.start(
    join(rig.folder, '.pawl', 'runs'),
    environment,
    new Date('2026-11-01T10:00:00Z'),
  );
  journal.add({ type: 'measurement', key: 1, measurement: { kernel: 'gemm', case: 'large', mode: 'cold' } });
  return journal;
}

describe('/api/v1/live', () => {
  it('tells what is under way, then every series, then that it is done', async () => {
    const rig = await start();
    const journal = await journalIn(rig);
    const stream = await Stream.open(rig);
    const { event: first } = await stream.until(({ type }) => type === 'snapshot');
    expect(first).toMatchObject({
      runs: [{ host: 'here', cases: [{ case: 'large', series: 0 }] }],
      studies: [],
    });
    journal.add({ type: 'check', key: 1, check: CHECKED });
    journal.add({ type: 'series', key: 1, series: { process: 1, samples_ms: [3, 1, 2] } });
    journal.add({ type: 'lost', key: 1, lost: { process: 2, reason: 'crashed', message: 'gone' } });
    const { event } = await stream.until((one) => one.type === 'progress' && one.case?.lost === 1);
    expect(event).toMatchObject({
      case: { kernel: 'gemm', correct: true, series: 1, samples: 3, median_ms: 2 },
    });
    await journal.finish();
    const { event: last } = await stream.until(({ type }) => type === 'finished');
    expect(last).toMatchObject({ how: 'finished' });
    const again = await Stream.open(rig);
    expect((await again.until(({ type }) => type === 'snapshot')).event).toMatchObject({ runs: [] });
  });

  it('tells that a run waits for a device, and who holds it', async () => {
    const rig = await start();
    const stream = await Stream.open(rig);
    await stream.until(({ type }) => type === 'snapshot');
    const waiting = new WaitingRun(join(rig.folder, '.pawl', 'runs'), () => new Date('2026-11-01T10:00:00Z'));
    const holder = { pid: 7, purpose: 'pawl tune of gemm', since: '2026-11-01T09:59:00Z' };
    waiting.show({ device: 'GPU-1', holder });
    const { event } = await stream.until((one) => one.type === 'run' && one.run.waiting !== undefined);
    expect(event).toMatchObject({ run: { cases: [], waiting: { device: 'GPU-1', holder } } });
    await waiting.end();
    await stream.until(({ type }) => type === 'finished');
  });

  it('goes on where a client was cut off, and starts afresh where that is not known', async () => {
    const rig = await start();
    const journal = await journalIn(rig);
    const stream = await Stream.open(rig);
    const { id } = await stream.until(({ type }) => type === 'snapshot');
    stream.close();
    for (const process of [1, 2, 3])
      journal.add({ type: 'series', key: 1, series: { process, samples_ms: [process] } });
    const resumed = await Stream.open(rig, id);
    await resumed.until((event) => event.type === 'progress' && event.case?.series === 3);
    expect(resumed.told.map(({ event }) => event.type)).toEqual(['progress', 'progress', 'progress']);
    expect(new Set(resumed.told.map((one) => one.id)).size).toBe(3);
    for (const strange of ['elsewhere-7', 'x', `${id.split('-')[0]}-99999`]) {
      const fresh = await Stream.open(rig, strange);
      expect((await fresh.until(() => true)).event.type).toBe('snapshot');
    }
    await journal.finish();
  });

  it('says of a run whose process is gone that it died', async () => {
    const rig = await start();
    const folder = join(rig.folder, '.pawl', 'runs', '20261101-100000-1');
    await mkdir(folder, { recursive: true });
    const child = spawn('sleep', ['600']);
    const owner = { ...(await thisProcess()), pid: child.pid! };
    const { readFile } = await import('node:fs/promises');
    const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8');
    owner.start_ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]!;
    await writeFile(
      join(folder, 'journal.jsonl'),
      `${JSON.stringify({ type: 'run', owner, environment: {} })}\n{"type":"seri`,
    );
    const stream = await Stream.open(rig);
    expect((await stream.until(() => true)).event).toMatchObject({ runs: [{ id: '20261101-100000-1' }] });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect((await stream.until(({ type }) => type === 'finished')).event).toMatchObject({ how: 'died' });
  });

  it('follows a study, without its secrets', async () => {
    const rig = await start();
    const folder = join(rig.folder, '.pawl', 'studies', 'gemm-1');
    await mkdir(folder, { recursive: true });
    const path = join(folder, 'journal.jsonl');
    const line = (record: object) => appendFile(path, `${JSON.stringify({ at_s: 1, ...record })}\n`);
    await line({ type: 'study', schema: 'pawl.study-journal/1', subject: { kernel: 'gemm' } });
    await line({ type: 'session', owner: await thisProcess(), started_at: '2026-11-01T10:00:00Z' });
    const stream = await Stream.open(rig);
    expect((await stream.until(() => true)).event).toMatchObject({
      studies: [{ id: 'gemm-1', kernel: 'gemm', trials: 0 }],
    });
    await line({
      type: 'trial',
      trial: { number: 1, variant: { TILE: 8 }, phase: 'start' },
      token: 'a secret',
    });
    const outcome = {
      status: 'measured',
      time_ms: 2,
      median_ms: 2,
      samples: 5,
      processes: 1,
      stopped_early: false,
    };
    await line({ type: 'outcome', number: 1, token: 'a secret', outcome, details: {} });
    await line({ type: 'something new' });
    await stream.until((event) => event.type === 'progress' && event.trial?.outcome !== undefined);
    await line({ type: 'finished', result: 'kept', reason: 'nothing better' });
    await stream.until(({ type }) => type === 'finished');
    expect(stream.text).not.toContain('a secret');
  });

  it('tells that a run was uploaded', async () => {
    const rig = await start();
    const stream = await Stream.open(rig);
    await stream.until(({ type }) => type === 'snapshot');
    const { id } = (await rig.upload({ run: storedRunOf({ at: 1 }) })).json as { id: string };
    expect((await stream.until(({ type }) => type === 'recorded')).event).toEqual({
      type: 'recorded',
      run: id,
    });
    await rig.upload({ run: storedRunOf({ at: 1 }) });
    await rig.upload({ run: storedRunOf({ at: 2 }) });
    await stream.until((event) => event.type === 'recorded' && event.run !== id);
    expect(stream.told.filter(({ event }) => event.type === 'recorded')).toHaveLength(2);
  });

  it('tells of runs that others put into the store', async () => {
    const rig = await start();
    const stream = await Stream.open(rig);
    const history = await openStore(rig.store);
    // What is there when somebody comes is no news; so the first may pass unseen, and one of the next may not.
    for (let at = 0; !stream.told.some(({ event }) => event.type === 'recorded'); at += 1) {
      await history.put(storedRunOf({ at }));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await history.close();
    expect((await rig.ask('/metrics')).text).toContain('pawl_live_clients 1');
  });

  it('has room for so many streams of one client, and again when one ends', async () => {
    const rig = await start();
    const open: Stream[] = [];
    for (let count = 0; count < 12; count += 1) open.push(await Stream.open(rig));
    const refused = await rig.ask('/api/v1/live');
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '30']);
    open[0]!.close();
    while ((await rig.ask('/metrics')).text.match(/^pawl_live_clients (\d+)$/m)?.[1] !== '11') {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await Stream.open(rig);
  });

  it('holds no stream for HEAD', async () => {
    const rig = await start();
    const { status, headers } = await rig.ask('/api/v1/live', { method: 'HEAD' });
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect((await rig.ask('/metrics')).text).toContain('pawl_live_clients 0');
  });

  it('ends its streams when the server stops', async () => {
    const rig = await ServeRig.start();
    const stream = await Stream.open(rig);
    await stream.until(({ type }) => type === 'snapshot');
    await rig.stop();
    while (!stream.isOver) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(stream.text).toContain('event: stopping\nretry: 5000');
  });

  it('does not keep its connection for the next request: the server may be about to stop', async () => {
    const rig = await ServeRig.start();
    const socket = connect(rig.port, '127.0.0.1');
    socket.write('GET /api/v1/live HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n');
    const [head] = await once(socket, 'data');
    expect(String(head)).toMatch(/^connection: close\r$/im);
    socket.destroy();
    await rig.stop();
  });
});
