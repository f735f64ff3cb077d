import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { History } from '../../src/history/history.ts';
import { openStore } from '../../src/history/store/open-store.ts';
import { currentChanges } from '../../src/history/trends/current-changes.ts';
import { findReleases } from '../../src/history/trends/find-releases.ts';
import { trendOf } from '../../src/history/trends/trend-of.ts';
import { withChanges } from '../../src/history/trends/with-changes.ts';
import { overviewSchema, trendSchema } from '../../src/model/history/history.ts';
import { renderTrendTerminal } from '../../src/report/terminal/trend-terminal.ts';
import { trend } from '../../src/workflows/trend.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';
import { fillSeries, SERIES } from './one-series.ts';
import { commitOf, shaOf, storedRunOf, timeOf } from './stored-run-of.ts';

let history: History;
let place: string;
beforeEach(async () => {
  place = join(await temporaryFolder(), 'history.db');
  history = await openStore(place);
});
afterEach(() => history.close());

const DAYS = 24;

describe('a driver upgrade, a tuned default and a regression', () => {
  beforeEach(() => fillSeries(history));

  it('are one trend, with a step for each change of level that names what changed', async () => {
    const keys = await history.keys();
    expect(keys).toMatchObject([
      { device: 'NVIDIA H200', device_class: expect.stringContaining('590.10'), variant: { BLOCK_M: 128 } },
    ]);
    const found = trendSchema.parse(await trendOf(history, keys[0]!.id));
    expect(found.points).toHaveLength(SERIES.commits);
    expect(found.changes).toMatchObject([
      {
        kind: 'step',
        commit: shaOf(SERIES.driver),
        settings: [{ what: 'driver', before: '580.65', after: '590.10' }],
      },
      {
        kind: 'step',
        commit: shaOf(SERIES.tuned),
        settings: [{ what: 'variant', before: 'BLOCK_M=64,STAGES=3', after: 'BLOCK_M=128,STAGES=3' }],
      },
      { kind: 'step', commit: shaOf(SERIES.waived) },
    ]);
    expect(found.changes[2]!.settings).toBeUndefined();
    expect(found.changes.map(({ change_pct }) => Math.round(change_pct))).toEqual([4, 20, -6]);
  });

  it('have marks: settings, the waiver, the confirmed change', async () => {
    const [key] = await history.keys();
    const { marks = [] } = (await trendOf(history, key!.id))!;
    expect(marks.map(({ kind, commit }) => [kind, commit])).toEqual([
      ['setting', shaOf(SERIES.driver)],
      ['setting', shaOf(SERIES.tuned)],
      ['setting', shaOf(SERIES.compiler)],
      ['verdict', shaOf(SERIES.waived)],
      ['waiver', shaOf(SERIES.waived)],
    ]);
    // Thinned points do not lose the marks between them.
    const thin = await trendOf(history, key!.id, { maxPoints: 5 });
    expect(thin!.points).toHaveLength(5);
    expect(thin!.marks).toEqual(marks);
  });

  it('name the newest regression, in the overview and in the terminal', async () => {
    const window = { since: timeOf(0), until: timeOf(60 * DAYS) };
    const overview = overviewSchema.parse(
      withChanges(await history.overview(window), await currentChanges(history)),
    );
    expect(overview.keys).toHaveLength(1);
    expect(overview.keys[0]!.attention).toContain('unconfirmed');
    expect(overview.keys[0]!.newest).toMatchObject({ commit: shaOf(SERIES.regression) });
    const report = await trend({ store: place });
    expect(report.trends).toHaveLength(1);
    const text = renderTrendTerminal(report, { color: false, columns: 120 });
    expect(text).toMatch(/! newest {2}−2[01]\.\d % \(.*\) {2}0{10} {2}change 119/);
    expect(text).toContain('one point, not confirmed: pawl check decides');
    expect(text).toMatch(/% over all before the newest/);
    expect(text).toMatch(/▲ step .* \(default BLOCK_M=64 → BLOCK_M=128\)/);
    expect(text).toMatch(/▲ step .* \(driver 580\.65 → 590\.10\)/);
    expect(text).toContain('| compiler nvcc 13.0 → nvcc 13.1');
    // Drawn where it is: higher than the level before it, and marked.
    const [, line, marks] = text.split('\n');
    expect(line).toMatch(/▂{3}█ {2}/);
    expect(marks!.endsWith('!')).toBe(true);
  });

  it('tell a last regression that a check confirmed as such', async () => {
    const at = SERIES.commits;
    await history.put(storedRunOf({ at, level_ms: 0.08, verdict: 'regressed' }), { commits: [commitOf(at)] });
    const report = await trend({ store: place });
    expect(renderTrendTerminal(report, { color: false, columns: 120 })).toContain('regressed by its check');
  });
});

