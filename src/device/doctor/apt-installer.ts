import { runCommand } from '../../os/run-command.ts';
import type { RunCommandOptions } from '../../os/run-command.ts';
import type { DoctorContext } from './probe.ts';

/**
 * The command that installs packages: where there is apt, and where it can be run without a password. The
 * list of packages is fetched first, because images for containers come without one.
 */
export function aptInstaller(options: RunCommandOptions): DoctorContext['aptInstall'] {
  let prefix: Promise<readonly string[] | undefined> | undefined;
  return async (...packages) => {
    prefix ??= privilegedPrefix(options);
    const before = await prefix;
    if (before === undefined) return undefined;
    const script = `apt-get update && apt-get install -y ${packages.join(' ')}`;
    return [...before, 'env', 'DEBIAN_FRONTEND=noninteractive', 'sh', '-c', script];
  };
}

async function privilegedPrefix(options: RunCommandOptions): Promise<readonly string[] | undefined> {
  if (!(await succeeds('apt-get', ['--version'], options))) return undefined;
  if (process.getuid?.() === 0) return [];
  return (await succeeds('sudo', ['-n', 'true'], options)) ? ['sudo', '-n'] : undefined;
}

async function succeeds(
  command: string,
  args: readonly string[],
  options: RunCommandOptions,
): Promise<boolean> {
  const run = await runCommand(command, args, options);
  return run.status === 'exited' && run.code === 0;
}
