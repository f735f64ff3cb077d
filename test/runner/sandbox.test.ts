import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { buildRunners, sandboxJob } from '../../src/build/runner-recipes.ts';
import { built } from '../build/project.ts';
import { compile } from './native-build.ts';

const run = promisify(execFile);

const LIBRARY = resolve(import.meta.dirname, '../../runner/src/sandbox');
const NAMESPACES = ['userns', 'pidns', 'netns', 'mountns', 'ipcns'];
/** What a sandbox is made of on a machine that lacks something. */
const MACHINES: readonly (readonly [string, readonly string[]])[] = [
  ['with all that this machine offers', []],
  ['without namespaces', NAMESPACES],
  ['without Landlock', ['landlock']],
  ['without mounts', ['mountns']],
  ['without a process namespace', ['pidns']],
];
/** Who runs it: root may become nobody, others are what they are. */
const NOBODY = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'];
const users = process.getuid?.() === 0 ? { root: [], nobody: NOBODY } : { 'an ordinary user': [] };

const FORBIDDEN = [
  'ptrace',
  'process-vm-readv',
  'pidfd-getfd',
  'userfaultfd',
  'perf-event-open',
  'bpf',
  'mount',
  'unshare-user',
  'setns',
  'keyctl',
  'personality-set',
  'open-by-handle',
  'chroot',
  'unix-connect',
  'vsock',
  ...(process.arch === 'x64' ? ['x32'] : []),
];
const ALLOWED = [
  'write-scratch',
  'rename-across',
  'write-null',
  'read-system',
  'thread',
  'signal-self',
  'limit-self',
  'personality-ask',
  'unix-socket',
];

let folder: string;
/** One for each user: what one has made another may not write to. */
let scratch: string;
let sandbox: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawl-sandbox-'));
  // The cache of whoever runs the tests is theirs alone; nobody must find these.
  await chmod(folder, 0o755);
  sandbox = join(folder, 'pawl-sandbox');
  const [outcome] = await buildRunners([sandboxJob()]);
  await copyFile(built(outcome).artifact, sandbox);
  await writeFile(join(folder, 'hidden'), 'a secret', { mode: 0o644 });
  const sources = (await readdir(LIBRARY)).filter((name) => name.endsWith('.cpp') && name !== 'main.cpp');
  const library = sources.map((name) => join(LIBRARY, name));
  for (const name of ['sandbox-attempts', 'check-sandbox']) {
    await compile([join(import.meta.dirname, `${name}.cpp`), ...library, '-pthread'], join(folder, name));
  }
}, 300_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** What came of each attempt inside. */
async function attempts(user: readonly string[], options: readonly string[]) {
  const outside = join(tmpdir(), `pawl-outside-${process.pid}`);
  const argv = [...user, sandbox, '--write', scratch, '--hide', join(folder, 'hidden'), ...options, '--'];
  const program = [
    join(folder, 'sandbox-attempts'),
    outside,
    scratch,
    join(folder, 'hidden'),
    `${process.pid}`,
  ];
  const [command = '', ...rest] = [...argv, ...program];
  const { stdout } = await run(command, rest).catch((error: { stdout: string }) => error);
  return new Map(stdout.split('\n').map((line) => line.split(' ') as [string, string]));
}

async function protections(user: readonly string[], options: readonly string[]): Promise<readonly string[]> {
  const argv = [
    ...user,
    sandbox,
    '--report',
    '1',
    '--hide',
    join(folder, 'hidden'),
    ...options,
    '--',
    '/bin/true',
  ];
  const [command = '', ...rest] = argv;
  const { stdout } = await run(command, rest);
  return (JSON.parse(stdout) as { protections: string[] }).protections;
}

