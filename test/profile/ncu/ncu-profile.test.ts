import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { PawlError } from '../../../src/model/pawl-error.ts';
import type { LaunchProfile } from '../../../src/model/profile/profile.ts';
import { parseNcuProfile } from '../../../src/profile/ncu/ncu-profile.ts';

const MADE = join(import.meta.dirname, '../../fixtures/ncu/made');
const made = (name: string): string => readFileSync(join(MADE, name), 'utf8');

const SM = 'sm__throughput.avg.pct_of_peak_sustained_elapsed';
const MEMORY = 'gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed';
const DURATION = 'gpu__time_duration.sum';

/** A table of single metrics, as `ncu --csv --metrics …` prints it. */
function table(
  ...rows: readonly (readonly [id: number, kernel: string, metric: string, unit: string, value: string])[]
): string {
  const lines = rows.map(
    (row) => `${row.map((field) => `"${String(field).replaceAll('"', '""')}"`).join(',')}\n`,
  );
  return `"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n${lines.join('')}`;
}

function only(text: string): LaunchProfile {
  const { launches } = parseNcuProfile(text);
  expect(launches).toHaveLength(1);
  return launches[0]!;
}

function valueOf(launch: LaunchProfile | undefined, metric: string): number | undefined {
  return launch?.metrics.get(metric)?.value;
}

function failure(text: string): PawlError {
  try {
    parseNcuProfile(text, 'x.csv');
  } catch (error) {
    return error as PawlError;
  }
  throw new Error('it was read');
}

describe('layouts', () => {
  it('of 2021 have a kernel time and no sizes, and units in long words', () => {
    const { source, launches, problems } = parseNcuProfile(made('2021-raw.csv'));
    expect(problems).toEqual([]);
    expect(source).toBe('raw');
    expect(launches.map(({ id }) => id)).toEqual(['0', '1']);
    expect(launches[0]).toMatchObject({
      name: 'scale(float*, int)',
      grid: undefined,
      block: [256, 1, 1],
      computeCapability: '7.5',
      device: 'Tesla T4',
    });
    expect(launches[0]?.metrics.get(DURATION)).toEqual({ value: 12510, unit: 'ns' });
    expect(launches[1]?.metrics.get('dram__bytes_read.sum')).toEqual({ value: 8_390_000, unit: 'byte' });
    expect(launches[0]?.metrics.get('gpc__cycles_elapsed.avg.per_second')).toEqual({
      value: 1.41e9,
      unit: 'hz',
    });
    expect(valueOf(launches[0], 'launch__grid_size')).toBe(4096);
  });

  it('of 2021 have other display names for the same metrics, and rules without estimates', () => {
    const launch = only(made('2021-details.csv'));
    expect(valueOf(launch, SM)).toBe(41.2);
    expect(valueOf(launch, MEMORY)).toBe(88.01);
    expect(valueOf(launch, DURATION)).toBe(12510);
    expect(valueOf(launch, 'launch__registers_per_thread')).toBe(32);
    expect(launch.ncuRules).toEqual([
      {
        section: 'SpeedOfLight',
        rule: 'SOLBottleneck',
        type: 'Warning',
        description: 'Memory is more heavily utilized than Compute: see "Memory Workload Analysis".',
        speedupPct: undefined,
      },
    ]);
  });

  it('of summaries hold averages, which is said', () => {
    const { launches, problems } = parseNcuProfile(made('summary.csv'));
    expect(
      launches.map((launch) => valueOf(launch, 'sm__warps_active.avg.pct_of_peak_sustained_active')),
    ).toEqual([74.92, 34.92]);
    expect(launches[0]?.texts.get('Invocations')).toBe('14');
    expect(problems.join()).toMatch(/averages over launches/);
  });

  it('of spreadsheets have semicolons, no quotes, and decimal commas', () => {
    const { launches, problems } = parseNcuProfile(made('spreadsheet-raw.csv'));
    expect(problems).toEqual([]);
    expect(launches.map((launch) => valueOf(launch, DURATION))).toEqual([81_250, 4500]);
    expect(launches[0]).toMatchObject({
      name: 'void gemm<128, 64>(half *)',
      device: 'NVIDIA A100-SXM4-40GB',
    });
  });

  it('with both pages of a capture are one launch with its rules', () => {
    const folder = join(MADE, '..');
    const [raw, details] = ['raw', 'details'].map((page) =>
      readFileSync(join(folder, `copy_ok.${page}.csv`), 'utf8'),
    );
    const launch = only(`${raw}${details}`);
    expect(launch.metrics.size).toBeGreaterThan(2000);
    expect(launch.ncuRules.map(({ rule }) => rule)).toContain('CPIStall');
  });

  it('are told by their columns, wherever these stand', () => {
    const text = '"Metric Value","Metric Unit","Kernel Name","Metric Name"\n"5.25","%","k","' + SM + '"\n';
    expect(valueOf(only(text), SM)).toBe(5.25);
  });

  it('without launch numbers begin a launch where a metric comes again', () => {
    const row = (value: string) => `"k","${SM}","%","${value}"\n`;
    const { launches } = parseNcuProfile(
      `"Kernel Name","Metric Name","Metric Unit","Metric Value"\n${row('1.5')}${row('2.5')}`,
    );
    expect(launches.map((launch) => valueOf(launch, SM))).toEqual([1.5, 2.5]);
  });
});

