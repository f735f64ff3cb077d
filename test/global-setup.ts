import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';

import { findPython } from '../src/device/python.ts';
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
  await pythonWithoutShim();
  return () => rm(folder, { recursive: true, force: true });
}

/** Version managers put a script before Python that starts twenty processes; each command asks Python for its version. */
async function pythonWithoutShim(): Promise<void> {
  const python = await findPython();
  if (python.status === 'found') process.env.PATH = `${dirname(python.path)}${delimiter}${process.env.PATH}`;
}
