import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openApi } from '../../src/server/api/open-api.ts';
import { API_ROUTES } from '../../src/server/api/routes.ts';
import { startContractProxy, type ContractProxy } from '../contract/github/contract-proxy.ts';
import { commitOf, shaOf, storedRunOf } from '../history/stored-run-of.ts';
import { ServeRig, WRITE_TOKEN } from './serve-rig.ts';

const FILE = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));

/** Every `$ref` below a value. */
function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === '$ref' && typeof inner === 'string' ? [inner] : references(inner),
  );
}

describe('docs/openapi.json', () => {
  const description = openApi(API_ROUTES) as ReturnType<typeof openApi> & {
    paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
    components: Record<string, Record<string, object>>;
  };

  it('is as the routes are (UPDATE_SCHEMAS=1 rewrites it)', async () => {
    const text = `${JSON.stringify(description, null, 2)}\n`;
    if (process.env['UPDATE_SCHEMAS'] === '1') await writeFile(FILE, text);
    expect(await readFile(FILE, 'utf8')).toBe(text);
  });

  it('refers to nothing that it does not have, and has nothing that is not referred to', () => {
    const known = Object.entries(description.components).flatMap(([part, named]) =>
      part === 'securitySchemes' ? [] : Object.keys(named).map((id) => `#/components/${part}/${id}`),
    );
    const used = new Set(references(description));
    const own = [...used].filter((one) => one.startsWith('#/components/'));
    expect(own.filter((one) => !known.includes(one))).toEqual([]);
    expect(known.filter((one) => !used.has(one))).toEqual(['#/components/schemas/LiveEvent']);
  });

  it('has a name for every operation, and a problem for every way that it can fail', () => {
    const operations = Object.values(description.paths).flatMap((path) => Object.values(path));
    expect(operations).toHaveLength(API_ROUTES.length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { responses } of operations) {
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['429', '500', '503']));
    }
  });
});

describe('the server behind a proxy that holds it to docs/openapi.json', () => {
  let rig: ServeRig;
  let proxy: ContractProxy;

  beforeAll(async () => {
    rig = await ServeRig.start({ limits: { requests: { burst: 10_000, per_s: 1000 } } });
    proxy = await startContractProxy({ url: rig.url, publicUrl: '' }, FILE);
  });
  afterAll(async () => {
    await proxy.close();
    await rig.stop();
  });

  const get = async (path: string): Promise<{ status: number; json: unknown }> => {
    const answer = await fetch(`${proxy.url}${path}`);
    const text = await answer.text();
    expect(proxy.violations(), text.slice(0, 500)).toEqual([]);
    expect(text).not.toContain('stoplight.io');
    return { status: answer.status, json: JSON.parse(text) as unknown };
  };

  it('takes and gives what is described', async () => {
    for (const at of [0, 1, 2, 3]) {
      const answer = await fetch(`${proxy.url}/api/v1/runs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${WRITE_TOKEN}` },
        body: JSON.stringify({ run: storedRunOf({ at, verdict: 'maintained' }), commits: [commitOf(at)] }),
      });
      expect([answer.status, await answer.text(), proxy.violations()]).toMatchObject([201, {}, []]);
    }
    const { json: keys } = await get('/api/v1/keys');
    const key = (keys as { items: { id: string }[] }).items[0]!.id;
    const { json: runs } = await get('/api/v1/runs?limit=3');
    const [first, second] = (runs as { items: { id: string }[] }).items;
    const { json: run } = await get(`/api/v1/runs/${first!.id}`);
    const measurement = (run as { measurements: { id: string }[] }).measurements[0]!.id;
    const answers = await Promise.all([
      get('/api/v1/overview?since=2026-01-01&until=2026-02-01'),
      get(`/api/v1/trend?key=${key}&max_points=10`),
      get(`/api/v1/compare?key=${key}&a=${second!.id}&b=${first!.id}`),
      get(`/api/v1/measurements/${measurement}/samples`),
      get(`/api/v1/commits?shas=${shaOf(1)}`),
      ...['profiles', 'studies', 'devices', 'sessions', 'costs'].map((name) => get(`/api/v1/${name}`)),
      get('/healthz'),
      get('/readyz'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await get('/api/v1/runs/none')).status).toBe(404);
    expect((await get('/api/v1/trend?key=none')).status).toBe(404);
  });
});
