import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { actionCall, childEnvironment, readInput } from '../../src/ci/action/inputs.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const DIST = join(ROOT, 'action/dist');

function inputs(values: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
  );
}

describe('the inputs of the action', () => {
  it('become flags of pawl ci, and empty ones none', () => {
    const given = { kernels: 'a,b', threshold: '3', out: '/tmp/x', cases: '', 'working-directory': 'perf' };
    expect(actionCall(inputs(given))).toEqual({
      kind: 'pawl',
      args: ['ci', 'run', '--only=a,b', '--threshold=3', '--out=/tmp/x', '--no-comment'],
      cwd: 'perf',
      token: undefined,
    });
  });

  it('give no token to the step that runs kernels', () => {
    expect(() => actionCall(inputs({ token: 't' }))).toThrow(/must not have a token/);
    expect(actionCall(inputs({ token: 't', command: 'post' })).token).toBe('t');
  });

  it('name what another job proposes, and where the job that pushes finds it', () => {
    expect(actionCall(inputs({ propose: 'true' })).args).toContain('--propose');
    const { args, token } = actionCall(inputs({ command: 'baseline', from: '/tmp/x', token: 't' }));
    expect(args).toEqual(['ci', 'baseline', '--from=/tmp/x']);
    expect(token).toBe('t');
  });

  it('cannot smuggle a flag in a value', () => {
    const { args } = actionCall(inputs({ kernels: '--update', command: 'run' }));
    expect(args).toContain('--only=--update');
    expect(args).not.toContain('--update');
  });

  it('move the baseline only where that is asked for', () => {
    expect(actionCall(inputs({ update: 'true' })).args).toContain('--update');
    expect(() => actionCall(inputs({ update: 'maybe' }))).toThrow(/true or false/);
  });

  it('name a command that there is', () => {
    expect(() => actionCall(inputs({ command: 'constructor' }))).toThrow(/has no command/);
  });

  it('are not seen by the program, whose token is its own alone', () => {
    const env = { ...inputs({ token: 'secret', command: 'run' }), GITHUB_TOKEN: 'other', HOME: '/h' };
    const secrets = { ACTIONS_RUNTIME_TOKEN: 'r', PAWL_BASELINE_KEY: 'k', PAWL_GITHUB_TOKEN: 'p' };
    expect(childEnvironment({ ...env, ...secrets }, undefined)).toEqual({ HOME: '/h' });
    expect(childEnvironment({ ...env, PAWL_BASELINE_KEY: 'k' }, 'secret')).toEqual({
      HOME: '/h',
      GITHUB_TOKEN: 'secret',
      PAWL_BASELINE_KEY: 'k',
    });
    expect(childEnvironment(env, 'secret')).toEqual({ HOME: '/h', GITHUB_TOKEN: 'secret' });
  });

  it('are all declared in action.yml', async () => {
    const action = parse(await readFile(join(ROOT, 'action.yml'), 'utf8')) as {
      inputs: Record<string, unknown>;
      outputs: Record<string, unknown>;
      runs: { main: string };
    };
    const asked = new Set<string>();
    for (const command of ['run', 'post', 'publish', 'baseline', 'restore', 'setup']) {
      const env = new Proxy(inputs({ command }), {
        get: (target, name: string) => {
          if (name.startsWith('INPUT_')) asked.add(name.slice('INPUT_'.length).toLowerCase());
          return target[name];
        },
      });
      actionCall(env);
    }
    expect(Object.keys(action.inputs).sort()).toEqual([...asked].sort());
    expect(Object.keys(action.outputs)).toEqual(['verdict', 'conclusion', 'report', 'comment-id']);
    expect(await readFile(join(ROOT, action.runs.main), 'utf8')).toContain(readInput.name);
  });
});

describe('the bundle of the action', () => {
  it('is what the sources give now (node tools/bundle-action.js)', async () => {
    const folder = join(await temporaryFolder(), 'dist');
    await run(process.execPath, [join(ROOT, 'tools/bundle-action.js'), folder]);
    const names = (await readdir(folder)).sort();
    expect((await readdir(DIST)).sort()).toEqual(names);
    for (const name of names) {
      const [made, committed] = await Promise.all([readFile(join(folder, name)), readFile(join(DIST, name))]);
      expect(made.equals(committed), `action/dist/${name} is stale: node tools/bundle-action.js`).toBe(true);
    }
  });

  it('names no place on the machine that made it', async () => {
    for (const name of await readdir(DIST)) {
      const text = await readFile(join(DIST, name), 'utf8');
      expect(text.includes(`${ROOT}/`)).toBe(false);
      if (homedir().length > 5) expect(text.includes(`${homedir()}/`)).toBe(false);
    }
  });

  it('runs by itself, away from the packages it was made of', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'action'));
    await run('cp', ['-r', DIST, join(folder, 'action/dist')]);
    await run('cp', ['-r', join(ROOT, 'runner'), join(ROOT, 'package.json'), folder]);
    const { stdout } = await run(
      process.execPath,
      [join(folder, 'action/dist/pawl.js'), 'init', 'p', '--device', 'cpu'],
      {
        cwd: folder,
      },
    );
    expect(stdout).toContain('wrote  pawl.yaml');
    const asked = run(process.execPath, [join(folder, 'action/dist/pawl.js'), 'serve', '--port', '0']);
    await expect(asked).rejects.toMatchObject({ code: 69, stderr: expect.stringContaining('has no server') });
  });

  it('puts pawl on the path of later steps', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'path'), '');
    const env = { ...inputs({ command: 'setup' }), RUNNER_TEMP: folder, GITHUB_PATH: join(folder, 'path') };
    await run(process.execPath, [join(DIST, 'action.js')], { env: { ...process.env, ...env } });
    const path = (await readFile(join(folder, 'path'), 'utf8')).trim();
    const { stdout } = await run('sh', ['-c', 'pawl --version'], {
      env: { ...process.env, PATH: `${path}:${process.env['PATH']}` },
    });
    expect(stdout).toMatch(/^\d+\.\d+/);
  });

  it('says in one line of the log what is wrong with an input', async () => {
    const child = spawn(process.execPath, [join(DIST, 'action.js')], {
      env: { ...process.env, ...inputs({ command: 'bogus' }) },
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    const [code] = (await once(child, 'close')) as [number];
    expect(text).toMatch(/^::error::The action has no command "bogus"[^\n]*\n$/);
    expect(code).toBe(64);
  });
});
