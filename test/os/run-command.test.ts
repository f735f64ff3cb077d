import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runCommand } from '../../src/os/run-command.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pawl-run-command-'));
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await condition()) return;
    await sleep(20);
  }
  throw new Error('the condition never became true');
}

/** Alive and not a zombie: in a container nobody may reap an orphan. */
async function isAlive(pid: number): Promise<boolean> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
}

async function grandchildPid(): Promise<number> {
  const file = join(dir, 'pid');
  let pid = 0;
  await until(async () => {
    pid = Number(await readFile(file, 'utf8').catch(() => '0'));
    return pid > 0;
  });
  return pid;
}

describe('runCommand', () => {
  it('returns the exit code and both streams', async () => {
    const result = await runCommand('sh', ['-c', 'echo out; echo err >&2; exit 3']);
    expect(result).toMatchObject({ status: 'exited', code: 3, stdout: 'out\n', stderr: 'err\n' });
  });

  it('passes input, working directory and environment', async () => {
    const result = await runCommand('sh', ['-c', 'cat; pwd -P; echo "$WORD"'], {
      input: 'in\n',
      cwd: dir,
      env: { PATH: process.env.PATH, WORD: 'said' },
    });
    const real = (await runCommand('pwd', ['-P'], { cwd: dir })) as { stdout: string };
    expect(result).toMatchObject({ stdout: `in\n${real.stdout}said\n` });
  });

  it('survives a program that does not read its input', async () => {
    const result = await runCommand('true', [], { input: 'x'.repeat(1 << 20) });
    expect(result).toMatchObject({ status: 'exited', code: 0 });
  });

  it('says missing for a program that is not there or may not be executed', async () => {
    const plain = join(dir, 'plain');
    await writeFile(plain, 'text', { mode: 0o644 });
    expect((await runCommand('pawl-no-such-program', [])).status).toBe('missing');
    expect((await runCommand(plain, [])).status).toBe('missing');
  });

  it('reports the signal that ended the program', async () => {
    const result = await runCommand('sh', ['-c', 'kill -SEGV $$']);
    expect(result).toMatchObject({ status: 'signalled', signal: 'SIGSEGV' });
  });

  it('keeps no more output than its bound and says so', async () => {
    const result = await runCommand('sh', ['-c', 'head -c 3000000 /dev/zero | tr "\\0" x; exit 5'], {
      maxOutputBytes: 1000,
    });
    expect(result).toMatchObject({ status: 'exited', code: 5, truncated: true, stdout: 'x'.repeat(1000) });
  });

  it('ends grandchildren on time-out, also those that ignore SIGTERM', async () => {
    const script = `sh -c 'trap "" TERM; echo $$ > pid; while :; do sleep 0.05; done' & wait`;
    const running = runCommand('sh', ['-c', script], { cwd: dir, timeout_ms: 300 });
    const pid = await grandchildPid();
    const result = await running;
    expect(result.status).toBe('timed-out');
    await until(async () => !(await isAlive(pid)));
  });

  it('ends the whole group on abort, and does not start when aborted before', async () => {
    const abort = new AbortController();
    const running = runCommand('sh', ['-c', 'sleep 600 & echo $! > pid; wait'], {
      cwd: dir,
      signal: abort.signal,
    });
    const pid = await grandchildPid();
    abort.abort();
    expect((await running).status).toBe('cancelled');
    await until(async () => !(await isAlive(pid)));
    expect((await runCommand('touch', ['made'], { cwd: dir, signal: abort.signal })).status).toBe(
      'cancelled',
    );
    await expect(readFile(join(dir, 'made'))).rejects.toThrow('ENOENT');
  });

  it('does not wait for a grandchild that keeps the output open after the program ended', async () => {
    const result = await runCommand('sh', ['-c', 'sleep 600 & echo $! > pid; echo done'], { cwd: dir });
    expect(result).toMatchObject({ status: 'exited', code: 0, stdout: 'done\n' });
    const pid = await grandchildPid();
    await until(async () => !(await isAlive(pid)));
  });
});
