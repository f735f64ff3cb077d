import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { API_ROUTES } from '../../src/server/api/routes.ts';
import { openStore } from '../../src/history/store/open-store.ts';
import type { PointComparison } from '../../src/model/history/history-api.ts';
import type { HistoryKey, HistoryRun, Overview, Trend } from '../../src/model/history/history.ts';
import { commitOf, shaOf, storedRunOf, timeOf } from '../history/stored-run-of.ts';
import { ServeRig } from './serve-rig.ts';

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: string;
}

/** Every answer is held against the schema that the description publishes. */
function fits(path: string, value: unknown): void {
  const route = API_ROUTES.find((one) => one.method === 'GET' && one.path === path)!;
  if (route.answer.type !== 'application/json') throw new Error(path);
  expect(route.answer.schema.safeParse(value).error).toBeUndefined();
}

const COMMITS = 30;
const WINDOW = `since=${timeOf(0).toISOString()}&until=${timeOf(COMMITS + 1).toISOString()}`;

describe('the HTTP API', () => {
  let rig: ServeRig;
  let keys: readonly HistoryKey[];

  beforeAll(async () => {
    rig = await ServeRig.start();
    const history = await openStore(rig.store);
    for (let at = 0; at < COMMITS; at += 1) {
      const run = storedRunOf({
        at,
        cases: ['small', 'large'],
        level_ms: at < 15 ? 1 : 1.3,
        processes: 6,
        samples: 40,
        ...(at % 5 === 0 ? { verdict: 'maintained' as const } : {}),
      });
      await history.put(run, { commits: [commitOf(at)] });
    }
    await history.close();
    keys = ((await rig.ask('/api/v1/keys')).json as Page<HistoryKey>).items;
  });
  afterAll(() => rig.stop());

  it('answers an overview of every key, with what the trends found', async () => {
    const ask = () => rig.ask(`/api/v1/overview?${WINDOW}`);
    // On a busy machine it does not wait until all changes are found, and says so.
    await expect.poll(async () => ((await ask()).json as Overview).trends_pending).toBeUndefined();
    const { status, json } = await ask();
    expect(status).toBe(200);
    fits('/api/v1/overview', json);
    const { keys: rows, runs } = json as Overview;
    expect(rows).toHaveLength(2);
    expect(runs.length).toBeGreaterThan(0);
    expect(rows.map(({ last_change }) => last_change?.commit)).toEqual([shaOf(15), shaOf(15)]);
  });

  it('answers the trend of a key with the commit that changed it', async () => {
    const { json } = await rig.ask(`/api/v1/trend?key=${keys[0]!.id}&${WINDOW}`);
    fits('/api/v1/trend', json);
    const trend = json as Trend;
    expect(trend.points).toHaveLength(COMMITS);
    expect(trend.changes).toMatchObject([{ kind: 'step', commit: shaOf(15), previous_commit: shaOf(14) }]);
  });

  it('thins a trend to as many points as are wanted', async () => {
    const { json } = await rig.ask(`/api/v1/trend?key=${keys[0]!.id}&max_points=8`);
    const trend = json as Trend;
    expect(trend.thinned_from).toBe(COMMITS);
    expect(trend.points.length).toBeLessThan(COMMITS / 2);
    expect(trend.points.at(-1)?.commit).toBe(shaOf(COMMITS - 1));
  });

  it('finds all runs by pages, each once, newest first', async () => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const { json } = await rig.ask(`/api/v1/runs?limit=7${cursor === '' ? '' : `&cursor=${cursor}`}`);
      fits('/api/v1/runs', json);
      const page = json as Page<HistoryRun>;
      seen.push(...page.items.map(({ started_at }) => started_at));
      cursor = page.next ?? '';
    } while (cursor !== '');
    expect(seen).toHaveLength(COMMITS);
    expect(seen).toEqual([...new Set(seen)].sort().reverse());
  });

  it('filters runs', async () => {
    const { json } = await rig.ask(
      '/api/v1/runs?kinds=check&verdicts=maintained,improved&case=small&limit=100',
    );
    const { items } = json as Page<HistoryRun>;
    expect(items).toHaveLength(COMMITS / 5);
    expect((await rig.ask(`/api/v1/runs?commit=${shaOf(3)}`)).json).toMatchObject({
      items: [{ commit: shaOf(3) }],
    });
    expect((await rig.ask('/api/v1/runs?kernel=none')).json).toEqual({ items: [] });
  });

  it('answers a run with its document, and the samples of its measurements', async () => {
    const { items } = (await rig.ask('/api/v1/runs?limit=1')).json as Page<HistoryRun>;
    const { json } = await rig.ask(`/api/v1/runs/${items[0]!.id}`);
    fits('/api/v1/runs/{id}', json);
    const { measurements } = json as { measurements: { id: string; samples: number }[] };
    const samples = await rig.ask(`/api/v1/measurements/${measurements[0]!.id}/samples`);
    fits('/api/v1/measurements/{id}/samples', samples.json);
    const { series } = samples.json as { series: { samples_ms: number[] }[] };
    expect(series.flatMap(({ samples_ms }) => samples_ms)).toHaveLength(measurements[0]!.samples);
  });

  it('judges any two points on their stored samples', async () => {
    const [key] = keys;
    const runOf = async (at: number) =>
      ((await rig.ask(`/api/v1/runs?commit=${shaOf(at)}`)).json as Page<HistoryRun>).items[0]!.id;
    const [slow, fast] = [await runOf(20), await runOf(3)];
    const { status, json } = await rig.ask(`/api/v1/compare?key=${key!.id}&a=${fast}&b=${slow}`);
    expect(status).toBe(200);
    fits('/api/v1/compare', json);
    const { comparison, a, b, thinned } = json as PointComparison;
    expect(comparison.verdict).toBe('regressed');
    expect(comparison.cases).toHaveLength(1);
    expect(thinned).toBe(false);
    const byMeasurement = await rig.ask(`/api/v1/compare?a=${b.id}&b=${a.id}`);
    expect((byMeasurement.json as PointComparison).comparison.verdict).toBe('improved');
  });

  it.each(['profiles', 'studies', 'devices', 'sessions', 'costs', 'keys'])(
    'answers a list of %s',
    async (name) => {
      const { status, json } = await rig.ask(`/api/v1/${name}`);
      expect(status).toBe(200);
      fits(`/api/v1/${name}`, json);
      expect(json).toHaveProperty('items');
    },
  );

  it('answers profiles and studies with all that was kept of them', async () => {
    const history = await openStore(rig.store);
    const about = { kernel: 'attention', case: 'small', mode: 'cold' } as const;
    const report = { schema: 'pawl.profile/1', ...about, variant: {}, seconds: 1, device_s: 1 } as const;
    const { id } = await history.putProfile(report, { 'page.md': '# <script>' });
    const study = {
      id: 'study-1',
      kernel: 'attention',
      started_at: '2026-01-01T00:00:00Z',
      document: { a: 1 },
    };
    const outcome = { time_ms: 2, median_ms: 2, samples: 9, processes: 3, stopped_early: false };
    await history.putStudy(study, [
      { number: 1, variant: { TILE: 8 }, phase: 'default', outcome: { status: 'measured', ...outcome } },
    ]);
    await history.close();
    const profiles = await rig.ask('/api/v1/profiles?kernel=attention');
    fits('/api/v1/profiles', profiles.json);
    expect(profiles.json).toMatchObject({ items: [{ id, ...about }] });
    const profile = await rig.ask(`/api/v1/profiles/${id}`);
    fits('/api/v1/profiles/{id}', profile.json);
    expect(profile.json).toMatchObject({ report, files: { 'page.md': '# <script>' } });
    expect((await rig.ask('/api/v1/studies')).json).toMatchObject({ items: [{ id: 'study-1', best_ms: 2 }] });
    const { json } = await rig.ask('/api/v1/studies/study-1');
    fits('/api/v1/studies/{id}', json);
    expect(json).toMatchObject({ document: { a: 1 }, trials_list: [{ number: 1, variant: { TILE: 8 } }] });
  });

  it('names commits', async () => {
    const { json } = await rig.ask(`/api/v1/commits?shas=${shaOf(2)},${'f'.repeat(40)}`);
    fits('/api/v1/commits', json);
    expect(json).toMatchObject({ items: [{ sha: shaOf(2), subject: 'change 2' }] });
  });

  it.each([
    ['/api/v1/runs/none', 404],
    ['/api/v1/measurements/none/samples', 404],
    ['/api/v1/profiles/none', 404],
    ['/api/v1/studies/none', 404],
    ['/api/v1/trend?key=none', 404],
    ['/api/v1/compare?a=none&b=none', 404],
    ['/api/v1/nothing', 404],
    ['/api/v1/runs/', 404],
    ['/api/v1/runs/%zz', 400],
    ['/api/v1/trend', 400],
    ['/api/v1/runs?limit=0', 400],
    ['/api/v1/runs?limit=many', 400],
    ['/api/v1/runs?cursor=bm90IG9uZQ', 400],
    ['/api/v1/runs?kinds=bench,dance', 400],
    ['/api/v1/runs?since=yesterday', 400],
    ['/api/v1/runs?colour=red', 400],
    ['/api/v1/runs?limit=1&limit=2', 400],
    ['/api/v1/runs?__proto__=1', 400],
    ['/api/v1/keys?kernel=', 400],
    ['/healthz?x=1', 400],
  ])('answers %s with a problem, %i', async (path, status) => {
    const answer = await rig.ask(path);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.json).toMatchObject({ status, detail: expect.any(String) as string });
  });

  it('answers other methods with those that there are', async () => {
    const { status, headers } = await rig.ask('/api/v1/overview', { method: 'POST' });
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect((await rig.ask('/api/v1/runs', { method: 'OPTIONS' })).headers.allow).toBe(
      'GET, HEAD, POST, OPTIONS',
    );
    expect((await rig.ask('/api/v1/runs', { method: 'DELETE' })).status).toBe(501);
    expect((await rig.ask('/', { method: 'POST' })).status).toBe(405);
  });

  it('answers HEAD like GET, without the body', async () => {
    const got = await rig.ask('/api/v1/keys');
    const { status, headers, text } = await rig.ask('/api/v1/keys', { method: 'HEAD' });
    expect([status, text]).toEqual([200, '']);
    expect(headers.etag).toBe(got.headers.etag);
    expect(headers['content-length']).toBe(got.headers['content-length']);
  });

  it('answers 304 to who has it already, until something new is stored', async () => {
    const before = await rig.ask('/api/v1/runs?limit=3');
    const headers = { 'if-none-match': before.headers.etag! };
    const again = await rig.ask('/api/v1/runs?limit=3', { headers });
    expect([again.status, again.text]).toEqual([304, '']);
    await rig.upload({ run: storedRunOf({ at: COMMITS, cases: ['other'] }) });
    expect((await rig.ask('/api/v1/runs?limit=3', { headers })).status).toBe(200);
  });

  it.each(['overview', 'overview?since=7d', 'devices?since=8w'])(
    'answers %s alike within a minute, though its window moves',
    async (path) => {
      let before = await rig.ask(`/api/v1/${path}`);
      let after = await rig.ask(`/api/v1/${path}`);
      // A minute may have ended between them; not twice.
      if (before.text !== after.text) [before, after] = [after, await rig.ask(`/api/v1/${path}`)];
      expect(after.headers.etag).toBe(before.headers.etag);
    },
  );

  it('compresses as it is asked to', async () => {
    const plain = await rig.ask('/api/v1/runs?limit=20');
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const encoding of ['br', 'gzip']) {
      const packed = await rig.ask('/api/v1/runs?limit=20', { headers: { 'accept-encoding': encoding } });
      expect(packed.headers['content-encoding']).toBe(encoding);
      expect(packed.text).toBe(plain.text);
      expect(packed.wire_bytes).toBeLessThan(plain.wire_bytes / 2);
    }
  });

  it('answers 406 to who takes no JSON', async () => {
    expect((await rig.ask('/api/v1/keys', { headers: { accept: 'text/html' } })).status).toBe(406);
    expect((await rig.ask('/api/v1/keys', { headers: { accept: 'text/html, */*;q=0.1' } })).status).toBe(200);
    expect((await rig.ask('/api/v1/live', { headers: { accept: 'application/json' } })).status).toBe(406);
  });

  describe('uploads', () => {
    it('keeps a run once, however often it is sent, also in gzip', async () => {
      const upload = { run: storedRunOf({ at: 100 }), commits: [commitOf(100)] };
      const first = await rig.upload(upload);
      expect([first.status, (first.json as { stored: boolean }).stored]).toEqual([201, true]);
      const second = await rig.upload(gzipSync(JSON.stringify(upload)), { 'content-encoding': 'gzip' });
      expect(second.status).toBe(200);
      expect(second.json).toEqual({ ...(first.json as object), stored: false });
      const { id } = first.json as { id: string };
      expect((await rig.ask(`/api/v1/runs/${id}`)).json).toMatchObject({ run: { id, commit: shaOf(100) } });
    });

    it('keeps one run of ten that are sent at once', async () => {
      const upload = { run: storedRunOf({ at: 101 }) };
      const answers: { status: number }[] = [];
      while (answers.length < 10) {
        const sent = await Promise.all(Array.from({ length: 4 }, () => rig.upload(upload)));
        answers.push(...sent.filter(({ status }) => status !== 429));
      }
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    });

    it.each([
      ['no JSON', '{"run":', 400],
      ['another document', { run: { schema: 'pawl.samples/1' } }, 422],
      ['nothing', '', 400],
      ['a sample below zero', negative(), 422],
      ['a run nested too deep', `{"run":${'['.repeat(100_000)}`, 400],
    ])('refuses %s', async (_, body, status) => {
      const answer = await rig.upload(body);
      expect(answer.status).toBe(status);
      expect(answer.headers['content-type']).toBe('application/problem+json');
    });
  });

  it('says how it is', async () => {
    expect((await rig.ask('/healthz')).json).toMatchObject({ status: 'ok' });
    expect((await rig.ask('/readyz')).json).toMatchObject({ status: 'ok' });
    const { text, headers } = await rig.ask('/metrics');
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text).toMatch(
      /^pawl_http_requests_total\{route="\/api\/v1\/runs",method="GET",status="200"\} \d+$/m,
    );
    expect(text).toMatch(/^pawl_store_up 1$/m);
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? [\d.e+-]+)$/);
    }
  });
});

