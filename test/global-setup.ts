import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';

import { findPython } from '../src/device/python.ts';
import { runCommand } from '../src/os/run-command.ts';
import { privateCache } from './services/private-cache.ts';

/**
 * Gives a test run calibrations that it shares with no other Pawl of this machine, and leave to measure beside other
 * tests. Builds are kept from run to run, whatever folder they come from, apart from the user's.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const { XDG_CACHE_HOME: xdg = '' } = process.env;
  const builds = join(isAbsolute(xdg) ? xdg : join(homedir(), '.cache'), 'pawl-tests', 'build');
  await mkdir(builds, { recursive: true });
  const folder = await privateCache(builds);
  process.env.PAWL_CACHE_DIR = folder;
  // Workers load the machine for each other.
  process.env.PAWL_ACCEPT_LOAD = '1';
  // Where it is set, each Node reads and sorts all of a system's certificates when it starts, which takes longer than
  // the start itself. No test speaks to another machine.
  delete process.env.NODE_EXTRA_CA_CERTS;
  await pythonInFront();
  return () => rm(folder, { recursive: true, force: true });
}

/** Debian's Python, for which `make test` installs PyTorch where it can. */
const DEBIAN = '/usr/bin/python3';

/**
 * Puts a Python in front that has PyTorch, if there is one, and else the one that is found: version managers put a script
 * before Python that starts twenty processes; each command asks Python for its version.
 */
async function pythonInFront(): Promise<void> {
  const python = await findPython();
  if (python.status !== 'found') return;
  const isChosen = (process.env.PAWL_PYTHON ?? '') !== '';
  const isDebian = !isChosen && !(await hasTorch(python.path)) && (await hasTorch(DEBIAN));
  process.env.PATH = `${dirname(isDebian ? DEBIAN : python.path)}${delimiter}${process.env.PATH}`;
}

/** Without importing it, which takes seconds. */
async function hasTorch(python: string): Promise<boolean> {
  const script =
    'import importlib.util as u, sys; sys.exit(not (u.find_spec("torch") and u.find_spec("numpy")))';
  const run = await runCommand(python, ['-c', script], { timeout_ms: 60_000 });
  return run.status === 'exited' && run.code === 0;
}
