import { describe, expect, it } from 'vitest';

import { fixture, named, readFixture, readText } from './fixture.ts';
import { readFuzzFile } from '../../bench/adapter-fuzz/corpus.ts';
import { sidecarPath } from '../../src/adapters/readers/nvbench-sidecar.ts';
import { faultOf } from '../../src/model/measure/fault.ts';

const jsonOf = (name: string): never => JSON.parse(fixture(name).bytes.toString('utf8')) as never;

describe('nvbench', () => {
  it('reads the float32 samples and clocks beside the JSON file, in ms and MHz', () => {
    const one = named(readFixture('nvbench/result.json'), 'copy', 'Elements=2^20 T=F32');
    const floats = fixture('nvbench/result.json').beside.get('result.json-bin/0.bin')!;
    expect(one.series).toHaveLength(1);
    expect(one.series[0]!.samples_ms).toHaveLength(60);
    expect(one.series[0]!.samples_ms[7]).toBeCloseTo(floats.readFloatLE(28) * 1e3, 12);
    expect(one.series[0]!.clock_mhz?.[0]).toBeGreaterThan(1900);
    expect(one).toMatchObject({
      mode: 'cold',
      dims: { Elements: 2 ** 20 },
      device: { name: 'NVIDIA H200', compute_capability: '9.0' },
    });
  });

  it('has a summary and no samples where nvbench wrote none', () => {
    const one = named(readFixture('nvbench/summaries-only.json'), 'copy', 'Elements=2^24 T=F32');
    expect(one.series).toEqual([]);
    expect(one.summaries?.[0]).toMatchObject({ samples: 60 });
  });

  it('keeps a skipped state as a loss with its reason', () => {
    const one = named(readFixture('nvbench/result.json'), 'copy', 'Elements=2^36 T=F32');
    expect(one.lost?.[0]).toMatchObject({ reason: 'skipped', message: 'Not enough memory.' });
  });

  it.each([
    ['result.json-bin/0.bin', 'result.json-bin/0.bin'],
    ['/home/me/out/result.json-bin/12.bin', 'result.json-bin/12.bin'],
    ['C:\\out\\result.json-bin\\3.bin', 'result.json-bin/3.bin'],
    ['../result.json-bin/0.bin', undefined],
    ['a-bin/../../etc/0.bin', undefined],
    ['/etc/passwd', undefined],
    ['0.bin', undefined],
    ['x-bin/0.bin\0.txt', undefined],
  ])('takes of the sample file %j only %j', (filename, path) => {
    expect(sidecarPath(filename)).toBe(path);
  });

  it('falls back to the summary, and says so, where a sample file is shorter than stated', () => {
    const file = fixture('nvbench/result.json');
    const beside = new Map(file.beside).set('result.json-bin/0.bin', Buffer.alloc(16));
    const reading = readFuzzFile({ ...file, beside });
    expect(named(reading, 'copy', 'Elements=2^20 T=F32')).toMatchObject({
      series: [],
      summaries: [{ samples: 60 }],
    });
    expect(reading.notes.some(({ text }) => text.startsWith('sample files whose length differs'))).toBe(true);
  });
});