describe('what else is in a file', () => {
  it('is passed over: messages of ncu, and what the program prints', () => {
    const { launches, problems } = parseNcuProfile(made('metrics-with-output.csv'));
    expect(launches.map((launch) => valueOf(launch, DURATION))).toEqual([211_940, 1_205_000]);
    expect(launches[0]?.metrics.has('dram__throughput.avg.pct_of_peak_sustained_elapsed')).toBe(false);
    expect(problems).toEqual(['line 11: a row has a misplaced quote: left out']);
  });

  it.each([
    ['a byte-order mark', (text: string) => `\uFEFF${text}`],
    ['Windows line breaks', (text: string) => text.replaceAll('\n', '\r\n')],
    ['no last line break', (text: string) => text.trimEnd()],
    ['words before the header on its line', (text: string) => `ready. ${text}`],
  ])('does not matter: %s', (_, change) => {
    const text = table([0, 'f<1, 2>("x")', DURATION, 'ns', '4,512'], [0, 'f<1, 2>("x")', SM, '%', '12.5']);
    const launch = only(change(text));
    expect(launch.name).toBe('f<1, 2>("x")');
    expect(Object.fromEntries(launch.metrics)).toEqual({
      [DURATION]: { value: 4512, unit: 'ns' },
      [SM]: { value: 12.5, unit: '%' },
    });
  });
});

