import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { projectCacheDir, userCacheDir } from '../../src/build/cache-dirs.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pawl-cache-dirs-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(dir, { recursive: true, force: true });
});

describe('projectCacheDir', () => {
  it('lies below the project unless PAWL_CACHE_DIR says otherwise', () => {
    expect(projectCacheDir('/project', {})).toBe('/project/.pawl/cache/build');
    expect(projectCacheDir('/project', { PAWL_CACHE_DIR: '/fast' })).toBe('/fast/build');
    expect(projectCacheDir('/project', { PAWL_CACHE_DIR: '' })).toBe('/project/.pawl/cache/build');
  });
});

describe('userCacheDir', () => {
  it('follows PAWL_CACHE_DIR, then XDG_CACHE_HOME, then the home folder', async () => {
    const env = { PAWL_CACHE_DIR: join(dir, 'p'), XDG_CACHE_HOME: join(dir, 'x'), HOME: join(dir, 'h') };
    expect(await userCacheDir(env)).toBe(join(dir, 'p/build'));
    expect(await userCacheDir({ ...env, PAWL_CACHE_DIR: '' })).toBe(join(dir, 'x/pawl/build'));
    expect(await userCacheDir({ HOME: env.HOME })).toBe(join(dir, 'h/.cache/pawl/build'));
    expect(await userCacheDir({ HOME: env.HOME, XDG_CACHE_HOME: 'relative' })).toBe(
      join(dir, 'h/.cache/pawl/build'),
    );
  });

  it('falls back to a private temporary folder where the home folder cannot be written', async () => {
    vi.stubEnv('TMPDIR', dir);
    const found = await userCacheDir({ HOME: '/dev/null' });
    const folder = join(dir, `pawl-${process.getuid?.()}`);
    expect(found).toBe(join(folder, 'build'));
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('refuses a temporary folder that others can write to', async () => {
    vi.stubEnv('TMPDIR', dir);
    const folder = join(dir, `pawl-${process.getuid?.()}`);
    await mkdir(folder);
    await chmod(folder, 0o777);
    await expect(userCacheDir({ HOME: '/dev/null' })).rejects.toMatchObject({ kind: 'permission' });
  });
});
