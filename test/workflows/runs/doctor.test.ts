import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { beforeAll, beforeEach, expect, test } from 'vitest';

import { configSchema } from '../../../src/config/schema.ts';
import type { LoadedConfig } from '../../../src/config/load-config.ts';
import { thisProcess } from '../../../src/os/process-identity.ts';
import { doctorReportSchema } from '../../../src/model/reports/doctor-report.ts';
import type { DoctorProbe, DoctorReport } from '../../../src/model/reports/doctor-report.ts';
import { PawlError } from '../../../src/model/pawl-error.ts';
import { applyFixes, runDoctor } from '../../../src/workflows/runs/doctor.ts';
import type { DoctorOptions } from '../../../src/workflows/runs/doctor.ts';
import { nvccFinding } from '../../../src/device/doctor/compiler-probes.ts';
import { loadFinding, nodeFinding } from '../../../src/device/doctor/host-probes.ts';
import { counterFinding, perfFinding } from '../../../src/device/doctor/profiler-probes.ts';
import { FakeNvidiaSmi } from '../../device/fake-nvidia-smi.ts';
import { temporaryFolder } from '../../device/temporary-folder.ts';
import { privateCache } from '../../services/private-cache.ts';

let folder = '';
let stateDir = '';
let cache = '';
beforeAll(async () => {
  cache = await privateCache();
});
beforeEach(async () => {
  folder = await temporaryFolder();
  stateDir = await temporaryFolder();
});

/** A machine without nvidia-smi is not a given, so the search path is this machine's real tools by name. */
async function doctor(options: DoctorOptions = {}): Promise<DoctorReport> {
  const env = { ...process.env, PAWL_CACHE_DIR: cache, ...options.env };
  const report = await runDoctor({ cwd: folder, stateDir, ...options, env });
  expect(doctorReportSchema.parse(report)).toEqual(report);
  return report;
}

function check(report: DoctorReport, id: string): DoctorProbe {
  const found = report.checks.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no check ${id}`);
  return found;
}

async function program(name: string, shell: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\n${shell}\n`);
  await chmod(join(folder, name), 0o755);
}

/** Nothing but the programs that the test itself puts into its folder. */
const bare = () => ({ PATH: folder, CXX: '', NVCC: '/nonexistent/nvcc', PAWL_PYTHON: '' });

type Languages = Record<string, readonly ['cpu' | 'cuda', 'c++' | 'cuda' | 'python']>;
function project(kernels: Languages): LoadedConfig {
  const config = configSchema.parse({
    version: 1,
    problems: {
      copy: {
        dims: ['N'],
        tensors: { y: { role: 'output', dtype: 'f32', shape: ['N'] } },
        cases: { one: { N: 1 } },
      },
    },
    kernels: Object.fromEntries(
      Object.entries(kernels).map(([name, [device, language]]) => {
        const code = language === 'python' ? { module: 'k.py', function: 'f' } : { sources: ['k.cpp'] };
        return [name, { problem: 'copy', device, language, ...code }];
      }),
    ),
  });
  return { config, path: join(folder, 'pawl.yaml'), root: folder };
}

const UUID = 'GPU-11111111-2222-3333-4444-555555555555';
const H200 = `0, NVIDIA H200, ${UUID}, 00000000:03:00.0, 580.159.04, 9.0, 143771, 1, 31, 345, 3201, 1980, 3201, 76.5, 700.00, 0, Enabled, Enabled, 0x0000000000000001\n`;
const HEADER = '| NVIDIA-SMI 580.159.04   Driver Version: 580.159.04   CUDA Version: 13.0  |\n';

/** Where the GPU itself is asked about: PyTorch, if this machine has it, takes seconds to say that it sees none. */
const NO_PYTHON = { PAWL_PYTHON: '/nonexistent/python' };

async function fakeGpu(row = H200): Promise<FakeNvidiaSmi> {
  const smi = await FakeNvidiaSmi.make();
  await smi.answer('query-gpu', row);
  await smi.answer('header', HEADER);
  return smi;
}

test('on this machine every check has an answer, and a machine with a C++ compiler is ready', async () => {
  const report = await doctor();
  expect(check(report, 'node').state).toBe('ok');
  expect(check(report, 'cxx')).toMatchObject({ state: 'ok', required: true });
  expect(check(report, 'config')).toMatchObject({
    state: 'warning',
    remedy: expect.stringContaining('pawl init') as string,
  });
  expect(report.ready).toBe(true);
  expect(report.ready).toBe(true);
  expect(new Set(report.checks.map((one) => one.id)).size).toBe(report.checks.length);
  for (const one of report.checks) {
    expect(one.detail).not.toBe('');
    if (one.state === 'missing' || one.state === 'failed') expect(one.remedy).toBeTruthy();
  }
});

