import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';

import { privateCache } from './services/private-cache.ts';

/**
 * Gives a test run what it shares with no other Pawl of this machine: calibrations, and locks of devices, so that
 * neither waits for the other. Builds are kept from run to run, whatever folder they come from, apart from the user's.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const { XDG_CACHE_HOME: xdg = '' } = process.env;
  const builds = join(isAbsolute(xdg) ? xdg : join(homedir(), '.cache'), 'pawl-tests', 'build');
  await mkdir(builds, { recursive: true });
  const folder = await privateCache(builds);
  process.env.PAWL_CACHE_DIR = folder;
  process.env.PAWL_LOCK_NAMESPACE = basename(folder);
  return () => rm(folder, { recursive: true, force: true });
}