describe('what a trend goes on through', () => {
  async function fill(count: number, runOf: (at: number) => Partial<Parameters<typeof storedRunOf>[0]>) {
    for (let at = 0; at < count; at++) {
      await history.put(storedRunOf({ at, ...runOf(at) }), { commits: [commitOf(at)] });
    }
  }

  it('takes clocks that go to and fro apart, and finds no step in them', async () => {
    await fill(40, (at) =>
      at % 2 === 0 ? {} : { clocks: { policy: 'lock', locked_mhz: 1500 }, level_ms: 0.07 },
    );
    const [key, ...others] = await history.keys();
    expect(others).toEqual([]);
    const found = (await trendOf(history, key!.id))!;
    expect(found.changes).toEqual([]);
    expect(found.newest).toBeUndefined();
    expect(found.host_offsets).toHaveLength(2);
  });

  it('has a trend of its own for a variant that was asked for beside the default', async () => {
    await fill(20, (at) =>
      at % 3 === 0 ? { variant: { BLOCK_M: 32 }, isRequested: true, level_ms: 0.09 } : {},
    );
    const keys = await history.keys();
    expect(keys.map(({ variant }) => variant)).toEqual(
      expect.arrayContaining([{ BLOCK_M: 32 }, { BLOCK_M: 64 }]),
    );
    for (const { id } of keys) expect((await trendOf(history, id))!.changes).toEqual([]);
  });

  it('has a trend of each variant that a run has side by side, as tuners have', async () => {
    const run = storedRunOf({ at: 1 });
    const other = storedRunOf({ at: 1, variant: { BLOCK_M: 256 } });
    const measurements = [...run.sides.head.measurements, ...other.sides.head.measurements];
    await history.put({ ...run, sides: { head: { ...run.sides.head, measurements } } });
    expect(await history.keys()).toHaveLength(2);
  });

  it.each([0.05, 0.05 * 1.02])(
    'says nothing of a newest point within noise and threshold (%d)',
    async (last) => {
      await fill(30, (at) => ({ level_ms: at === 29 ? last : 0.05 }));
      const [key] = await history.keys();
      expect((await trendOf(history, key!.id))!.newest).toBeUndefined();
    },
  );

  it('keeps links of before: the id of a key leads to its trend', async () => {
    await fill(3, () => ({}));
    const [key] = await history.keys();
    // hash of kernel, case, variant, mode and device class, as version 5 had it
    const { hashOf } = await import('../../src/os/canonical-json.ts');
    const { kernel, case: name, variant, mode, device_class } = key!;
    const old = hashOf({ kernel, case: name, variant, mode, device_class }).slice(0, 20);
    expect((await trendOf(history, old))!.key.id).toBe(key!.id);
  });
});

it('releases are the tags of the project, on the last point that they can hold', async () => {
  const folder = await temporaryFolder();
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      env: { ...process.env, GIT_COMMITTER_DATE: timeOf(5).toISOString() },
      encoding: 'utf8',
    }).trim();
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'one');
  git('tag', 'v1.0');
  git('tag', '-a', 'v1.1', '-m', 'second');
  const releases = await findReleases(folder);
  const sha = git('rev-parse', 'HEAD');
  expect(new Set(releases.map(({ name, commit }) => `${name} ${commit}`))).toEqual(
    new Set([`v1.0 ${sha}`, `v1.1 ${sha}`]),
  );
  for (let at = 3; at < 9; at++) await history.put(storedRunOf({ at }), { commits: [commitOf(at)] });
  const [key] = await history.keys();
  const { marks } = (await trendOf(history, key!.id, {}, releases))!;
  expect(new Set(marks!.map(({ kind, name, commit }) => `${kind} ${name} ${commit}`))).toEqual(
    new Set([`release v1.0 ${shaOf(5)}`, `release v1.1 ${shaOf(5)}`]),
  );
  expect(await findReleases(await temporaryFolder())).toEqual([]);
});
