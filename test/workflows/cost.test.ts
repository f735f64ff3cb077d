import { execFile } from 'node:child_process';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { configSchema } from '../../src/config/schema.ts';
import {
  addMoney,
  COST_ENTRY_SCHEMA,
  costOf,
  costReportSchema,
  type CostEntry,
} from '../../src/model/device/cost.ts';
import { renderCost } from '../../src/report/terminal/cost-terminal.ts';
import { costText, moneyText } from '../../src/report/text/cost-text.ts';
import { cost } from '../../src/workflows/cost.ts';
import { appendCosts, ledgerPath, readLedger } from '../../src/rig/cost-ledger.ts';
import { pullRequestOf, recordCost, runCost } from '../../src/rig/cost-of-run.ts';
import { compileModules } from '../device/compile-modules.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';

const PRICES = { currency: 'USD', per_hour: { 'NVIDIA H200': 3.9, 'NVIDIA*': 2, '*xeon*gold*': 0.4 } };

function entry(fields: Partial<CostEntry>): CostEntry {
  return {
    schema: COST_ENTRY_SCHEMA,
    run: 'one',
    at: '2026-07-01T10:00:00.000Z',
    what: 'bench',
    kernels: ['attention'],
    device: 'NVIDIA H200',
    device_s: 3600,
    wall_s: 4000,
    ...fields,
  };
}

describe('prices', () => {
  it('are those of the exact name before those of a pattern, whatever the case', () => {
    expect(costOf(3600, 'NVIDIA H200', PRICES)).toEqual({ amount: 3.9, currency: 'USD' });
    expect(costOf(1800, 'nvidia h200', PRICES)).toEqual({ amount: 1.95, currency: 'USD' });
  });

  it('are those of the longest pattern that matches', () => {
    expect(costOf(3600, 'NVIDIA A100', PRICES)?.amount).toBe(2);
    expect(costOf(3600, 'NVIDIA Xeon Gold', PRICES)?.amount).toBe(0.4);
    expect(costOf(3600, 'Intel Xeon Gold 6438', PRICES)?.amount).toBe(0.4);
    expect(costOf(3600, 'Intel Gold Xeon', PRICES)).toBeUndefined();
    expect(costOf(3600, 'aba', { currency: 'EUR', per_hour: { 'ab*ba': 1 } })).toBeUndefined();
  });

  it('fall back to the default, and to none: a price is never guessed', () => {
    expect(costOf(3600, 'AMD EPYC', { ...PRICES, default: 0.1 })?.amount).toBe(0.1);
    expect(costOf(3600, 'AMD EPYC', PRICES)).toBeUndefined();
    expect(costOf(3600, 'AMD EPYC', undefined)).toBeUndefined();
  });

  it('match a pattern of many stars without taking forever', () => {
    const prices = { currency: 'USD', per_hour: { [`${'*a'.repeat(200)}b`]: 1 } };
    expect(costOf(1, 'a'.repeat(5000), prices)).toBeUndefined();
  });

  it('give amounts in millionths, whose sums are exact', () => {
    expect(costOf(1, 'x', { currency: 'USD', per_hour: {}, default: 3.9 })?.amount).toBe(0.001083);
    expect(addMoney(Array.from({ length: 10 }, () => ({ amount: 0.1, currency: 'USD' })))).toEqual([
      { amount: 1, currency: 'USD' },
    ]);
  });

  it('are never added over currencies', () => {
    const amounts = [
      { amount: 1, currency: 'USD' },
      { amount: 2, currency: 'EUR' },
      { amount: 3, currency: 'USD' },
    ];
    expect(addMoney(amounts)).toEqual([
      { amount: 2, currency: 'EUR' },
      { amount: 4, currency: 'USD' },
    ]);
  });

  it('of a run on two devices count those that have one', () => {
    const times = [
      { device: 'NVIDIA H200', device_s: 60 },
      { device: 'AMD EPYC', device_s: 60 },
    ];
    expect(runCost(times, 100, PRICES)).toEqual({
      wall_s: 100,
      device_s: 120,
      money: { amount: 0.065, currency: 'USD' },
    });
    expect(runCost(times, 100, undefined)).toEqual({ wall_s: 100, device_s: 120 });
  });

  it.each([
    [{ currency: 'dollars' }, /currency/],
    [{ currency: 'USD', per_hour: { x: -1 } }, /per_hour/],
    [{ currency: 'USD', per_our: {} }, /per_our/],
  ])('written as %j are refused', (written, words) => {
    const parsed = configSchema.shape.cost.safeParse(written);
    expect(JSON.stringify(parsed.error?.issues)).toMatch(words);
  });
});