test('a machine with nothing on it is told what to install, and is not ready', async () => {
  const report = await doctor({ env: bare() });
  for (const id of ['cxx', 'nvcc', 'ccache', 'gpu', 'git', 'perf', 'python']) {
    expect(check(report, id)).toMatchObject({
      id,
      state: 'missing',
      remedy: expect.stringMatching(/\w/) as string,
    });
    expect(check(report, id).fix).toBeUndefined();
  }
  expect(report.ready).toBe(false);
  expect(report.summary).toBe('Not ready: C++ compiler.');
  expect(report.ready).toBe(false);
});

test('a compiler without its standard library is failed, not ok', async () => {
  await program(
    'g++',
    'case "$*" in *--version*) echo "g++ 99" ;; *) echo "fatal error: vector: No such file" >&2; exit 1 ;; esac',
  );
  const report = await doctor({ env: bare() });
  expect(check(report, 'cxx')).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining('vector') as string,
  });
  expect(report.ready).toBe(false);
});

test('a broken pawl.yaml is failed with its own message and hint', async () => {
  const report = await doctor({
    loaded: new PawlError('configuration', 'pawl.yaml:3:1: kernel: unknown key', 'Did you mean kernels?'),
  });
  expect(check(report, 'config')).toMatchObject({
    state: 'failed',
    required: true,
    detail: 'pawl.yaml:3:1: kernel: unknown key',
    remedy: 'Did you mean kernels?',
  });
  expect(report.ready).toBe(false);
});

test('CUDA kernels beside others do not need a GPU, and the summary says that they are left out', async () => {
  await program('g++', 'echo "g++ 99"');
  const loaded = project({ a: ['cpu', 'c++'], b: ['cuda', 'cuda'] });
  const report = await doctor({ loaded, env: bare() });
  expect(check(report, 'gpu')).toMatchObject({ state: 'missing', required: false });
  expect(check(report, 'nvcc')).toMatchObject({ state: 'missing', required: false });
  expect(report.ready).toBe(true);
  expect(report.summary).toContain('1 CUDA kernel left out: no GPU here');
});

test('a project of CUDA kernels only needs a GPU, and so does who demands one', async () => {
  await program('g++', 'echo "g++ 99"');
  const cudaOnly = await doctor({ loaded: project({ b: ['cuda', 'cuda'] }), env: bare() });
  expect(cudaOnly.ready).toBe(false);
  const loaded = project({ a: ['cpu', 'c++'] });
  expect(check(await doctor({ loaded, env: bare() }), 'gpu').state).toBe('skipped');
  const demanded = await doctor({ loaded, env: bare(), require: ['gpu'] });
  expect(check(demanded, 'gpu')).toMatchObject({ state: 'missing', required: true });
  expect(demanded.ready).toBe(false);
});

test('where there is a GPU, CUDA kernels need nvcc', async () => {
  const smi = await fakeGpu();
  await program('g++', 'echo "g++ 99"');
  const env = { ...bare(), ...NO_PYTHON, PATH: `${folder}:${smi.directory}:/usr/bin:/bin` };
  const report = await doctor({ loaded: project({ a: ['cpu', 'c++'], b: ['cuda', 'cuda'] }), env });
  expect(check(report, 'gpu')).toMatchObject({
    state: 'ok',
    detail: expect.stringContaining('NVIDIA H200') as string,
  });
  expect(check(report, 'gpu-idle').state).toBe('ok');
  expect(check(report, 'gpu-temperature').state).toBe('ok');
  expect(check(report, 'gpu-persistence').state).toBe('ok');
  expect(check(report, 'nvcc')).toMatchObject({ state: 'missing', required: true });
  expect(report.ready).toBe(false);
});

test('a Python kernel on the CPU needs Python with NumPy', async () => {
  await program(
    'python3',
    'case "$*" in *sys.executable*) echo "$0"; echo 3.12.1 ;; *) echo \'{"modules": {}, "pip": true, "externally_managed": false}\' ;; esac',
  );
  const report = await doctor({ loaded: project({ n: ['cpu', 'python'] }), env: bare() });
  expect(check(report, 'python')).toMatchObject({ state: 'ok', required: true });
  expect(check(report, 'numpy')).toMatchObject({
    state: 'missing',
    required: true,
    fix: { command: [join(folder, 'python3'), '-m', 'pip', 'install', 'numpy'] },
  });
  expect(check(report, 'cxx').required).toBe(false);
  expect(report.ready).toBe(false);
});