describe('Google Benchmark', () => {
  it('takes repetitions as the samples of one process, whatever the unit', () => {
    const reading = readFixture('google-benchmark/repetitions.json');
    const rows: { run_name: string; run_type: string; real_time: number }[] = (
      jsonOf('google-benchmark/repetitions.json') as { benchmarks: never[] }
    ).benchmarks;
    const timesOf = (name: string) =>
      rows.filter((row) => row.run_name === name && row.run_type === 'iteration').map((row) => row.real_time);
    const [ns, us] = [named(reading, 'BM_Sum', '1000/real_time'), named(reading, 'BM_Sum', 'us/4096')];
    expect(ns.series).toHaveLength(1);
    expect(ns.series[0]!.samples_ms).toEqual(timesOf('BM_Sum/1000/real_time').map((time) => time / 1e6));
    expect(us.series[0]!.samples_ms).toEqual(timesOf('BM_Sum/us/4096').map((time) => time / 1e3));
  });

  it('keeps a benchmark that failed as a loss with its message', () => {
    const one = named(readFixture('google-benchmark/repetitions.json'), 'BM_Fails', 'default');
    expect(one.series).toEqual([]);
    expect(one.lost?.[0]!.message).toBe('the device is not there');
  });

  it('has summaries where only aggregates were reported', () => {
    const one = named(readFixture('google-benchmark/aggregates-only.json'), 'BM_Sum', '1000/real_time');
    expect(one.series).toEqual([]);
    expect(one.summaries?.[0]).toMatchObject({ process: 1, samples: 3 });
    expect(one.summaries?.[0]!.mean_ms).toBeGreaterThan(0);
  });

  it('says so where a time has no unit, and does not guess one', () => {
    const text = JSON.stringify({
      context: {},
      benchmarks: [
        { name: 'a', real_time: 1 },
        { name: 'b', real_time: 1, time_unit: 'ms' },
      ],
    });
    const reading = readText(text);
    expect(reading.measurements.map((one) => one.kernel)).toEqual(['b']);
    expect(reading.notes.some(({ text: note }) => note.startsWith('times without a unit'))).toBe(true);
  });
});

describe('pytest-benchmark', () => {
  it('takes rounds as samples, and parameters as dimensions', () => {
    const one = named(readFixture('pytest-benchmark/raw.json'), 'test_sort.py::test_sort', '100');
    const { benchmarks } = jsonOf('pytest-benchmark/raw.json') as {
      benchmarks: { stats: { data: number[] } }[];
    };
    expect(one.series[0]!.samples_ms).toEqual(benchmarks[0]!.stats.data.map((time) => time * 1e3));
    expect(one).toMatchObject({ dims: { n: 100 }, series: [{ batch: 10 }] });
  });

  it('has a summary where the data was not saved', () => {
    const one = named(readFixture('pytest-benchmark/stats-only.json'), 'test_sort.py::test_join', 'default');
    expect(one.series).toEqual([]);
    expect(one.summaries?.[0]).toMatchObject({ samples: 12 });
  });
});

describe('hyperfine', () => {
  it('takes every run for a process of its own, for that is what it is', () => {
    const [one] = readFixture('hyperfine/two-commands.json').measurements;
    const { results } = jsonOf('hyperfine/two-commands.json') as { results: { times: number[] }[] };
    expect(one!.series.map(({ samples_ms }) => samples_ms)).toEqual(
      results[0]!.times.map((time) => [time * 1e3]),
    );
    expect(one!.series.map(({ process }) => process)).toEqual(results[0]!.times.map((_, at) => at + 1));
  });

  it('tells commands apart that only parameters tell apart, and doubts runs that failed', () => {
    const reading = readFixture('hyperfine/parameters.json');
    expect(reading.measurements.map((one) => one.case)).toEqual([
      'sleep 0.001',
      'false (n=0.001)',
      'sleep 0.002',
      'false (n=0.002)',
    ]);
    expect(named(reading, undefined, 'false (n=0.001)').warnings).toEqual([
      '5 of 5 runs ended with an error',
    ]);
  });

  it('doubts times that do not give the mean beside them', () => {
    const root = jsonOf('hyperfine/two-commands.json') as { results: { times: number[] }[] };
    root.results[0]!.times[0]! *= 3;
    const reading = readText(JSON.stringify(root));
    expect(reading.measurements[0]!.warnings?.[0]).toContain('mean');
    expect(reading.notes.some(({ kind }) => kind === 'doubt')).toBe(true);
  });
});

