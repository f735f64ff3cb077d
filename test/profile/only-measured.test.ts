/** A limiter is named, and a kernel called done, only where what that has to be compared with was collected. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import type { LaunchProfile } from '../../src/model/profile/profile.ts';
import { diagnose } from '../../src/profile/diagnose.ts';
import { KNOWN_CAPABILITIES, SIGNALS } from '../../src/profile/facts/metric-names.ts';
import { parseNcuProfile } from '../../src/profile/ncu/ncu-profile.ts';
import { renderDiagnosis } from '../../src/report/terminal/diagnosis-terminal.ts';
import { Xoshiro128 } from '../../src/stats/random.ts';
import { launchOf, launchWithOnly, type SignalValues } from './launch-of.ts';

const KERNELS = ['copy_ok', 'fma_ok', 'uncoalesced_load', 'pointer_chase', 'naive_matmul', 'sdpa_flash'];
const MEMORY = /^(?:gpu__compute_memory|gpu__dram|dram__|lts__|l1tex__throughput)/u;
const SM =
  /^sm__(?:throughput|instruction_throughput|pipe|inst_executed_pipe|inst_issued|issue_active|inst_executed\.)/u;

function launchIn(kernel: string): LaunchProfile {
  const file = new URL(`../fixtures/ncu/${kernel}.raw.csv`, import.meta.url);
  const [launch] = parseNcuProfile(readFileSync(file, 'utf8')).launches;
  if (!launch) throw new Error(`${kernel} holds no launch`);
  return launch;
}

const without = (launch: LaunchProfile, pattern: RegExp): LaunchProfile => ({
  ...launch,
  metrics: new Map([...launch.metrics].filter(([name]) => !pattern.test(name))),
});

const rules = (launch: LaunchProfile): string[] => diagnose(launch).findings.map(({ rule }) => rule);

describe.each(KERNELS)('%s', (kernel) => {
  it.each([
    ['memory', MEMORY],
    ['SM', SM],
  ] as const)('has no limiter without its %s metrics', (_side, pattern) => {
    const { limiter, findings, undecided } = diagnose(without(launchIn(kernel), pattern));
    expect(limiter).toBe('none');
    expect(undecided?.question).toBe('limiter');
    const judged = ['latency-bound', 'compute-bound', 'memory-bound', 'at-limit', 'launch-bound'];
    expect(findings.filter(({ rule }) => judged.includes(rule))).toEqual([]);
  });

  it.each([
    ['memory', MEMORY],
    ['SM', SM],
  ] as const)('has its limiter back once the %s metrics that were asked for are there', (_side, pattern) => {
    const whole = launchIn(kernel);
    const part = without(whole, pattern);
    const asked = new Set(diagnose(part).undecided?.metrics);
    const back = [...whole.metrics].filter(([name]) => asked.has(name));
    expect(back.length).toBeGreaterThan(0);
    const filled = { ...part, metrics: new Map([...part.metrics, ...back]) };
    expect(diagnose(filled).limiter).toBe(diagnose(whole).limiter);
  });
});

describe('what was collected in part', () => {
  const SPEED_OF_LIGHT = { duration_ns: 5e5, grid_size: 13_200, sm_count: 132 } as const;

  it('names latency where both sides are low, whatever their parts are', () => {
    expect(diagnose(launchWithOnly({ ...SPEED_OF_LIGHT, sm_pct: 30, memory_pct: 40 })).limiter).toBe(
      'latency',
    );
  });

  it('does not tell arithmetic from tensor cores by the load of the SMs alone', () => {
    const { limiter, undecided } = diagnose(
      launchWithOnly({ ...SPEED_OF_LIGHT, sm_pct: 85, memory_pct: 30, dram_pct: 20, l2_pct: 30, l1_pct: 25 }),
    );
    expect(limiter).toBe('none');
    expect(undecided?.metrics.join()).toMatch(/pipe_fma.*pipe_tensor.*pipe_xu/u);
  });

  it('does not tell the levels of memory apart by its overall load', () => {
    const { limiter, undecided } = diagnose(
      launchWithOnly({ ...SPEED_OF_LIGHT, sm_pct: 20, memory_pct: 85 }),
    );
    expect([limiter, undecided?.metrics.length]).toEqual(['none', 3]);
  });

  it.each([['duration_ns'], ['grid_size']] as const)(
    'does not tell latency from the launch without %s',
    (gone) => {
      const values = { ...SPEED_OF_LIGHT, sm_pct: 30, memory_pct: 30, [gone]: undefined };
      expect(diagnose(launchWithOnly(values)).limiter).toBe('none');
    },
  );

  it('calls a busy memory done only where wasted traffic was looked for', () => {
    const busy: SignalValues = { dram_pct: 91, memory_pct: 91, l2_pct: 60 };
    expect(rules(launchOf(busy))).toEqual(['at-limit']);
    const blind = launchOf({
      ...busy,
      global_sectors: undefined,
      global_sectors_excess: undefined,
      global_sectors_ideal: undefined,
      load_bytes_per_sector: undefined,
      store_bytes_per_sector: undefined,
      // 8 sectors a request: good for 8 bytes a thread, half wasted for 4.
      global_load_requests: 18.75e6 / 8,
    });
    const { limiter, findings, undecided } = diagnose(blind);
    expect([limiter, findings.map(({ rule }) => rule)]).toEqual(['dram', ['memory-bound']]);
    expect(undecided?.question).toBe('needless-work');
    expect(undecided?.metrics).toContain('smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio');
  });

  it('calls busy arithmetic done only where divergence and matrix work were looked for', () => {
    const busy: SignalValues = { sm_pct: 92, fma_pct: 92, issue_elapsed_pct: 90, issue_pct: 90 };
    expect(rules(launchOf(busy))).toEqual(['at-limit']);
    const { findings, undecided } = diagnose(launchOf({ ...busy, threads_per_inst: undefined }));
    expect(findings.map(({ rule }) => rule)).toEqual(['compute-bound']);
    expect(undecided?.metrics).toEqual(['smsp__thread_inst_executed_per_inst_executed.ratio']);
  });

  it('says what to collect in a line that can be pasted, and quotes no name that a shell would read', () => {
    const named = (name: string): string =>
      diagnose({ ...launchWithOnly({ sm_pct: 85 }), name }).undecided?.collect ?? '';
    expect(named('void ns::softmax<float, 4>(const float *)')).toMatch(
      /^ncu --metrics gpu__compute_memory_throughput\.[\w.,]+ --kernel-name regex:softmax --launch-count 1 --csv/u,
    );
    expect(named('$(rm -rf ~)')).not.toContain('rm');
    const kernels = [diagnose(launchWithOnly({ sm_pct: 85 }))];
    expect(renderDiagnosis({ schema: 'pawl.diagnosis/1', kernels })).toMatch(
      /Not decided: [^]*collect:\n {2}ncu --metrics/u,
    );
  });
});

describe('sectors per request', () => {
  const SCATTERED: SignalValues = {
    sm_pct: 30,
    memory_pct: 70,
    duration_ns: 1e6,
    store_request_sectors: 32,
    load_request_sectors: 4,
  };
  const coalescing = (values: SignalValues, capability: string): string[] =>
    rules(launchWithOnly(values, capability)).filter((rule) => rule === 'uncoalesced-access');

  it('32 for a store are found with nothing else collected', () => {
    expect(coalescing(SCATTERED, '8.6')).toEqual(['uncoalesced-access']);
    const [finding] = diagnose(launchWithOnly(SCATTERED, '8.6')).findings;
    expect(finding?.diagnosis).toContain('32 sectors per store');
  });

  it('16 may be a coalesced access of 16 bytes, and 32 one of 32 bytes on newer devices', () => {
    expect(coalescing({ ...SCATTERED, store_request_sectors: 16 }, '8.6')).toEqual([]);
    expect(coalescing(SCATTERED, '10.0')).toEqual([]);
  });

  it('give way to the bytes used of each sector', () => {
    expect(rules(launchOf({ store_request_sectors: 32 }))).not.toContain('uncoalesced-access');
  });
});

describe('devices that a file does not name, or that are newer than the names known here', () => {
  it.each([undefined, '10.3', '12.0'])(
    'capability %s: the tensor unit of tcgen05 is read',
    (computeCapability) => {
      const launch = launchOf({ tensor_pct: undefined });
      const metrics = new Map(launch.metrics);
      for (const name of metrics.keys()) if (name.startsWith('sm__pipe_tensor')) metrics.delete(name);
      metrics.set('sm__pipe_tc_cycles_active.avg.pct_of_peak_sustained_elapsed', { value: 85, unit: '%' });
      metrics.set('sm__throughput.avg.pct_of_peak_sustained_elapsed', { value: 85, unit: '%' });
      expect(diagnose({ ...launch, computeCapability, metrics }).limiter).toBe('tensor');
    },
  );
});

it('idle SMs are mentioned where the number of SMs was not collected', () => {
  const idle: SignalValues = { sm_count: undefined, sm_active_cycles: 600_000, sm_elapsed_cycles: 1e6 };
  expect(rules(launchOf(idle))).toContain('imbalance');
  const asShare = { ...idle, sm_active_cycles: undefined, sm_elapsed_cycles: undefined, sm_active_pct: 60 };
  expect(rules(launchOf({ ...asShare, sm_active_cycles_max: undefined }))).toContain('imbalance');
});

it('whatever was collected, a limiter has both sides behind it', () => {
  const random = new Xoshiro128(7);
  let [named, open] = [0, 0];
  for (let round = 0; round < 2000; round += 1) {
    const capability = KNOWN_CAPABILITIES[Math.floor(random.nextOpen() * KNOWN_CAPABILITIES.length)];
    const kept = random.nextOpen();
    const gone = SIGNALS.filter(() => random.nextOpen() > kept).map((signal) => [signal, undefined]);
    const launch = launchOf(Object.fromEntries(gone) as SignalValues, capability);
    const { limiter, undecided } = diagnose(launch);
    const collected = [...launch.metrics.keys()];
    if (limiter === 'none') {
      open += 1;
      expect(undecided?.metrics.length).toBeGreaterThan(0);
      expect(undecided?.metrics.filter((name) => launch.metrics.has(name))).toEqual([]);
    } else {
      named += 1;
      expect(collected.some((name) => MEMORY.test(name))).toBe(true);
      expect(collected.some((name) => SM.test(name))).toBe(true);
    }
  }
  expect(Math.min(named, open)).toBeGreaterThan(200);
});