describe('numbers', () => {
  it('of another locale are read by it', () => {
    const launch = only(made('german-details.csv'));
    expect(Object.fromEntries([...launch.metrics].map(([name, { value }]) => [name, value]))).toEqual({
      'gpc__cycles_elapsed.max': 243_858,
      [MEMORY]: 65.77,
      [DURATION]: 1_234_500,
      'dram__bytes.sum.per_second': 431_125_000_000,
      launch__thread_count: 1_048_576,
    });
    expect(launch.ncuRules[0]?.speedupPct).toBe(14.48);
  });

  it('that can be read in two ways are left out where nothing decides, and that is said', () => {
    const { launches, problems } = parseNcuProfile(
      table([0, 'k', SM, '%', '1,234'], [0, 'k', 'launch__registers_per_thread', 'register/thread', '32']),
    );
    expect([...launches[0]!.metrics.keys()]).toEqual(['launch__registers_per_thread']);
    expect(problems.join()).toMatch(/"1,234" may have a thousands separator/);
  });

  it('of whole things decide for the others', () => {
    const launch = only(
      table([0, 'k', 'smsp__inst_executed.sum', 'inst', '9,216'], [0, 'k', 'x__y.ratio', '', '1,234']),
    );
    expect(valueOf(launch, 'x__y.ratio')).toBe(1234);
  });

  it('written in both ways decide nothing for those between', () => {
    const { launches } = parseNcuProfile(
      table(
        [0, 'k', 'a__b.avg', '%', '65.77'],
        [0, 'k', 'c__d.avg', '%', '12,5'],
        [0, 'k', 'e__f.avg', 'cycle', '1,234'],
      ),
    );
    expect([...launches[0]!.metrics].map(([name, { value }]) => [name, value])).toEqual([
      ['a__b.avg', 65.77],
      ['c__d.avg', 12.5],
    ]);
  });

  it('are not made of lists', () => {
    const launch = only(table([0, 'k', 'launch__tpc_enabled', '', '0,1'], [0, 'k', SM, '%', '12.50']));
    expect(launch.metrics.has('launch__tpc_enabled')).toBe(false);
  });

  it('in a unit that is not understood, or not the metric’s, are left out, and that is said', () => {
    const { launches, problems } = parseNcuProfile(
      table(
        [0, 'k', 'a__b.avg', 'Kfurlong', '1.5'],
        [0, 'k', DURATION, '%', '1.5'],
        [0, 'k', SM, '%', '9.5'],
      ),
    );
    expect([...launches[0]!.metrics.keys()]).toEqual([SM]);
    expect(problems).toEqual([
      'line 2: a__b.avg left out: unknown unit "Kfurlong"',
      'line 3: gpu__time_duration.sum left out: it is not measured in "%"',
    ]);
  });

  it('of a raw page without its units row are read where they are percentages', () => {
    const [header, , row] = made('2021-raw.csv').split('\n').slice(2);
    const { launches, problems } = parseNcuProfile(`${header}\n${row}\n`);
    expect([...launches[0]!.metrics.keys()]).toEqual([SM]);
    expect(problems.join()).toMatch(/gpu__time_duration.sum left out: it has no unit/);
  });

  it('of joined exports are in the units of the export they come from', () => {
    const header = `"ID","Kernel Name","${DURATION}"\n`;
    const rows = ['"","","ns"', '"0","k","4512.5"', '"","","us"', '"0","k","4.5"'].map((row) => `${row}\n`);
    const durations = (text: string) =>
      parseNcuProfile(text).launches.map((launch) => valueOf(launch, DURATION));
    expect(durations(header + rows.join(''))).toEqual([4512.5, 4500]);
    expect(durations(header + rows.join('').replace('"us"', '"us'))).toEqual([4512.5]);
  });

  it('under a broken header are left out: they may be of another table', () => {
    const joined = `${made('2021-details.csv')}${made('german-details.csv').replace('"Kernel Name"', '"Kernel Name')}`;
    const { launches, problems } = parseNcuProfile(joined);
    expect(launches.map(({ name }) => name)).toEqual(['scale(float*, int)']);
    expect(problems).toEqual(['line 8: a header is broken: the rows after it are left out']);
  });

  it.each([
    ['its start', (header: string) => header.slice(header.indexOf('"Device"'))],
    ['its end', (header: string) => header.slice(0, header.indexOf('"Grid Size"'))],
    ['its words', (header: string) => header.slice(header.indexOf('"a__b.avg"'))],
  ])('under a header that lost %s are left out', (_, lose) => {
    const metrics = '"a__b.avg","c__d.avg","e__f.avg"';
    const header = `"ID","Kernel Name","Block Size","Grid Size","Device","CC",${metrics}`;
    const rows = (name: string) =>
      `"","","","","","","%","%","%"\n"0","${name}","","","0","9.0","1.5","2.5","3.5"\n`;
    const { launches, problems } = parseNcuProfile(
      `${header}\n${rows('k')}${lose(header)}\n${rows('other')}`,
    );
    expect(launches.map(({ name }) => name)).toEqual(['k']);
    expect(problems.join()).toMatch(/line 4: a header is broken/);
  });

  it('after units of other columns are left out, as their header is lost', () => {
    const rows = '"","","ns","%"\n"0","k","4512.5","1.5"\n"","","%","ns"\n"1","other","1.5","4512.5"\n';
    const { launches, problems } = parseNcuProfile(`"ID","Kernel Name","${DURATION}","${SM}"\n${rows}`);
    expect(launches.map(({ name }) => name)).toEqual(['k']);
    expect(problems.join()).toMatch(/line 4: units without their header/);
  });

  it('stay where a program prints words that are also columns', () => {
    const { launches } = parseNcuProfile(
      `${table([0, 'k', SM, '%', '9.5'])}{"Device": 0, "Stream": 7}\nDevice: 0, Stream: 7\n${table([1, 'k', SM, '%', '8.5']).split('\n')[1]}\n`,
    );
    expect(launches.map((launch) => valueOf(launch, SM))).toEqual([9.5, 8.5]);
  });

  it('under two headers on one line are left out', () => {
    const glued = `ID,Process ID,Kernel Name,Block Size${made('spreadsheet-raw.csv')}`;
    expect(failure(glued).message).toMatch(/line 1: a header is broken/);
  });

  it('given twice and differently for one metric are left out', () => {
    const { launches, problems } = parseNcuProfile(
      table(
        [0, 'k', SM, '%', '9.5'],
        [0, 'k', SM, '%', '10.5'],
        [0, 'k', MEMORY, '%', '1.5'],
        [0, 'k', MEMORY, '%', '1.5'],
      ),
    );
    expect([...launches[0]!.metrics.keys()]).toEqual([MEMORY]);
    expect(problems.join()).toMatch(/it occurs twice/);
  });
});

