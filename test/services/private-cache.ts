import { mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A PAWL_CACHE_DIR of one's own, without calibrations and with all that was ever built: builds are found by their
 * contents and never changed, so sharing them changes nothing but the time.
 */
export async function privateCache(
  builds = join(process.env.PAWL_CACHE_DIR ?? '', 'build'),
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-test-cache-'));
  await symlink(builds, join(folder, 'build'));
  return folder;
}