function negative(): unknown {
  const run = storedRunOf({ at: 1 });
  run.sides.head.measurements[0]!.series[0]!.samples_ms[0] = -1;
  return { run };
}

describe('the dashboard', () => {
  it('is served with its types, validators and lifetimes', async () => {
    const rig = await ServeRig.start({ files: await dashboard() });
    const index = await rig.ask('/');
    expect([index.status, index.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(index.headers['cache-control']).toBe('private, no-cache');
    const script = await rig.ask('/assets/index-AbCdEf12.js', { headers: { 'accept-encoding': 'gzip, br' } });
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(script.headers['cache-control']).toContain('immutable');
    expect(script.headers['content-encoding']).toBe('br');
    expect(script.text).toBe(SCRIPT);
    const again = await rig.ask('/', { headers: { 'if-none-match': index.headers.etag! } });
    expect(again.status).toBe(304);
    expect((await rig.ask('/notes.exe')).status).toBe(404);
    await rig.stop();
  });

  it('says how to get it where it is not built', async () => {
    const rig = await ServeRig.start();
    const { status, text } = await rig.ask('/');
    expect(status).toBe(200);
    expect(text).toContain('make build');
    await rig.stop();
  });
});

const SCRIPT = `console.log(${JSON.stringify('x'.repeat(3000))});\n`;

async function dashboard(): Promise<string> {
  const { temporaryFolder } = await import('../device/temporary-folder.ts');
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Pawl</title>');
  await writeFile(join(folder, 'assets', 'index-AbCdEf12.js'), SCRIPT);
  await writeFile(join(folder, 'notes.exe'), 'no');
  return folder;
}
