import { spawnSync } from 'node:child_process';

/** Installs packages where that is possible. Several test files may want some at once: apt waits for its lock. */
export function aptInstall(...packages: readonly string[]): boolean {
  if (process.getuid?.() !== 0) return false;
  const apt = (...args: readonly string[]) =>
    spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], {
      stdio: 'ignore',
      timeout: 600_000,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  const install = () => apt('install', '-y', '--no-install-recommends', ...packages);
  return install() || (apt('update') && install());
}
