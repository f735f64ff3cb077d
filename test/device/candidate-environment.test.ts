import { readFile } from 'node:fs/promises';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { buildAll } from '../../src/build/build-all.ts';
import { configSchema } from '../../src/config/schema.ts';
import { candidateEnvironment } from '../../src/device/candidate-environment.ts';
import { findPython } from '../../src/device/python.ts';
import { RunnerProcess } from '../../src/runner/runner-process.ts';
import { ADD_FILES, plainEnv, Project } from '../build/project.ts';

/** What a CI, a cloud and Pawl itself keep in the environment of a job. */
const SECRETS: Readonly<Record<string, string>> = {
  GITHUB_TOKEN: 'planted-1',
  PAWL_GITHUB_TOKEN: 'planted-2',
  PAWL_BASELINE_KEY: 'planted-3',
  PAWL_STORE: 'postgres://ada:planted-4@db/pawl',
  ACTIONS_RUNTIME_TOKEN: 'planted-5',
  ACTIONS_ID_TOKEN_REQUEST_URL: 'planted-6',
  GITHUB_ENV: '/planted-7',
  AWS_SECRET_ACCESS_KEY: 'planted-8',
  AWS_PROFILE: 'planted-9',
  DATABASE_URL: 'planted-10',
  PGPASSWORD: 'planted-11',
  SSH_AUTH_SOCK: '/planted-12',
  HF_TOKEN: 'planted-13',
  NPM_CONFIG_USERCONFIG: 'planted-14',
  TORCH_HUB_TOKEN: 'planted-15',
  NVIDIA_API_KEY: 'planted-16',
  CUDA_MIRROR: 'https://ada:planted-17@mirror/cuda',
  WHATEVER_ELSE: 'planted-18',
  LD_PRELOAD: '',
};

const TOOLS: Readonly<Record<string, string>> = {
  OMP_NUM_THREADS: '3',
  CUDA_VISIBLE_DEVICES: '1',
  LC_NUMERIC: 'C',
  PYTORCH_CUDA_ALLOC_CONF: 'expandable_segments:True',
  TORCHINDUCTOR_CACHE_DIR: '/cache',
  CCACHE_DIR: '/ccache',
  LD_LIBRARY_PATH: '/usr/local/cuda/lib64',
};

function planted(): void {
  for (const [name, value] of Object.entries({ ...SECRETS, ...TOOLS })) vi.stubEnv(name, value);
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('what candidates see of the environment', () => {
  it('is what toolchains and libraries need, and no secret, whatever family it belongs to', () => {
    const visible = candidateEnvironment({ PATH: '/bin', HOME: '/h', ...SECRETS, ...TOOLS });
    expect(visible).toEqual({ PATH: '/bin', HOME: '/h', ...TOOLS });
  });

  it('has what the project names, unless that is a secret by its name or by its value', () => {
    const env = {
      DATA: '/data',
      MY_TOKEN: 'planted',
      INDEX: 'https://ada:planted@host/simple',
      MODEL_DIR: '',
    };
    const named = ['DATA', 'MY_TOKEN', 'INDEX', 'MODEL_DIR', 'ABSENT'];
    expect(candidateEnvironment(env, named)).toEqual({ DATA: '/data', MODEL_DIR: '' });
  });

  it.each(['GITHUB_TOKEN', 'PAWL_BASELINE_KEY', 'AWS_PROFILE', 'DB_PASSWORD', 'not a name'])(
    'cannot be widened by "%s" in pawl.yaml',
    (name) => {
      const { environment } = configSchema.shape;
      expect(environment.safeParse([name]).success).toBe(false);
      expect(environment.parse(['MODEL_DIR'])).toEqual(['MODEL_DIR']);
    },
  );

  it('holds for a runner process, which dumps all that it was given', async () => {
    planted();
    vi.stubEnv('MODEL_DIR', '/models');
    const runner = new RunnerProcess({
      command: '/bin/sh',
      args: ['-c', "tr '\\0' '\\n' < /proc/self/environ"],
      env: { GIVEN: 'by Pawl' },
      environment: ['MODEL_DIR', 'GITHUB_TOKEN'],
    });
    await expect(
      runner.open({ device: 'cpu', device_index: 0, threads: 1, kernel: { library: '' } }, 10_000),
    ).rejects.toThrow();
    await runner.close();
    const lines = runner.output.split('\n');
    expect(runner.output).not.toMatch(/planted/);
    expect(lines).toEqual(
      expect.arrayContaining([
        'GIVEN=by Pawl',
        'MODEL_DIR=/models',
        'OMP_NUM_THREADS=3',
        'CUDA_DEVICE_ORDER=PCI_BUS_ID',
      ]),
    );
  });

  it('holds for every call of a compiler, and a change of a named variable is another build', async () => {
    planted();
    vi.stubEnv('MODEL_DIR', '/models');
    const project = await Project.create(ADD_FILES);
    const dump = project.path('dump');
    const CXX = await project.script(
      'dumping-g++',
      `env >> '${dump}'; echo "# $*" >> '${dump}'; exec g++ "$@"`,
    );
    const env = plainEnv({ CXX });
    const job = project.job({ optionalFlags: ['-fopenmp'], environment: ['MODEL_DIR', 'PAWL_BASELINE_KEY'] });
    const build = async (changes: NodeJS.ProcessEnv = {}) => {
      const [outcome] = await buildAll([job], { root: project.root, env: { ...env, ...changes } });
      return outcome;
    };
    expect(await build()).toMatchObject({ status: 'built' });
    const text = await readFile(dump, 'utf8');
    // Asked for its version, whether it takes a flag, to compile and to link.
    expect(text.match(/^# /gm)?.length).toBeGreaterThanOrEqual(4);
    expect(text).not.toMatch(/planted/);
    expect(text).toMatch(/^OMP_NUM_THREADS=3$/m);
    expect(text).toMatch(/^MODEL_DIR=\/models$/m);
    expect(await build()).toMatchObject({ status: 'cached' });
    expect(await build({ GITHUB_TOKEN: 'another' })).toMatchObject({ status: 'cached' });
    expect(await build({ MODEL_DIR: '/others' })).toMatchObject({ status: 'built' });
    await project.remove();
  });

  it('holds where Python is looked for', async () => {
    planted();
    const project = await Project.create({});
    const dump = project.path('dump');
    const python = await project.script('python', `env > '${dump}'; echo /usr/bin/python3; echo 3.11.2`);
    expect(await findPython({ env: { ...process.env, PAWL_PYTHON: python } })).toMatchObject({
      status: 'found',
    });
    const text = await readFile(dump, 'utf8');
    expect(text).toMatch(/^PATH=/m);
    expect(text).not.toMatch(/planted/);
    await project.remove();
  });
});
