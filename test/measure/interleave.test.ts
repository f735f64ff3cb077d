import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { loadConfig } from '../../src/config/load-config.ts';
import {
  interleave,
  type InterleaveOptions,
  type Side,
  type SideLabel,
} from '../../src/measure/interleave.ts';
import type { SeriesRecord } from '../../src/measure/rounds.ts';
import { STOPPING_RULES } from '../../src/measure/stopping-rules.ts';
import type { Target } from '../../src/runner/target.ts';
import { Xoshiro128 } from '../../src/stats/index.ts';
import { prepareTargets } from '../../src/rig/prepare-targets.ts';
import { selectKernels } from '../../src/rig/select-kernels.ts';
import { fixtureProject } from '../e2e/pawl-cli.ts';

const LABELS: readonly SideLabel[] = ['base', 'control', 'head'];

let folder: string;
let targets: readonly Target[];

beforeAll(async () => {
  folder = await fixtureProject(['right', 'prints', 'crashes-later']);
  const yaml = join(folder, 'pawl.yaml');
  const text = await readFile(yaml, 'utf8');
  await writeFile(yaml, text.replace('small: { N: 1000 }', 'small: { N: 1000 }\n      tiny: { N: 10 }'));
  const loaded = await loadConfig(folder);
  const { signal } = new AbortController();
  const options = { loaded, gpuIndex: 0, onProgress: () => undefined, signal };
  ({ targets } = await prepareTargets(selectKernels(loaded, {}), options));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The same target with everything that its runners are asked written to a file. */
function overheard(target: Target, log: string): Target {
  const { command, args } = target.runner;
  const script = 'log=$1; shift; exec "$@" 3< <(tee -a "$log" <&3)';
  return { ...target, runner: { command: 'bash', args: ['-c', script, 'overheard', log, command, ...args] } };
}

interface Asked {
  readonly op: string;
  readonly case?: string;
  readonly seed?: string;
  readonly count?: number;
  readonly verify?: unknown;
  readonly guarded?: boolean;
  readonly searched?: boolean;
  readonly keep?: boolean;
}

async function requestsIn(log: string): Promise<Asked[]> {
  const lines = (await readFile(log, 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as { op: string });
}

interface Taken {
  readonly side: SideLabel;
  readonly kernel: string;
  readonly case: string;
  readonly process: number;
  readonly lost: boolean;
}

async function run(
  sides: readonly Side[],
  options: Partial<InterleaveOptions> & { readonly seed?: number } = {},
): Promise<{ readonly taken: Taken[]; readonly blocks: number; readonly processes: number }> {
  const taken: Taken[] = [];
  const result = await interleave(sides, {
    modes: ['hot'],
    timing: 'blocked',
    warmup: 1,
    verified: false,
    rule: STOPPING_RULES.fixed(5),
    timeout_ms: 30_000,
    budget_ms: 30_000,
    signal: new AbortController().signal,
    now: () => new Date(),
    onProgress: () => undefined,
    random: new Xoshiro128(options.seed ?? 1),
    maxBlocks: 3,
    onBlock: () => 'go-on',
    onRecord: (side, { target, case: plan, outcome }: SeriesRecord) => {
      const process = 'taken' in outcome ? outcome.taken.process! : outcome.lost.process;
      taken.push({ side, kernel: target.plan.name, case: plan.name, process, lost: 'lost' in outcome });
    },
    ...options,
  });
  return { taken, ...result };
}

function sidesOf(kernels: readonly string[]): Side[] {
  return LABELS.map((label) => ({
    label,
    targets: targets.filter(({ plan }) => kernels.includes(plan.name)),
  }));
}

describe('interleave', () => {
  it('gives every kernel one fresh process per side and block, and all sides the same inputs', async () => {
    const logOf = (label: SideLabel): string => join(folder, `${label}.log`);
    const sides = sidesOf(['right', 'prints']).map(({ label, targets: own }) => ({
      label,
      targets: own.map((target) => overheard(target, logOf(label))),
    }));
    const { taken, blocks, processes } = await run(sides, { maxBlocks: 2 });
    expect([blocks, processes]).toEqual([2, 2 * 2 * 3]);
    expect(taken).toHaveLength(2 * 2 * 2 * 3);
    expect(taken.some(({ lost }) => lost)).toBe(false);

    const asked = await Promise.all(LABELS.map((label) => requestsIn(logOf(label))));
    for (const requests of asked) expect(requests.filter(({ op }) => op === 'open')).toHaveLength(2 * 2);
    const [base, control, head] = asked.map((requests) =>
      requests.filter(({ op }) => op === 'prepare').map((one) => [one.case, one.seed]),
    );
    expect(control).toEqual(base);
    expect(head).toEqual(base);
    expect(new Set(base!.map(([, seed]) => seed)).size).toBe(2 * 2 * 2);
  });

  it('has the last samples of every series verified, and takes as many as were asked for', async () => {
    const log = join(folder, 'verified.log');
    const target = targets.find(({ plan }) => plan.name === 'right');
    const { taken } = await run([{ label: 'base', targets: [overheard(target!, log)] }], {
      maxBlocks: 1,
      verified: true,
      rule: STOPPING_RULES.fixed(30),
    });
    expect(taken.some(({ lost }) => lost)).toBe(false);
    const asked = (await requestsIn(log)).filter(({ op }) => op === 'prepare' || op === 'sample');
    // Warm-up rounds of one sample, then the series.
    const series = asked.filter(({ op, count }) => op === 'prepare' || count !== 1);
    expect(series.map(({ op, count, verify }) => [op, count, verify === undefined])).toEqual([
      ['prepare', undefined, true],
      ['sample', 25, true],
      ['sample', 5, false],
      ['prepare', undefined, true],
      ['sample', 25, true],
      ['sample', 5, false],
    ]);
    expect(series[2]!.verify).toEqual({ oracle: target!.oracle, ...target!.plan.cases[0]?.tolerance });
  });

  it('takes the sides of a block in random order, which the seed repeats', async () => {
    const sides = sidesOf(['right']);
    const { taken } = await run(sides, { maxBlocks: 6, seed: 3 });
    const orders = new Set<string>();
    for (let process = 1; process <= 6; process++) {
      const block = taken.filter((one) => one.process === process).map(({ side }) => side);
      expect([...new Set(block)].sort()).toEqual(['base', 'control', 'head']);
      orders.add([...new Set(block)].join());
    }
    expect(orders.size).toBeGreaterThan(1);
    // A neighbour on the machine may cost a series; it does not change the order.
    const order = (all: readonly Taken[]) => all.map((one) => ({ ...one, lost: undefined }));
    const again = await run(sides, { maxBlocks: 6, seed: 3 });
    expect(order(again.taken)).toEqual(order(taken));
  });

  it('measures no more of a case that is closed, and stops when told to', async () => {
    const blocks: number[] = [];
    const { taken, ...result } = await run(sidesOf(['right']), {
      maxBlocks: 10,
      wanted: ({ case: name }, able) => (name !== 'tiny' || blocks.length < 1 ? able : []),
      onBlock: (block) => {
        blocks.push(block);
        return block === 3 ? 'stop' : 'go-on';
      },
    });
    expect(blocks).toEqual([1, 2, 3]);
    expect(result.blocks).toBe(3);
    const ofCase = (name: string) => taken.filter((one) => one.case === name).map(({ process }) => process);
    expect(Math.max(...ofCase('tiny'))).toBe(1);
    expect(ofCase('small')).toHaveLength(3 * 3);
  });

  it('records losses, gives a case up on all sides when one keeps losing it, and goes on with the rest', async () => {
    const crashing = targets.find(({ plan }) => plan.name === 'crashes-later')!;
    const right = targets.find(({ plan }) => plan.name === 'right')!;
    const changed: Target = { ...crashing, plan: right.plan };
    const printed = targets.filter(({ plan }) => plan.name === 'prints');
    const { taken, blocks } = await run(
      [
        { label: 'base', targets: [right, ...printed] },
        { label: 'head', targets: [changed, ...printed] },
      ],
      { maxBlocks: 4 },
    );
    expect(blocks).toBe(4);
    const of = (side: SideLabel, kernel: string) =>
      taken.filter((one) => one.side === side && one.kernel === kernel);
    expect(of('head', 'right')).toHaveLength(2 * 2);
    expect(of('head', 'right').every(({ lost }) => lost)).toBe(true);
    expect(of('base', 'right')).toHaveLength(2 * 2);
    expect(of('head', 'prints')).toHaveLength(2 * 4);
  });

  it('measures only cases that every side has', async () => {
    const right = targets.find(({ plan }) => plan.name === 'right')!;
    const less = { ...right, plan: { ...right.plan, cases: right.plan.cases.slice(1) } };
    const { taken } = await run([
      { label: 'base', targets: [right] },
      { label: 'head', targets: [less] },
    ]);
    expect(new Set(taken.map(({ case: name }) => name))).toEqual(new Set(['tiny']));
  });

  it('gives a side that is trusted new contents, and compares and searches only the other', async () => {
    const right = targets.find(({ plan }) => plan.name === 'right')!;
    const logs = { base: join(folder, 'trusted.log'), head: join(folder, 'judged.log') };
    await run(
      [
        { label: 'base', targets: [overheard(right, logs.base)], trust: 'kernel' },
        { label: 'head', targets: [overheard(right, logs.head)] },
      ],
      { verified: true, maxBlocks: 1 },
    );
    const timed = async (log: string): Promise<Asked[]> =>
      (await requestsIn(log)).filter(({ op, guarded }) => op === 'sample' && guarded === true);
    const [base, head] = [await timed(logs.base), await timed(logs.head)];
    expect(base.length).toBeGreaterThan(0);
    expect(base.map(({ searched, verify }) => [searched, verify])).toEqual(
      base.map(() => [false, undefined]),
    );
    expect(head.every(({ searched }) => searched === true)).toBe(true);
    expect(head.some(({ verify }) => verify !== undefined)).toBe(true);
  });

  it('asks the same of a side whose results are trusted, and only compares none', async () => {
    const right = targets.find(({ plan }) => plan.name === 'right')!;
    const logs = { base: join(folder, 'accepted.log'), head: join(folder, 'compared.log') };
    await run(
      [
        { label: 'base', targets: [overheard(right, logs.base)], trust: 'results' },
        { label: 'head', targets: [overheard(right, logs.head)] },
      ],
      { verified: true, maxBlocks: 1 },
    );
    const timed = async (log: string): Promise<Asked[]> =>
      (await requestsIn(log)).filter(({ op, guarded }) => op === 'sample' && guarded === true);
    const [base, head] = [await timed(logs.base), await timed(logs.head)];
    expect(base.map(({ keep }) => keep)).toEqual(base.map(() => true));
    expect(base.map(({ searched, verify }) => [searched, verify])).toEqual(base.map(() => [true, undefined]));
    expect(head.at(-1)?.verify).toBeDefined();
    expect(base.at(-1)?.count).toBe(head.at(-1)?.count);
  });

  it('takes no further series once it is aborted', async () => {
    const aborter = new AbortController();
    const { blocks } = await run(sidesOf(['right']), {
      maxBlocks: 50,
      signal: aborter.signal,
      onBlock: () => {
        aborter.abort();
        return 'go-on';
      },
    });
    expect(blocks).toBe(1);
  });
});
