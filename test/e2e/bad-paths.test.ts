import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { fixtureProject, pawl } from './pawl-cli.ts';

const PROFILE = resolve(import.meta.dirname, '../fixtures/ncu-attention/attention_healthy.raw.csv');

describe('a path or a port that cannot be', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await fixtureProject(['right']);
    const args = [
      'bench',
      '--quiet',
      '--wait',
      '600',
      '--processes',
      '1',
      '--samples',
      '5',
      '--out',
      'now.json',
    ];
    expect((await pawl(folder, ...args)).code).toBe(0);
  });

  it.each([
    ['check', '--out', 'pawl.yaml/rep'],
    ['compare', 'now.json', 'now.json', '--out', 'pawl.yaml/rep'],
    ['bench', '--out', 'pawl.yaml/x.json'],
    ['diagnose', PROFILE, '--out', 'pawl.yaml/x/y.html'],
    ['diagnose', PROFILE, '--out', '/proc/x/y.html'],
    ['export', 'now.json', '--to', 'csv', '--out', 'pawl.yaml/x/a.csv'],
    ['report', '--html', '/nosuch/x.html'],
    ['serve', '--port', '80000'],
    ['mcp', '--http', '--port', '80000'],
  ])('is answered with 64 and a sentence: pawl %s %s %s', async (...args) => {
    const { code, stderr } = await pawl(folder, ...args);
    expect(stderr).toMatch(/cannot be written: .*\.\n {2}→ |Expected a port from 0 to 65535/);
    expect(stderr).not.toMatch(/\n {4}at /);
    expect(code).toBe(64);
  });

  it('is answered as JSON too, where that was asked for', async () => {
    const { stdout } = await pawl(folder, 'check', '--json', '--out', 'pawl.yaml/rep');
    expect(JSON.parse(stdout)).toMatchObject({ error: { kind: 'usage' } });
  });

  it.skipIf(process.getuid?.() === 0)('is answered with 77 where it may not be written', async () => {
    const { code, stderr } = await pawl(folder, 'report', '--html', '/root.html');
    expect(stderr).toMatch(/cannot be written: permission denied/);
    expect(code).toBe(77);
  });

  it('is found out before anything is measured', async () => {
    const runs = () => readdir(join(folder, '.pawl/runs'));
    const before = await runs();
    await pawl(folder, 'check', '--wait', '600', '--out', 'pawl.yaml/rep');
    expect(await runs()).toEqual(before);
  });
});