describe('Criterion', () => {
  it('divides each batch by its calls', () => {
    const one = readFixture('criterion/folder/prefix/scan/256/new/sample.json').measurements[0]!;
    const { iters, times } = jsonOf('criterion/folder/prefix/scan/256/new/sample.json') as {
      iters: number[];
      times: number[];
    };
    expect(one).toMatchObject({ kernel: 'prefix/scan', case: '256' });
    expect(one.series[0]!.samples_ms).toEqual(times.map((time, at) => time / iters[at]! / 1e6));
    expect(one.warnings).toBeUndefined();
  });

  it('refuses samples whose lists differ in length', () => {
    expect(() => readText('{"iters":[1,2],"times":[3]}')).toThrow(/differ in length/u);
  });
});

describe('Triton', () => {
  it('reads columns that are times and leaves out those that are not', () => {
    const reading = readFixture('triton/units-in-header.csv');
    expect(named(reading, 'Torch', 'N=8192').summaries).toEqual([{ process: 1, unstated_ms: 0.009216 }]);
    expect(reading.measurements).toHaveLength(6);
    expect(reading.notes.some(({ text }) => text.includes('Triton (GB/s)'))).toBe(true);
  });

  it('makes a case of all x axes, and ms of µs', () => {
    const one = named(readFixture('triton/two-axes.csv'), 'Fused', 'M=256,N=1024');
    expect(one).toMatchObject({ dims: { M: 256, N: 1024 }, summaries: [{ unstated_ms: 0.007168 }] });
  });

  it('does not take numbers for times when the file does not say that they are', () => {
    expect(() => readText(fixture('triton/no-units.csv').bytes)).toThrow(
      /does not give the unit of its numbers/u,
    );
  });

  it('reads decimal commas where semicolons separate', () => {
    const reading = readText('N;Triton (ms)\n4096;0,006144\n');
    expect(reading.measurements[0]!.summaries).toEqual([{ process: 1, unstated_ms: 0.006144 }]);
  });
});

describe('Triton throughput', () => {
  it('is the time that one unit of the work takes, under a name that says so', () => {
    const one = named(readFixture('triton/throughput.csv'), 'Fused', 'N=1024 per GB');
    expect(one.summaries![0]!.unstated_ms).toBeCloseTo(1000 / 1105.75, 12);
  });
});

describe('tritonbench', () => {
  it('reads the latencies of its table, whose cells may state a spread', () => {
    const reading = readFixture('tritonbench/latency.csv');
    expect(named(reading, 'fused_softmax', 'x=512').summaries).toEqual([{ process: 1, unstated_ms: 0.0058 }]);
    expect(reading.measurements).toHaveLength(4);
  });

  it('reads its nightly metrics, and rates where there is no latency', () => {
    const reading = readFixture('tritonbench/nightly.json');
    expect(reading.device).toMatchObject({ name: 'NVIDIA H200' });
    expect(named(reading, 'rms_norm_fwd/fused', 'x=(256, 1024)').summaries![0]!.unstated_ms).toBe(0.0072);
    expect(named(reading, 'gemm_fwd/tiled', 'x=(512, 512, 512) per TFLOP')).toBeDefined();
    expect(reading.measurements).toHaveLength(3);
  });
});

describe('torch.profiler', () => {
  it('takes the launches of a kernel for samples, apart by their grids', () => {
    const reading = readFixture('torch-profiler/trace.json');
    expect(named(reading, 'add_kernel', 'grid 128x1x1 block 256x1x1')).toMatchObject({
      device: { name: 'NVIDIA H200', sm_count: 132 },
      series: [{ process: 1, samples_ms: [0.003125, 0.003375] }],
    });
    expect(reading.measurements).toHaveLength(2);
  });

  it('takes operators where there are no kernels, and doubts them', () => {
    const reading = readText(
      '{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "dur": 7.5, "ts": 1}]}',
    );
    expect(reading.measurements[0]!.series[0]!.samples_ms).toEqual([0.0075]);
    expect(reading.notes.some(({ kind }) => kind === 'doubt')).toBe(true);
  });
});