test('a PyTorch that cannot see the GPU is failed', async () => {
  const smi = await fakeGpu();
  await program(
    'python3',
    `case "$*" in *sys.executable*) echo "$0"; echo 3.12.1 ;; *) echo 'noise'
    echo '{"modules": {"torch": "2.11.0", "numpy": "2.4.0"}, "pip": true, "externally_managed": false}'
    echo '{"cuda": false, "devices": 0, "built_for": "14.0"}' ;; esac`,
  );
  const env = { ...bare(), PATH: `${folder}:${smi.directory}:/usr/bin:/bin` };
  const report = await doctor({ loaded: project({ n: ['cuda', 'python'] }), env });
  expect(check(report, 'torch')).toMatchObject({ state: 'failed', required: true });
  expect(check(report, 'torch').detail).toContain('built for CUDA 14.0, sees no GPU');
  expect(check(report, 'numpy').detail).toBe('2.4.0');
});

test('a PyTorch that the runner refuses is failed, in the words of the runner', async () => {
  const smi = await fakeGpu();
  const site = join(folder, 'site');
  await mkdir(join(site, 'torch-1.12.1.dist-info'), { recursive: true });
  await mkdir(join(site, 'torch'));
  await writeFile(join(site, 'torch-1.12.1.dist-info', 'METADATA'), 'Name: torch\nVersion: 1.12.1\n');
  await writeFile(
    join(site, 'torch', '__init__.py'),
    '__version__ = "1.12.1"\ndef __getattr__(name): return object()\n',
  );
  const real = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {
    encoding: 'utf8',
  }).trim();
  await program(
    'python3',
    `case "$*" in *sys.executable*) echo "$0"; echo 3.12.1 ;; *) PYTHONPATH=${site} exec ${real} "$@" ;; esac`,
  );
  const env = { ...bare(), PATH: `${folder}:${smi.directory}:/usr/bin:/bin` };
  const report = await doctor({ loaded: project({ n: ['cuda', 'python'] }), env });
  const { state, detail } = check(report, 'torch');
  expect(state).toBe('failed');
  expect(report.ready).toBe(false);

  const runner = resolve(import.meta.dirname, '../../../runner/python');
  const refused = `import sys
sys.path[:0] = [${JSON.stringify(site)}, ${JSON.stringify(runner)}]
from pawl_candidate.arrays_torch import TorchArrays
try:
    TorchArrays(0)
except Exception as error:
    print(error.code, error.message)
`;
  expect(execFileSync(real, ['-c', refused], { encoding: 'utf8' })).toBe(`unsupported ${detail}\n`);
});

test('a GPU that is hot, busy, throttled and without persistence mode gets a warning for each', async () => {
  const smi = await fakeGpu(
    H200.replace(' 31,', ' 91,').replace('Enabled, Enabled', 'Disabled, Enabled').replace('0001', '0060'),
  );
  await smi.answer('query-compute-apps', `${UUID}, 4242\n`);
  const report = await doctor({ env: { ...smi.env, ...NO_PYTHON } });
  expect(check(report, 'gpu-idle')).toMatchObject({ state: 'warning', detail: 'in use by process 4242' });
  expect(check(report, 'gpu-temperature').detail).toMatch(/91 °C.*sw-thermal, hw-thermal/);
  expect(check(report, 'gpu-persistence').state).toBe('warning');
});

test('an nvidia-smi that hangs costs its own checks, not the report', async () => {
  const smi = await fakeGpu();
  await smi.before('query-gpu', 'sleep 60\n');
  const report = await doctor({ env: smi.env, timeout_ms: 1_000 });
  expect(check(report, 'gpu')).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining('did not answer') as string,
  });
  expect(check(report, 'node').state).toBe('ok');
});

async function leaveClockLock(): Promise<void> {
  const journal = { uuid: UUID, locked_mhz: 1980, since: '2026-01-02T03:04:05.000Z' };
  const owner = { ...(await thisProcess()), start_ticks: '1' };
  const path = join(stateDir, `clock-lock-${UUID}.json`);
  await writeFile(path, JSON.stringify({ ...journal, owner, guardian_pid: 2 ** 22 + 1 }));
}

