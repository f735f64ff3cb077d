/** What the programs about public suites share: one command of Pawl and its answer, and what its report holds against a kernel. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const pawl = resolve('bin/pawl');

/**
 * The document that a command prints, or why there is none. `lock`: commands with different ones run at the same time,
 * since nothing is timed.
 */
export async function pawlSays(args, { lock, timeout_s, cwd }) {
  const env = { ...process.env, PAWL_LOCK_NAMESPACE: lock };
  const asked = { maxBuffer: 2 ** 28, timeout: 1000 * timeout_s, cwd, env };
  // An exit code other than 0 is an answer, too.
  const { stdout, stderr, message } = await run(pawl, [...args, '--json'], asked).catch((error) => error);
  try {
    const { error: refused, ...report } = JSON.parse(stdout);
    return refused === undefined ? { report } : { reason: refused.message };
  } catch {
    const told = (stderr ?? '').split('\n').filter((line) => line.startsWith('pawl: '));
    return { reason: told.at(-1)?.slice('pawl: '.length) ?? message ?? 'no answer' };
  }
}

/** What `adopt --run` comes to without times: the report, and what was assumed; or why there is none. */
export async function runAdopted(args, { lock, timeout_s, cwd }) {
  const env = { ...process.env, PAWL_LOCK_NAMESPACE: lock };
  const asked = { maxBuffer: 2 ** 28, timeout: 2000 * timeout_s, cwd, env };
  const program = resolve('bench/adopt-run.mjs');
  const { stdout, stderr, message } = await run(process.execPath, [program, ...args], asked).catch(
    (error) => error,
  );
  try {
    return JSON.parse(stdout);
  } catch {
    return { reason: (stderr ?? '').trim().split('\n').at(-1) || message || 'no answer' };
  }
}

/** Each kernel's result, and what speaks against it. */
export function complaints({ measurements, skipped = [] }) {
  return [...skipped, ...measurements].flatMap(({ kernel, check, message, fault, lost = [] }) =>
    [
      check && check !== 'passed' && `${kernel} ${check}`,
      message,
      lost.map((one) => one.message),
      fault && `${fault.detector}: ${fault.evidence ?? fault.message ?? ''}`,
    ]
      .flat()
      .filter(Boolean),
  );
}