describe('Nsight Systems', () => {
  it('reads every launch of a trace, and no copies', () => {
    const reading = readFixture('nsys/trace.csv');
    expect(reading.measurements).toMatchObject([
      {
        kernel: 'scale(float *, const float *, int)',
        case: 'grid 64x1x1 block 128x1x1',
        series: [{ samples_ms: [0.012096, 0.01216] }],
      },
    ]);
  });

  it('reads a summary with its deviation and count', () => {
    expect(named(readFixture('nsys/kern-sum.csv'), 'fill_kernel', 'default').summaries).toMatchObject([
      { mean_ms: 0.004845, median_ms: 0.004832, samples: 100 },
    ]);
  });

  it('finds the table below the lines that nsys prints before it', () => {
    const { bytes } = fixture('nsys/kern-sum.csv');
    expect(
      readText(`Processing [x.sqlite] with [cuda_gpu_kern_sum.py]... \n\n${bytes.toString()}`).format,
    ).toBe('nsys');
  });
});

describe('Bencher', () => {
  it('reads latencies in ns and throughputs as the time of an operation', () => {
    const reading = readFixture('bencher/metrics.json');
    expect(named(reading, undefined, 'softmax/512').summaries![0]!.unstated_ms).toBeCloseTo(0.0091205, 12);
    expect(named(reading, undefined, 'lookups').summaries![0]!.unstated_ms).toBeCloseTo(0.0008, 12);
  });
});

describe('KernelBench', () => {
  const reading = readFixture('kernelbench/eval_results.json');

  it('has the statistics of a kernel that is right, as a summary', () => {
    expect(named(reading, 'problem-1', 'sample-0')).toMatchObject({
      check: { passed: true },
      device: { name: 'NVIDIA L40S' },
      summaries: [{ mean_ms: 2.31, min_ms: 2.29, max_ms: 2.39, stddev_ms: 0.0142, samples: 100 }],
    });
  });

  it('makes kernels that are wrong or do not compile incorrect, not fast', () => {
    for (const [problem, sample] of [
      ['problem-1', 'sample-1'],
      ['problem-19', 'sample-0'],
    ] as const) {
      const one = named(reading, problem, sample);
      expect(faultOf(one)).toBeDefined();
      expect(one.summaries).toBeUndefined();
    }
  });
});

describe('the seeds’ files', () => {
  it('name one case alike, whichever script wrote it', () => {
    const current = readFixture('seed/current.json').measurements[0]!;
    const comprehensive = readFixture('seed/baseline-comprehensive.json').measurements[0]!;
    expect(current).toMatchObject({
      kernel: 'pytorch_sdpa',
      check: { passed: true },
      summaries: [{ mean_ms: 0.0522, stddev_ms: 0.0067 }],
    });
    expect(current.case).toBe('B=32,H=8,S=128,D=64 float16');
    expect(comprehensive.case).toBe(current.case);
  });

  it('keep raw latencies as samples, and have a summary where there are none', () => {
    expect(
      readFixture('seed/baseline-comprehensive.json').measurements[0]!.series[0]!.samples_ms,
    ).toHaveLength(40);
    expect(readFixture('seed/baseline-summary.json')).toMatchObject({
      device: { name: 'NVIDIA L4', driver: '550.54.15' },
      measurements: [{ series: [], commit: '1d2c3b4', summaries: [{ median_ms: 0.321, samples: 100 }] }],
    });
  });
});

describe('numbers that are none', () => {
  it('are left out and said: NaN, Infinity, zero, negative, text and null', () => {
    const reading = readText(
      '{"results":[{"command":"x","times":[0.5,NaN,-0.25,0,Infinity,-Infinity,null,"0.5",1e999,0.75]}]}',
    );
    expect(reading.measurements[0]!.series.map(({ samples_ms }) => samples_ms)).toEqual([[500], [750]]);
    const text = reading.notes.map((note) => note.text).join('\n');
    expect(text).toContain('3 NaN or Infinity');
    expect(text).toContain('8 of x');
  });

  it('are not looked for inside of strings', () => {
    const reading = readText('{"results":[{"command":"NaN \\" Infinity","times":[0.5],"mean":NaN}]}');
    expect(reading.measurements[0]!.case).toBe('NaN " Infinity');
  });
});