describe('names', () => {
  it('keep two metrics of one display name apart by their unit', () => {
    const launch = only(made('german-details.csv'));
    expect(launch.metrics.has(MEMORY)).toBe(true);
    expect(launch.metrics.has('dram__bytes.sum.per_second')).toBe(true);
  });

  it('that are not certain stay under section and name', () => {
    const header = '"ID","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value"';
    const launch = only(`${header}\n"0","k","Compute Workload Analysis","SM Busy","%","71.5"\n`);
    expect(launch.metrics.get('Compute Workload Analysis / SM Busy')).toEqual({ value: 71.5, unit: '%' });
  });

  it('of a kernel damaged in a row do not make a launch', () => {
    const rows = [SM, MEMORY, 'a__b.avg', 'c__d.avg'].map(
      (metric) => [0, 'kernel', metric, '%', '1.5'] as const,
    );
    const { launches, problems } = parseNcuProfile(table(...rows, [0, 'kermel', 'e__f.avg', '%', '1.5']));
    expect(launches.map(({ name }) => name)).toEqual(['kernel']);
    expect(problems.join()).toMatch(/1 rows left out: launch 0 is elsewhere not "kermel"/);
  });
});

describe('a broken file', () => {
  const whole = table([0, 'k', SM, '%', '9.5'], [0, 'k', MEMORY, '%', '88.25']);

  it('gives what is whole and says what is not', () => {
    const { launches, problems } = parseNcuProfile(whole.slice(0, -4));
    expect([...launches[0]!.metrics.keys()]).toEqual([SM]);
    expect(problems).toEqual(['line 3: a row is cut off: left out']);
  });

  it('never gives half a number where there are no quotes', () => {
    const plain = whole.replaceAll('"', '').slice(0, -3);
    expect(plain).toMatch(/,88\.$/);
    const { launches, problems } = parseNcuProfile(plain);
    expect([...launches[0]!.metrics.keys()]).toEqual([SM]);
    expect(problems.join()).toMatch(/may be cut off/);
  });

  it('says the same thing about a thousand rows once', () => {
    const { problems } = parseNcuProfile(`${whole}${'"0","k","x"\n'.repeat(1000)}`);
    expect(problems).toHaveLength(4);
    expect(problems.at(-1)).toBe('and 997 more rows left out, the last in line 1003');
  });

  it('takes a rule’s text that breaks over lines, and no other field that does', () => {
    const text = made('german-details.csv').replace('Warten auf', 'Warten\nauf');
    expect(only(text).ncuRules[0]).toMatchObject({
      description: 'Warten\nauf L1TEX.',
      speedupPct: undefined,
    });
    const { problems } = parseNcuProfile(
      made('german-details.csv').replace('"Elapsed Cycles"', '"Elapsed\nCycles"'),
    );
    expect(problems[0]).toBe('line 2: a row is cut off: left out');
  });

  it.each([
    ['', /x\.csv is empty/],
    ['\n \n', /is empty/],
    ['hello\n', /neither the raw page nor the details page/],
    [
      '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n',
      /neither the raw page|readable launch/,
    ],
    [
      '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n"0","k"\n',
      /not contain a readable launch: line 2/,
    ],
    ['==ERROR== Failed to find kernel\n', /ncu failed with "Failed to find kernel"/],
    [made('no-kernels.csv'), /found no kernel/],
  ])('that holds nothing is refused with the reason: %j', (text, words) => {
    const error = failure(text);
    expect(error.kind).toBe('bad-data');
    expect(error.message).toMatch(words);
  });

  it('without permission for the counters has remedies of its own', () => {
    const error = failure(made('no-permission.csv'));
    expect(error.kind).toBe('permission');
    expect(error.hint).toMatch(/CAP_SYS_ADMIN[\s\S]*CAP_PERFMON[\s\S]*NVreg_RestrictProfilingToAdminUsers=0/);
  });

  it('printed for people is told from a CSV', () => {
    const error = failure(readFileSync(join(MADE, '../sdpa_flash.details.txt'), 'utf8'));
    expect(error.message).toMatch(/ncu's text output/);
  });
});
