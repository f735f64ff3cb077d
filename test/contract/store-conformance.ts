import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { NewAlert } from '../../src/history/history.ts';
import { openStore } from '../../src/history/store/open-store.ts';
import type { SqlHistory } from '../../src/history/store/sql-history.ts';
import { noteSchema } from '../../src/model/history/note.ts';
import { exportLines, importLine } from '../../src/history/store/history-lines.ts';
import { pushRuns } from '../../src/history/store/outbox.ts';
import { compareSides } from '../../src/history/compare-sides.ts';
import { sidesComparisonSchema, type AskedSide } from '../../src/model/history/sides-comparison.ts';
import { sessionSchema } from '../../src/model/learn/session.ts';
import { storedRunSchema } from '../../src/model/history/stored-run.ts';
import { sessionOf } from '../history/session-of.ts';
import { commitOf, shaOf, storedRunOf, timeOf, type RunOf } from '../history/stored-run-of.ts';

const CASES = ['small', 'large'];

/** What every store must do, whatever keeps its tables. `create` names a new, empty one. */
export function storeConformance(create: () => Promise<string>): void {
  let store: SqlHistory;
  let address: string;

  beforeAll(async () => {
    address = await create();
    store = await openStore(address);
    for (let at = 0; at < 10; at++) {
      const verdict = at === 7 ? ('regressed' as const) : ('maintained' as const);
      const run = storedRunOf({ at, cases: CASES, level_ms: at < 7 ? 0.053 : 0.06, verdict });
      const commit = { ...commitOf(at), author: 'someone' };
      await store.put(run, { commits: [commit, commitOf(Math.max(0, at - 1))] });
    }
  });
  afterAll(() => store?.close());

  test('the same run twice is one run', async () => {
    const again = await store.put(
      storedRunOf({ at: 3, cases: CASES, level_ms: 0.053, verdict: 'maintained' }),
    );
    expect(again.stored).toBe(false);
    expect((await store.runs()).items).toHaveLength(10);
  });

  test('a run comes back as it was stored, with every sample', async () => {
    const run = storedRunOf({ at: 42, cases: CASES, verdict: 'improved' });
    const { id } = await store.put(run);
    const contents = await store.contents(id);
    const sides = structuredClone(contents!.document.sides) as unknown as Record<
      string,
      { measurements: object[] }
    >;
    for (const { side, position, series } of contents!.measurements) {
      Object.assign(sides[side]!.measurements[position]!, { series });
    }
    expect(storedRunSchema.parse({ ...contents!.document, sides })).toEqual(storedRunSchema.parse(run));
  });

  test('a trend has one point a commit, oldest first', async () => {
    const [key] = await store.keys({ case: 'small' });
    const trend = await store.trendPoints(key!.id, { until: timeOf(20) });
    expect(trend!.points.map(({ commit }) => commit)).toEqual(
      Array.from({ length: 10 }, (_, at) => shaOf(at)),
    );
    expect(trend!.points[7]!.verdict).toBe('regressed');
    for (const { level_ms, ci_ms } of trend!.points) {
      expect(ci_ms[0]).toBeLessThanOrEqual(level_ms);
      expect(ci_ms[1]).toBeGreaterThanOrEqual(level_ms);
    }
  });

  test('a trend of fewer points keeps the newest and says how many there are', async () => {
    const [key] = await store.keys({ case: 'small' });
    const thinned = await store.trendPoints(key!.id, { until: timeOf(20), maxPoints: 4 });
    expect(thinned!.total).toBe(10);
    expect(thinned!.points.length).toBeLessThanOrEqual(4);
    expect(thinned!.points.at(-1)!.commit).toBe(shaOf(9));
  });

  test('files that no commit holds are no point of a trend', async () => {
    const [key] = await store.keys({ case: 'small' });
    const before = await store.trendPoints(key!.id);
    await store.put(storedRunOf({ at: 50, cases: CASES, dirty: true }));
    expect((await store.trendPoints(key!.id))!.total).toBe(before!.total);
  });

  test('runs are found by case, commit, verdict and time, page by page', async () => {
    const first = await store.runs({ until: timeOf(20) }, { limit: 4 });
    const second = await store.runs({ until: timeOf(20) }, { limit: 4, cursor: first.next! });
    const third = await store.runs({ until: timeOf(20) }, { limit: 4, cursor: second.next! });
    const all = [...first.items, ...second.items, ...third.items];
    expect(all).toHaveLength(10);
    expect(new Set(all.map(({ id }) => id)).size).toBe(10);
    expect(third.next).toBeUndefined();
    expect((await store.runs({ verdicts: ['regressed'] })).items.map(({ commit }) => commit)).toEqual([
      shaOf(7),
    ]);
    expect((await store.runs({ commit: shaOf(7) })).items).toHaveLength(1);
    expect((await store.runs({ case: 'absent' })).items).toHaveLength(0);
    expect((await store.runs({ case: 'large', kernel: 'attention', until: timeOf(20) })).items).toHaveLength(
      10,
    );
    expect((await store.runs({ device: 'h200', host: 'bench-1', until: timeOf(20) })).items).toHaveLength(10);
  });

  test('runs are searched by words of what they are known by, page by page', async () => {
    const until = timeOf(20);
    const found = async (search: string) =>
      (await store.runs({ search, until })).items.map(({ commit }) => commit);
    expect(await found('CHANGE 7')).toEqual([shaOf(7)]);
    expect(await found('regressed h200')).toEqual([shaOf(7)]);
    expect(await found('someone')).toHaveLength(10);
    expect(await found('someone regressed')).toEqual([shaOf(7)]);
    expect(await found('larg attention')).toHaveLength(10);
    expect(await found('absent')).toEqual([]);
    expect(await found("100% ' \\")).toEqual([]);
    expect(await found(shaOf(3))).toEqual([shaOf(4), shaOf(3)]);
    const first = await store.runs({ search: 'large', until }, { limit: 6 });
    const second = await store.runs({ search: 'large', until }, { limit: 6, cursor: first.next! });
    expect([first.items.length, second.items.length]).toEqual([6, 4]);
    expect(await store.countRuns({ search: 'large', until })).toBe(10);
  });

  test('a cursor that was made up is refused with a sentence', async () => {
    await expect(store.runs({}, { cursor: 'nonsense' })).rejects.toThrow(/cursor/);
  });

  test('a run is found by the beginning of its id, with its verdicts and measurements', async () => {
    const [run] = (await store.runs({ commit: shaOf(7) })).items;
    const detail = await store.run(run!.id.slice(0, 12));
    expect(detail!.run).toEqual(run);
    expect(detail!.verdicts.map(({ verdict }) => verdict)).toEqual(['regressed', 'regressed']);
    expect(detail!.verdicts[0]!.reason).toBe('as the test says');
    expect(detail!.measurements).toHaveLength(4);
    expect(detail!.measurements[0]!.fault).toBeUndefined();
    expect(new Set(detail!.commits.map(({ subject }) => subject))).toEqual(new Set(['change 6', 'change 7']));
    const measurement = await store.measurement(detail!.measurements[0]!.id);
    expect(measurement!.series[0]!.samples_ms).toHaveLength(20);
    expect(await store.run('ffffffffffff')).toBeUndefined();
  });

  test('a run says what is wrong with a measurement', async () => {
    const other = await openStore(await create());
    try {
      const run = storedRunOf({ at: 1 });
      const [one] = run.sides.head.measurements;
      const lost = [{ process: 1, reason: 'crashed', message: 'in the correctness check: signal 11' }];
      const head = { ...run.sides.head, measurements: [{ ...one!, series: [], lost }] };
      const { id } = await other.put({ ...run, sides: { head } });
      expect((await other.run(id))!.measurements[0]!.fault).toMatch(/crashed: signal 11/);
    } finally {
      await other.close();
    }
  });

  test('an overview shows the worst key first, and says what was measured in its window', async () => {
    const overview = await store.overview({ since: timeOf(-24), until: timeOf(20) });
    expect(overview.totals.runs).toBe(10);
    expect(overview.keys.every(({ spark_ms }) => spark_ms.length <= 40)).toBe(true);
  });

  test('the overview goes by the rule of the trend, whatever the order in which runs arrive', async () => {
    const session = {
      ...storedRunOf({ at: 5, cases: ['small', 'other'], level_ms: 0.09 }),
      kind: 'session',
    } as const;
    const runs = [
      { ...storedRunOf({ at: 2, level_ms: 0.05 }) },
      storedRunOf({ at: 3, cases: ['small', 'loose'], level_ms: 0.07, dirty: true }),
      storedRunOf({ at: 4, level_ms: 0.08, verdict: 'incorrect' }),
      session,
    ];
    for (const order of [runs, runs.toReversed()]) {
      const other = await openStore(await create());
      try {
        for (const run of order) await other.put(run, { commits: [2, 3, 4, 5].map(commitOf) });
        const { keys } = await other.overview({ since: timeOf(-24), until: timeOf(200) });
        const shown = new Map(keys.map((one) => [one.key.case, one]));
        // The last level of a commit, under the verdict on the wrong one; not the tree's, not the try's.
        expect(shown.get('small')!.level_ms).toBeCloseTo(0.05, 2);
        expect(shown.get('small')).toMatchObject({ last_commit: shaOf(4), verdict: 'incorrect' });
        // Of a case that no commit has there is nothing better; a try's is no case at all.
        expect([...shown.keys()].toSorted()).toEqual(['loose', 'small']);
        const [key] = await other.keys({ case: 'small' });
        const { points } = (await other.trendPoints(key!.id))!;
        expect(points.map(({ commit }) => commit)).toEqual([shaOf(2)]);
        expect((await other.runs({ kinds: ['session'] })).items).toHaveLength(1);
      } finally {
        await other.close();
      }
    }
  });

  test('a summary is the same whatever the order in which runs arrive', async () => {
    const other = await openStore(await create());
    try {
      const runs = [5, 1, 9, 3].map((at) => storedRunOf({ at, cases: CASES }));
      for (const [index, run] of runs.entries()) {
        await other.put(run, { commits: [commitOf([5, 1, 9, 3][index]!)] });
      }
      const overview = await other.overview({ since: timeOf(-24), until: timeOf(200) });
      expect(overview.keys.map(({ last_commit }) => last_commit)).toEqual([shaOf(9), shaOf(9)]);
    } finally {
      await other.close();
    }
  });

  test("a commit's time that becomes known later moves its points there", async () => {
    const other = await openStore(await create());
    try {
      for (const at of [4, 2]) {
        const run = storedRunOf({ at, cases: ['small'] });
        await other.put({ ...run, started_at: timeOf(100 - at).toISOString() });
      }
      const [key] = await other.keys();
      const commits = async () => (await other.trendPoints(key!.id))!.points.map(({ commit }) => commit);
      expect(await commits()).toEqual([shaOf(4), shaOf(2)]);
      await other.putCommits([commitOf(4), commitOf(2)]);
      expect(await commits()).toEqual([shaOf(2), shaOf(4)]);
    } finally {
      await other.close();
    }
  });

  test('commits of the same second are in the order of history', async () => {
    const other = await openStore(await create());
    try {
      const time = timeOf(7).toISOString();
      for (const at of [3, 1, 2]) {
        const run = { ...storedRunOf({ at }), started_at: timeOf(100 - at).toISOString() };
        await other.put(run, { commits: [{ ...commitOf(at), time }] });
      }
      const [key] = await other.keys();
      const { points } = (await other.trendPoints(key!.id))!;
      expect(points.map(({ commit }) => commit)).toEqual([1, 2, 3].map(shaOf));
    } finally {
      await other.close();
    }
  });

  test("a commit's time that becomes known later leaves the summaries that it would have left at once", async () => {
    const [early, late] = [await openStore(await create()), await openStore(await create())];
    try {
      const days = [3, 40, 1, 130, 7, 260, 8, 4, 131];
      const runs = days.map((day, index) => ({
        commits: [commitOf(24 * day), commitOf(24 * day - 1)],
        run: {
          ...storedRunOf({
            at: 24 * day,
            cases: CASES,
            level_ms: 0.05 + 0.001 * index,
            dirty: index === 5,
            ...(index % 2 === 0 ? { verdict: index === 6 ? 'incorrect' : 'maintained' } : {}),
          }),
          // All of one day: only the commits tell them apart.
          started_at: timeOf(7000 + index).toISOString(),
        },
      }));
      for (const { run, commits } of runs) await early.put(run, { commits });
      for (const { run } of runs) await late.put(run);
      const known = (await late.knownChanges()).keys();
      const changes = new Map([...known].map((key) => [key, { seen: 'what it was', changes: [] }]));
      await late.rememberChanges(changes);
      const summaries = async (store: SqlHistory) => ({
        week: await store.overview({ since: timeOf(0), until: timeOf(24 * 9) }),
        year: await store.overview({ since: timeOf(-24), until: timeOf(24 * 400) }),
        decade: await store.overview({ since: timeOf(-24 * 1000), until: timeOf(24 * 3000) }),
        changes: await store.knownChanges(),
      });
      expect(await summaries(late)).not.toEqual(await summaries(early));
      await late.putCommits(runs.flatMap(({ commits }) => commits));
      expect(await summaries(late)).toEqual(await summaries(early));
    } finally {
      await early.close();
      await late.close();
    }
  });

  describe('profiles, studies and changes', () => {
    test('a trial that was decided stays decided', async () => {
      const study = {
        id: 'study-1',
        kernel: 'attention',
        started_at: timeOf(1).toISOString(),
        document: { a: 1 },
      };
      const trial = { number: 1, variant: { BLOCK_M: 64 }, phase: 'default' } as const;
      const outcome = (time_ms: number) =>
        ({
          status: 'measured',
          time_ms,
          median_ms: time_ms,
          samples: 9,
          processes: 3,
          stopped_early: false,
        }) as const;
      await store.putStudy(study, [trial]);
      await store.putStudy(study, [{ ...trial, outcome: outcome(1) }]);
      await store.putStudy(study, [{ ...trial, outcome: outcome(2) }]);
      expect((await store.study('study-1'))!.trials_list[0]!.outcome).toEqual(outcome(1));
      expect((await store.studies()).items[0]).toMatchObject({ trials: 1, measured: 1, best_ms: 1 });
    });

    test('a list of studies says case, device, result and what was confirmed, whatever documents hold', async () => {
      const about = { kernel: 'attention', started_at: timeOf(0).toISOString() };
      const faster = (trial: number, speedup: number) => ({ trial, verdict: 'improved', speedup });
      await store.putStudy(
        {
          ...about,
          id: 'told',
          document: {
            case: 'long',
            device: { kind: 'cuda', name: 'NVIDIA H200' },
            result: 'improved',
            best: { trial: 7 },
            confirmations: [faster(9, 3.75), faster(7, 2.23)],
          },
        },
        [],
      );
      await store.putStudy(
        { ...about, id: 'odd', document: { case: 7, result: 'x', confirmations: [1] } },
        [],
      );
      const { items } = await store.studies();
      expect(items.find(({ id }) => id === 'told')).toMatchObject({
        case: 'long',
        device: 'NVIDIA H200',
        result: 'improved',
        confirmed: { trial: 7, speedup: 2.23 },
      });
      const odd = items.find(({ id }) => id === 'odd')!;
      expect(Object.keys(odd).toSorted()).toEqual(['id', 'kernel', 'measured', 'started_at', 'trials']);
    });

    test('what began at the same moment comes page by page, each once', async () => {
      const started_at = timeOf(2).toISOString();
      for (const id of ['twin-b', 'twin-a', 'twin-c']) {
        await store.putStudy({ id, kernel: 'attention', started_at, document: {} }, []);
      }
      const seen: string[] = [];
      for (let cursor: string | undefined; ;) {
        const page = await store.studies({ limit: 1, ...(cursor === undefined ? {} : { cursor }) });
        seen.push(...page.items.map(({ id }) => id));
        if (page.next === undefined) break;
        cursor = page.next;
      }
      expect(seen).toEqual(['twin-c', 'twin-b', 'twin-a', 'study-1', 'told', 'odd']);
    });

    test('a profile is stored once, with its pages', async () => {
      const report = {
        schema: 'pawl.profile/1',
        kernel: 'attention',
        case: 'small',
        variant: {},
        mode: 'cold',
        seconds: 1,
        device_s: 1,
        summary: 'memory bound',
      } as const;
      const { id } = await store.putProfile(report, { 'page.md': '# page' });
      expect((await store.putProfile(report, { 'page.md': '# page' })).stored).toBe(false);
      expect(await store.profile(id)).toMatchObject({ report, files: { 'page.md': '# page' } });
      expect((await store.profiles({ kernel: 'attention' })).items).toHaveLength(1);
    });

    test('changes are remembered until a point is added', async () => {
      const [key] = await store.keys({ case: 'small' });
      const before = (await store.knownChanges()).get(key!.id)!;
      await store.rememberChanges(new Map([[key!.id, { seen: before.seen, changes: [] }]]));
      expect((await store.knownChanges()).get(key!.id)!.known!.seen).toBe(before.seen);
      await store.put(storedRunOf({ at: 60, cases: CASES }), { commits: [commitOf(60)] });
      const after = (await store.knownChanges()).get(key!.id)!;
      expect(after.known!.seen).not.toBe(after.seen);
    });

    test('devices say how noisy they were, and costs add up', async () => {
      const [device] = await store.devices({ until: timeOf(20) });
      expect(device).toMatchObject({ device: 'NVIDIA H200', host: 'bench-1' });
      const costs = await store.costs({ until: timeOf(20) });
      expect(costs.reduce((sum, { device_s }) => sum + device_s, 0)).toBeCloseTo(125);
    });
  });

  describe('sessions', () => {
    const first = sessionOf({ at: 0, how: 'missed' });
    const open = sessionOf({ at: 1, how: 'open', revision: 4 });

    test('a session comes back whole, and its list is newest first, page by page', async () => {
      for (const session of [first, open, sessionOf({ at: 2 })]) {
        expect(await store.putSession(session)).toEqual({ id: session.id, stored: true });
      }
      expect(sessionSchema.parse(await store.session(first.id))).toEqual(first);
      expect(await store.session('none')).toBeUndefined();
      const page = await store.sessions({ limit: 2 });
      const rest = await store.sessions({ limit: 2, cursor: page.next! });
      expect([...page.items, ...rest.items].map(({ started_at }) => started_at.slice(0, 10))).toEqual([
        '2026-11-03',
        '2026-11-02',
        '2026-11-01',
      ]);
      expect(rest.next).toBeUndefined();
      expect(rest.items[0]).toMatchObject({ title: '1.2x on training_512', reached: false, speedup: 0.93 });
      expect((await store.allSessions()).map(({ id }) => id)).toEqual(
        [...page.items, ...rest.items].map(({ id }) => id).reverse(),
      );
    });

    test('a later revision takes the place of an earlier one, and never the other way round', async () => {
      const later = { ...open, revision: 5, notes: [{ at: open.started_at, text: 'later' }] };
      expect((await store.putSession(later)).stored).toBe(true);
      expect((await store.putSession(open)).stored).toBe(false);
      expect((await store.putSession(later)).stored).toBe(false);
      expect((await store.session(open.id))!.notes).toEqual(later.notes);
      expect((await store.sessionRevisions()).get(open.id)).toBe(5);
    });
  });

  test('an alert is noted once and held by one, whoever asks at the same time', async () => {
    const place = await create();
    const writers = await Promise.all(Array.from({ length: 4 }, () => openStore(place)));
    try {
      const note = (writer: SqlHistory, state: 'before' | 'waiting') =>
        writer.noteAlerts('room', timeOf(1), (known, isFirst) =>
          known.length > 0 || isFirst !== (state === 'before') ? [] : [newAlertOf(state)],
        );
      expect(await note(writers[0]!, 'waiting')).toEqual([]);
      const noted = await Promise.all(writers.map((writer) => note(writer, 'waiting')));
      expect(noted.flat()).toHaveLength(1);
      expect([...(await writers[1]!.alertSubscriptions())]).toEqual([['room', timeOf(1)]]);
      const claimed = await Promise.all(
        writers.map((writer) => writer.claimAlert(['room'], timeOf(2), 60_000)),
      );
      const held = claimed.find((one) => one !== undefined);
      expect(claimed.filter((one) => one !== undefined)).toHaveLength(1);
      expect(held).toMatchObject({ id: 'an-alert', tries: 1, alert: { title: 'slower' } });
      expect(await writers[1]!.claimAlert(['other'], timeOf(9), 60_000)).toBeUndefined();
      await writers[2]!.settleAlert(held!, { state: 'failed', at_ms: timeOf(3).getTime(), error: 'no' });
      expect(await writers[3]!.alerts({ states: ['failed'] })).toMatchObject([{ error: 'no', tries: 1 }]);
      expect(await writers[3]!.retryAlerts(['room'], timeOf(4))).toBe(1);
      expect(await writers[0]!.alertCounts()).toEqual([{ subscription: 'room', state: 'waiting', count: 1 }]);
    } finally {
      await Promise.all(writers.map((writer) => writer.close()));
    }
  });

  test('an overview has the rates of cases that declare their work, and of no others', async () => {
    const other = await openStore(await create());
    try {
      const run = storedRunOf({ at: 1, cases: CASES, level_ms: 0.05 });
      const [small, large] = run.sides.head.measurements;
      const put = (at: number, operations: number) => {
        const next = storedRunOf({ at, cases: CASES, level_ms: 0.05 });
        const [declared, plain] = next.sides.head.measurements;
        // A ceiling is known where the device was calibrated, as that of the later run was.
        const ceiling = { ceiling_ms: 0.01, limit: 'memory', basis: '1 MB at 100 MB/s' } as const;
        const work = { operations, bytes: 1e6, ...(at > 2 ? { ceiling } : {}) };
        const measurements = [{ ...declared!, ...work }, plain!];
        const head = { ...next.sides.head, measurements };
        return other.put({ ...next, sides: { head } }, { commits: [commitOf(at)] });
      };
      expect([small!.case, large!.case]).toEqual(CASES);
      await other.put(run, { commits: [commitOf(1)] });
      const ratesAt = async () => {
        const { keys } = await other.overview({ since: timeOf(-24), until: timeOf(20) });
        return Object.fromEntries(keys.map(({ key, rates, level_ms }) => [key.case, { rates, level_ms }]));
      };
      expect((await ratesAt())['small']!.rates).toBeUndefined();
      await put(2, 1e9);
      expect((await ratesAt())['small']!.rates!.of_ceiling_pct).toBeUndefined();
      await put(3, 2e9);
      const { small: declared, large: plain } = await ratesAt();
      expect(plain!.rates).toBeUndefined();
      expect(declared!.rates!.throughput_gflop_s).toBeCloseTo(2e3 / declared!.level_ms, 3);
      expect(declared!.rates!.bandwidth_gb_s).toBeCloseTo(1 / declared!.level_ms, 3);
      expect(declared!.rates!.times_floor).toBeUndefined();
      expect(declared!.rates!.of_ceiling_pct).toBeCloseTo(1 / declared!.level_ms, 3);
    } finally {
      await other.close();
    }
  });

  describe('a note on a change', () => {
    const now = timeOf(30);
    const said = {
      commit: shaOf(7),
      kernel: 'attention',
      case: 'small',
      text: 'Known: #12',
      link: 'https://a.b/12',
    };

    test('is found by what it is on, and by what it leaves open', async () => {
      const one = await store.addNote(said, now);
      const all = await store.addNote({ commit: shaOf(7), text: 'The whole commit' }, timeOf(31));
      expect(noteSchema.parse(one)).toEqual(one);
      expect(await store.notes({ commit: shaOf(7) })).toEqual([all, one]);
      expect(await store.notes({ kernel: 'attention', case: 'large' })).toEqual([all]);
      expect(await store.notes({ commit: shaOf(8) })).toEqual([]);
      // The same again is the same note.
      await store.addNote(said, now);
      expect(await store.notes()).toHaveLength(2);
    });

    test('stays when runs come, goes along into another store, and stays removed there', async () => {
      const other = await openStore(await create());
      try {
        await store.put(storedRunOf({ at: 60, cases: CASES }), { commits: [commitOf(60)] });
        expect(await store.notes()).toHaveLength(2);
        const lines: string[] = [];
        for await (const line of exportLines(store)) if (line.startsWith('{"type":"note"')) lines.push(line);
        for (const line of lines) expect(await importLine(other, line, 'a test')).toBe(true);
        expect(await other.notes()).toEqual(await store.notes());
        const [first] = await other.notes();
        expect(await store.removeNote(first!.id, timeOf(40))).toBe(true);
        expect(await store.removeNote(first!.id, timeOf(41))).toBe(false);
        await pushRuns(store, other);
        expect((await other.notes()).map(({ id }) => id)).toEqual((await store.notes()).map(({ id }) => id));
        await pushRuns(other, store);
        expect(await store.notes()).toHaveLength(1);
      } finally {
        await other.close();
      }
    });
  });

  describe('two sides', () => {
    let other: SqlHistory;
    beforeAll(async () => {
      other = await openStore(await create());
      const put = (run: RunOf) => other.put(storedRunOf(run), { commits: [commitOf(run.at)] });
      await put({ at: 1, cases: CASES, level_ms: 0.05 });
      await put({ at: 2, cases: ['small', 'wide'], level_ms: 0.06, branch: 'topic' });
      await put({ at: 3, cases: ['small'], level_ms: 0.04, driver: '590.1', branch: 'main' });
      await put({ at: 4, cases: CASES, level_ms: 0.1, device: 'NVIDIA A100', branch: 'main' });
      await put({ at: 5, cases: ['small'], level_ms: 0.2, dirty: true });
    });
    afterAll(() => other?.close());

    const compared = async (a: AskedSide, b: AskedSide) => {
      const { cases } = await compareSides(other, { a, b });
      return cases.map((one) => [one.key.case, one.verdict, Math.round(one.change_pct ?? 0)]);
    };

    test('are two commits, with every case of both', async () => {
      const found = await compareSides(other, { a: { revision: shaOf(1) }, b: { revision: shaOf(2) } });
      expect(sidesComparisonSchema.parse(found)).toEqual(found);
      expect(found.a).toEqual({ commit: shaOf(1), cases: 2 });
      expect(found.b).toEqual({ commit: shaOf(2), cases: 2 });
      expect(found.verdict).toBe('regressed');
      expect(found.cases.map((one) => [one.key.case, one.verdict])).toEqual([
        ['large', undefined],
        ['small', 'regressed'],
        ['wide', 'new'],
      ]);
      const small = found.cases[1]!;
      expect(small.change_pct).toBeCloseTo(-20, 0);
      expect(small.ci_pct![0]).toBeLessThan(small.change_pct!);
      expect(small.a!.level_ms).toBeCloseTo(0.05, 3);
      expect(await other.measurement(small.b!.measurement)).toBeDefined();
    });

    test('are branches, drivers and devices', async () => {
      expect(await compared({ revision: 'topic' }, { revision: 'main', device: 'H200' })).toEqual([
        ['small', 'improved', 33],
        ['wide', undefined, 0],
      ]);
      expect(await compared({ driver: '580.65', device: 'h200' }, { driver: '590.1' })).toEqual([
        ['large', undefined, 0],
        ['small', 'improved', 33],
        ['wide', undefined, 0],
      ]);
      expect(await compared({ device: 'H200', revision: shaOf(1) }, { device: 'A100' })).toEqual([
        ['large', 'regressed', -100],
        ['small', 'regressed', -100],
      ]);
    });

    test('that were measured in one run are taken from it', async () => {
      const run = storedRunOf({ at: 8, cases: CASES, level_ms: 0.053, verdict: 'maintained' });
      await other.put(run, { commits: [commitOf(7), commitOf(8)] });
      await other.put(storedRunOf({ at: 7, cases: CASES, level_ms: 0.08 }), { commits: [commitOf(7)] });
      const { cases } = await compareSides(other, { a: { revision: shaOf(7) }, b: { revision: shaOf(8) } });
      expect(cases.map((one) => [one.key.case, one.verdict, one.together])).toEqual([
        ['large', 'maintained', true],
        ['small', 'maintained', true],
      ]);
    });

    test.each([
      [{ revision: 'absent' }, /no commit or branch/u],
      [{ revision: '0000' }, /More than one commit/u],
      [{ device: 'NVIDIA' }, /More than one device/u],
      [{ driver: '1.0' }, /driver "1.0"/u],
      [{}, /driver given/u],
    ])('that mean nothing, or several things, are refused: %j', async (asked, message) => {
      await expect(other.side(asked)).rejects.toThrow(message);
    });
  });

  test('several connections write at once and lose nothing', async () => {
    const place = await create();
    const writers = await Promise.all(Array.from({ length: 4 }, () => openStore(place)));
    try {
      await Promise.all(
        writers.map(async (writer, index) => {
          for (let at = 0; at < 8; at++) {
            // Every run comes from two writers.
            await writer.put(storedRunOf({ at: 10 * (index >> 1) + at, cases: CASES }), {
              commits: [commitOf(at)],
            });
          }
        }),
      );
      expect((await writers[0]!.runs()).items).toHaveLength(16);
    } finally {
      await Promise.all(writers.map((writer) => writer.close()));
    }
  });
}

function newAlertOf(state: 'before' | 'waiting'): NewAlert {
  const change = { kind: 'step', direction: 'slower', commit: shaOf(1), time: timeOf(1).toISOString() };
  return {
    key_id: 'k',
    commit_sha: shaOf(1),
    previous_sha: null,
    time_ms: timeOf(1).getTime(),
    state,
    alert: { id: 'an-alert', title: 'slower', change } as NewAlert['alert'],
  };
}