describe.each(Object.entries(users))('a sandbox for %s', (who, user) => {
  beforeAll(async () => {
    scratch = join(folder, `scratch of ${who}`);
    await mkdir(scratch);
    await chmod(scratch, 0o777);
  });

  describe.each(MACHINES)('%s', (_, without) => {
    const options = without.flatMap((name) => ['--without', name]);
    let found: Map<string, string>;
    let claimed: readonly string[];

    beforeAll(async () => {
      found = await attempts(user, options);
      claimed = await protections(user, options);
    });

    it('leaves out what it is told to, and no more', () => {
      const names = claimed.map((name) => name.replace(/-\d+$/, ''));
      expect(names.filter((name) => without.includes(name))).toEqual([]);
      expect(names).toEqual(
        expect.arrayContaining(['no-new-privs', 'no-capabilities', 'rlimits', 'seccomp']),
      );
    });

    it('refuses what reaches out of the process', () => {
      const results = FORBIDDEN.map((name) => [name, found.get(name)]);
      expect(results).toEqual(FORBIDDEN.map((name) => [name, 'EPERM']));
      expect([found.get('io-uring'), found.get('clone3')]).toEqual(['ENOSYS', 'ENOSYS']);
      expect(found.get('inet-send')).toMatch(/^E/);
      expect(found.get('fork')).toBe('EPERM');
    });

    it('lets a kernel do what kernels do', () => {
      expect(ALLOWED.map((name) => [name, found.get(name)])).toEqual(ALLOWED.map((name) => [name, 'ok']));
    });

    it('lets nobody outside be signalled', () => {
      expect(found.get('signal-stranger')).toMatch(/^(?:EPERM|ESRCH)$/);
      expect(found.get('signal-everybody')).toMatch(/^(?:EPERM|ESRCH)$/);
    });

    it('keeps its writes in the scratch folder where it says so', () => {
      const confines = claimed.some((name) => /^(?:landlock-|read-only$)/.test(name));
      const errors = [found.get('write-outside'), found.get('regain-root')];
      if (confines) expect(errors.join(' ')).toMatch(/^(?:EACCES|EROFS) (?:EACCES|EROFS)$/);
      else expect(errors[0]).toBe('ok');
    });

    it('hides what it says it hides', () => {
      expect(found.get('read-hidden')).toBe(claimed.includes('hidden') ? 'refused' : 'ok');
    });

    it('keeps what the library promises', async () => {
      const [command = '', ...rest] = [...user, join(folder, 'check-sandbox'), scratch, ...without];
      const { stdout } = await run(command, rest);
      const claims = stdout.trim().split('\n');
      expect(claims.filter((line) => !line.endsWith(': yes'))).toEqual([]);
      expect(claims).toHaveLength(14);
    });
  });

  it('lets a program start others where it may', async () => {
    const open = await attempts(user, ['--processes']);
    expect([open.get('fork'), open.get('end')]).toEqual(['ok', 'ok']);
  });

  it.each(MACHINES)('dies as a whole when the program around it is killed, %s', async (_, without) => {
    const mark = `sleep-${who.length}-${without.length}-${process.pid}`;
    const options = without.flatMap((name) => ['--without', name]);
    const script = `echo started; exec -a ${mark} sleep 1000 & setsid bash -c 'exec -a ${mark} sleep 1000' & wait`;
    const [command, ...rest] = [...user, sandbox, '--processes', '--write', scratch, ...options, '--'];
    const child = spawn(command, [...rest, 'bash', '-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    await expect.poll(() => running(mark)).toBeGreaterThan(1);
    child.kill('SIGKILL');
    await expect.poll(() => running(mark), { timeout: 10_000 }).toBe(0);
  });
});

describe('pawl-sandbox', () => {
  it('ends as the program does, and reports what is in force', async () => {
    const code = await run(sandbox, ['--processes', '--', 'sh', '-c', 'exit 3']).catch(
      (error: { code: number }) => error.code,
    );
    expect(code).toBe(3);
    const killed = await run(sandbox, ['--processes', '--', 'sh', '-c', 'kill -9 $$']).catch(
      (error: { signal: string }) => error.signal,
    );
    expect(killed).toBe('SIGKILL');
    const { stdout } = await run(sandbox, ['--report', '1', '--without', 'landlock', '--', '/bin/true']);
    const { protections } = JSON.parse(stdout) as { protections: string[] };
    expect(protections).toContain('seccomp');
    expect(protections.join()).not.toContain('landlock');
  });

  it('says what it cannot run', async () => {
    const failed = await run(sandbox, ['--', 'no-such-program']).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 127 });
    expect((failed as { stderr: string }).stderr).toMatch(/cannot run no-such-program .*No such file/);
  });
});

/** Processes that carry the name. */
async function running(mark: string): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.filter((line) => line.startsWith(mark)).length;
}