describe('the text of a cost', () => {
  it('has two decimals from 1 up and four below, and nothing reads as free that is not', () => {
    expect([12.345, 1, 0.0661, 0.00004, 0].map((amount) => moneyText({ amount, currency: 'USD' }))).toEqual([
      '12.35 USD',
      '1.00 USD',
      '0.0661 USD',
      '< 0.0001 USD',
      '0.00 USD',
    ]);
  });

  it('is time only where there is no price', () => {
    expect(costText({ wall_s: 142, device_s: 61 })).toBe('2 min 22 s, 1 min 01 s of device time');
  });
});

describe('the ledger', () => {
  it('counts a run once, however often it is told', async () => {
    const path = join(await temporaryFolder(), '.pawl', 'costs.jsonl');
    await appendCosts(path, [entry({})]);
    await appendCosts(path, [entry({ at: '2026-07-02T10:00:00.000Z' }), entry({ device: 'cpu' })]);
    const { entries } = await readLedger(path);
    expect(entries.map(({ device, at }) => [device, at.slice(8, 10)])).toEqual([
      ['NVIDIA H200', '01'],
      ['cpu', '01'],
    ]);
  });

  it('loses the line that a killed writer left unfinished, and no other', async () => {
    const path = join(await temporaryFolder(), 'costs.jsonl');
    await appendCosts(path, [entry({ run: 'a' })]);
    await appendFile(path, '{"schema":"pawl.cost-ent');
    await appendCosts(path, [entry({ run: 'b' })]);
    const { entries, unreadable } = await readLedger(path);
    expect(entries.map(({ run }) => run)).toEqual(['a', 'b']);
    expect(unreadable).toBe(1);
  });

  it('keeps every line of writers in several processes', async () => {
    const path = join(await temporaryFolder(), 'costs.jsonl');
    const ledger = join(await compileModules('rig/cost-ledger.ts'), 'rig/cost-ledger.js');
    const script = `
      const { appendCosts } = await import(${JSON.stringify(ledger)});
      const entry = ${JSON.stringify(entry({ kernels: Array.from({ length: 40 }, (_, n) => `kernel-number-${n}`) }))};
      for (let n = 0; n < 50; n++) await appendCosts(process.argv[1], [{ ...entry, run: process.pid + '-' + n }]);`;
    const run = promisify(execFile);
    await Promise.all(
      [1, 2, 3].map(() => run(process.execPath, ['--input-type=module', '-e', script, path])),
    );
    const { entries, unreadable } = await readLedger(path);
    expect(entries).toHaveLength(150);
    expect(unreadable).toBe(0);
  });

  it('lies where PAWL_COST_LEDGER says', () => {
    expect(ledgerPath('/p', {})).toBe('/p/.pawl/costs.jsonl');
    expect(ledgerPath('/p', { PAWL_COST_LEDGER: '/var/lib/pawl/costs.jsonl' })).toBe(
      '/var/lib/pawl/costs.jsonl',
    );
  });
});

describe('recording', () => {
  const config = { cost: PRICES } as never;
  const run = {
    what: 'tune',
    kernels: ['a', 'b', 'a'],
    times: [{ device: 'NVIDIA H200', device_s: 36 }],
    wall_s: 50,
    commit: 'abc',
    study: 'study-7',
  };

  it('says what the run cost and writes it down with its pull request and study', async () => {
    const root = await temporaryFolder();
    const env = { GITHUB_REF: 'refs/pull/12/merge' };
    const told = await recordCost({ config, root }, run, { env });
    expect(told).toEqual({ wall_s: 50, device_s: 36, money: { amount: 0.039, currency: 'USD' } });
    const { entries } = await readLedger(ledgerPath(root, env));
    expect(entries).toEqual([
      expect.objectContaining({ pr: 12, study: 'study-7', kernels: ['a', 'b'], commit: 'abc', device_s: 36 }),
    ]);
  });

  it('names a run anew each time, unless it is told its name', async () => {
    const root = await temporaryFolder();
    for (const name of [undefined, undefined, 'mine', 'mine']) {
      await recordCost({ config, root }, { ...run, ...(name && { run: name }) }, { env: {} });
    }
    expect((await readLedger(ledgerPath(root, {}))).entries).toHaveLength(3);
  });

  it('does not fail a run whose ledger cannot be written', async () => {
    const root = await temporaryFolder();
    // A file where the folder should be: also in the way of root, who may write everywhere.
    await writeFile(join(root, '.pawl'), '');
    const notes: string[] = [];
    const told = await recordCost({ config, root }, run, {
      env: {},
      onProgress: (progress) => progress.type === 'note' && notes.push(progress.text),
    });
    expect(told.device_s).toBe(36);
    expect(notes.join()).toMatch(/cost of this run is not in .*costs\.jsonl/);
  });

  it.each([
    [{ GITHUB_REF: 'refs/pull/7/merge' }, 7],
    [{ GITHUB_REF: 'refs/heads/main' }, undefined],
    [{ CI_MERGE_REQUEST_IID: '9' }, 9],
    [{ PAWL_PR: '3', GITHUB_REF: 'refs/pull/7/merge' }, 3],
    [{ PAWL_PR: '3; rm' }, undefined],
    [{}, undefined],
  ])('reads the pull request out of %j', (env, number) => {
    expect(pullRequestOf(env)).toBe(number);
  });
});