test('a left-over clock lock is reported untouched, and undone only after agreement', async () => {
  const smi = await fakeGpu();
  await leaveClockLock();
  const report = await doctor({ env: { ...smi.env, ...NO_PYTHON } });
  expect(check(report, 'clock-lock')).toMatchObject({
    state: 'warning',
    fix: { command: ['nvidia-smi', '-i', UUID, '-rgc'] },
  });
  const only = { ...report, checks: [check(report, 'clock-lock')] };
  const fixing = { stateDir, env: smi.env };
  expect(await applyFixes(only, () => Promise.resolve(false), fixing)).toMatchObject([
    { status: 'declined' },
  ]);
  expect(await smi.calls()).toEqual([]);
  expect(await applyFixes(only, () => Promise.resolve(true), fixing)).toMatchObject([{ status: 'done' }]);
  expect(await smi.calls()).toEqual([`-i ${UUID} -rgc`]);
  expect(check(await doctor({ env: { ...smi.env, ...NO_PYTHON } }), 'clock-lock').state).toBe('ok');
});

test('a fix runs its command, and a fix that fails tells what the command said', async () => {
  await program(
    'apt-get',
    `echo "$*" >>${JSON.stringify(join(folder, 'apt-calls'))}; case "$1" in install) echo "E: Unable to locate package $3" >&2; exit 100 ;; esac`,
  );
  // sudo where this test is not root, and the shell that runs the fix.
  await program('sudo', 'shift; exec "$@"');
  const env = { ...bare(), PATH: `${folder}:/usr/bin:/bin`, CXX: '/nonexistent/g++' };
  const report = await doctor({ env });
  const only = { ...report, checks: [check(report, 'cxx')] };
  const asked: string[] = [];
  const outcomes = await applyFixes(
    only,
    (_check, fix) => {
      asked.push(fix.description);
      return Promise.resolve(true);
    },
    { env },
  );
  expect(asked).toEqual(['install g++ with apt']);
  expect(outcomes).toMatchObject([
    { id: 'cxx', status: 'failed', message: 'E: Unable to locate package g++' },
  ]);
  expect(await readFile(join(folder, 'apt-calls'), 'utf8')).toContain('update\ninstall -y g++\n');
});

test('an nvcc newer than the driver is failed or warned about by NVIDIA’s compatibility rules', () => {
  expect(nvccFinding('13.0.88', '13.0').state).toBe('ok');
  expect(nvccFinding('12.9.1', '13.0').state).toBe('ok');
  expect(nvccFinding('13.1.0', '13.0').state).toBe('warning');
  expect(nvccFinding('13.0.88', '12.8').state).toBe('failed');
  expect(nvccFinding('13.0.88', undefined).state).toBe('ok');
});

test('GPU counters are open by the driver’s setting or by capabilities, not by being root', () => {
  const restricted = 'EnableMSI: 1\nRmProfilingAdminOnly: 1\n';
  const none = 'CapEff:\t00000000a80425fb\n';
  expect(counterFinding('RmProfilingAdminOnly: 0\n', none, '580.1').state).toBe('ok');
  expect(counterFinding(restricted, 'CapEff:\t0000000000200000\n', '535.1').state).toBe('ok');
  expect(counterFinding(restricted, 'CapEff:\t0000004000000000\n', '580.1').state).toBe('ok');
  expect(counterFinding(restricted, 'CapEff:\t0000004000000000\n', '535.1').state).toBe('failed');
  expect(counterFinding(restricted, none, '580.1').state).toBe('failed');
  expect(counterFinding(undefined, none, '580.1').state).toBe('skipped');
});

test('perf without hardware counters is a warning', () => {
  expect(perfFinding('123456,,instructions,1000,100.00,,\n').state).toBe('ok');
  expect(perfFinding('<not supported>,,instructions,0,100.00,,\n').state).toBe('warning');
});

test('an old Node is failed, and a busy machine is warned about', () => {
  expect(nodeFinding('18.20.0').state).toBe('failed');
  expect(nodeFinding('20.18.9').state).toBe('failed');
  expect(nodeFinding('20.19.0').state).toBe('ok');
  expect(nodeFinding('22.1.0').state).toBe('ok');
  expect(loadFinding(3, 2).state).toBe('warning');
  expect(loadFinding(2, 2).state).toBe('ok');
});
