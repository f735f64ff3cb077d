import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openStore } from '../../src/history/store/open-store.ts';
import { sidesComparisonSchema } from '../../src/model/history/sides-comparison.ts';
import { renderSidesTerminal } from '../../src/report/terminal/sides-terminal.ts';
import { compareStored } from '../../src/workflows/compare-sides.ts';
import { storedRunOf, timeOf } from '../history/stored-run-of.ts';

let folder: string;
let store: string;
const shas: string[] = [];

function git(...args: string[]): string {
  return execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-sides-'));
  store = join(folder, 'history.db');
  git('init', '-q', '-b', 'main');
  const history = await openStore(store);
  for (let at = 0; at < 2; at++) {
    git('-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', `change ${at}`);
    const sha = git('rev-parse', 'HEAD');
    shas.push(sha);
    const run = storedRunOf({ at, cases: ['small', '=cmd()'], level_ms: at === 0 ? 0.05 : 0.06 });
    const { head } = run.sides;
    const measurements = head.measurements.map((one) => ({ ...one, commit: sha }));
    await history.put(
      { ...run, sides: { head: { ...head, measurements } } },
      {
        commits: [
          { sha, time: timeOf(at).toISOString(), subject: `change ${at} (#${at + 7})`, author: 'Ada' },
        ],
      },
    );
  }
  git('tag', 'v1', 'HEAD~1');
  git('remote', 'add', 'origin', 'https://user:secret@github.com/owner/name.git');
  await history.close();
  await writeFile(join(folder, 'pawl.yaml'), 'kernels: {}\nproblems: {}\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('two commits out of the history', () => {
  it('are named as git names them, and every case is judged', async () => {
    const { comparison } = await compareStored({
      store,
      config: folder,
      a: { revision: 'v1' },
      b: { revision: 'main' },
    });
    expect(sidesComparisonSchema.parse(comparison)).toEqual(comparison);
    expect([comparison.a.commit, comparison.b.commit]).toEqual(shas);
    expect(comparison.verdict).toBe('regressed');
    const text = renderSidesTerminal(comparison, { color: false, columns: 120 });
    expect(text).toContain(`${shas[1]!.slice(0, 10)} against ${shas[0]!.slice(0, 10)}: 2 cases`);
    expect(text).toContain('2 regressed. Positive is faster.');
    expect(text).toMatch(
      /✗ +attention\/small \(cold\) +50\.\d+ µs +60\.\d+ µs +−\d+\.\d +−\d+\.\d … −\d+\.\d +regressed/u,
    );
    const page = `https://github.com/owner/name/commit/${shas[1]!}`;
    expect(text).toContain(`B  change 1 (#8) · Ada  ${page}`);
    expect(comparison.commits.map((one) => one.pull_request_url)).toContain(
      'https://github.com/owner/name/pull/7',
    );
    expect(text.split('\n').every((line) => line.length <= 120)).toBe(true);
  });

  it('go into a table that no spreadsheet takes for a formula', async () => {
    const csv = join(folder, 'out.csv');
    const { files } = await compareStored({
      store,
      config: folder,
      a: { revision: shas[0]!.slice(0, 8) },
      b: { revision: shas[1]! },
      csv,
    });
    expect(files).toEqual({ csv });
    const [header, first, second, ...rest] = (await readFile(csv, 'utf8')).split('\r\n');
    expect(header).toMatch(/^kernel,case,variant,mode,device,verdict,change_pct,/u);
    expect(first).toMatch(/^attention,'=cmd\(\),"?BLOCK_M=64"?,cold,NVIDIA H200,regressed,-\d/u);
    expect(second).toContain('small');
    expect(rest).toEqual(['']);
  });

  it('that are not known are refused with a sentence', async () => {
    const asked = { store, config: folder, a: { revision: 'v1' }, b: { revision: '--upload-pack=x' } };
    await expect(compareStored(asked)).rejects.toThrow(/commit or branch "--upload-pack=x"/u);
  });
});