describe('pawl cost', () => {
  async function ledger(): Promise<string> {
    const path = join(await temporaryFolder(), 'costs.jsonl');
    await mkdir(dirname(path), { recursive: true });
    const usd = (amount: number) => ({ money: { amount, currency: 'USD' } });
    await appendCosts(path, [
      entry({ run: 'june', at: '2026-06-30T23:59:59.000Z', ...usd(3.9), pr: 12 }),
      entry({
        run: 'july',
        at: '2026-07-01T00:00:00.000Z',
        ...usd(1.95),
        device_s: 1800,
        pr: 12,
        study: 's',
      }),
      entry({ run: 'july', at: '2026-07-01T00:00:00.000Z', device: 'EPYC', device_s: 1800 }),
      entry({
        run: 'fuzzed',
        at: '2026-07-03T00:00:00.000Z',
        what: 'fuzz',
        kernels: ['b', 'a'],
        device_s: 5,
      }),
    ]);
    return path;
  }

  it('adds up by month, with the device time that has no price', async () => {
    const report = await cost({ ledger: await ledger(), by: 'month' });
    expect(costReportSchema.parse(report)).toEqual(report);
    expect(
      report.rows.map(({ key, runs, device_s, money, unpriced_s }) => [
        key,
        runs,
        device_s,
        money[0]?.amount,
        unpriced_s,
      ]),
    ).toEqual([
      ['2026-06', 1, 3600, 3.9, 0],
      ['2026-07', 2, 3605, 1.95, 1805],
    ]);
    expect(report.total).toMatchObject({ runs: 3, device_s: 7205, wall_s: 12_000, unpriced_s: 1805 });
  });

  it.each([
    ['run', ['june', 'july', 'fuzzed']],
    ['pr', ['12', undefined]],
    ['study', [undefined, 's']],
    ['kernel', ['attention', 'a + b']],
    ['device', ['NVIDIA H200', 'EPYC']],
  ] as const)('has a row for each %s', async (by, keys) => {
    const report = await cost({ ledger: await ledger(), by });
    expect(report.rows.map(({ key }) => key)).toEqual(keys);
    expect(report.rows.reduce((sum, { device_s }) => sum + device_s, 0)).toBe(report.total.device_s);
  });

  it('leaves out what is older than asked for', async () => {
    const report = await cost({ ledger: await ledger(), since: new Date('2026-07-01T00:00:00Z') });
    expect(report.rows.map(({ key }) => key)).toEqual(['july', 'fuzzed']);
  });

  it('shows a table with a total', async () => {
    const text = renderCost(await cost({ ledger: await ledger(), by: 'pr' }), { color: false });
    expect(text).toMatch(/^pr +when +runs +wall +device +money +what\n#12 +2026-06-30 – 2026-07-01 +2 /);
    expect(text).toMatch(/\(no pull request\)/);
    expect(text).toMatch(
      /\ntotal +3 +3 h 20 min +2 h 00 min +5\.85 USD\n30 min 05 s of device time has no price/,
    );
  });

  it('says so where no run is in the ledger', async () => {
    const report = await cost({ ledger: join(await temporaryFolder(), 'none.jsonl') });
    expect(renderCost(report, { color: false })).toMatch(/^No run is in .*none\.jsonl\.\n$/);
  });

  it('describes its ledger in a published schema', async () => {
    const text = await readFile(resolve(import.meta.dirname, '../../docs/schemas/cost-entry.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ title: expect.stringContaining('pawl.cost-entry/1') });
  });
});
