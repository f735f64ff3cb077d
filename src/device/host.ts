/** What the operating system tells about this machine's CPUs. What it does not tell is absent. */
import { readFile } from 'node:fs/promises';
import { cpus, hostname } from 'node:os';

/** A small text file of /proc, /sys or /etc; undefined where it is not there or not ours to read. */
export async function systemFile(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    // sysfs also answers EIO, EINVAL or EOPNOTSUPP where a driver cannot tell.
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EIO', 'EINVAL', 'EOPNOTSUPP', 'ENODEV'].includes(code)) {
      return undefined;
    }
    throw error;
  }
}

/** The id of the CPU as a device to lock: one host's CPUs are measured on by one run at a time. */
export function cpuDeviceId(): string {
  return `cpu:${hostname()}`;
}

export async function osName(): Promise<string | undefined> {
  const release = (await systemFile('/etc/os-release')) ?? (await systemFile('/usr/lib/os-release'));
  return /^PRETTY_NAME="?([^"\n]*)"?$/m.exec(release ?? '')?.[1];
}

export async function cpuModel(): Promise<string | undefined> {
  const info = await systemFile('/proc/cpuinfo');
  const model = /^(?:model name|Model|cpu model)\s*:\s*(.+)$/m.exec(info ?? '')?.[1] ?? cpus()[0]?.model;
  return model === undefined || model.trim() === '' || model === 'unknown' ? undefined : model.trim();
}

/** What tells one model of processor from another, on x86 and on Arm: lines of its first CPU, as they stand there. */
export async function cpuIdentity(): Promise<string | undefined> {
  const [first = ''] = ((await systemFile('/proc/cpuinfo')) ?? '').split('\n\n');
  const lines = first
    .split('\n')
    .filter((line) => /^(?:model name|CPU implementer|CPU part)\s*:/u.test(line));
  return lines.length === 0 ? undefined : lines.map((line) => line.replace(/\s*:\s*/u, ': ')).join('; ');
}

/** The frequency governor of the first CPU; virtual machines mostly have none. */
export function cpuGovernor(): Promise<string | undefined> {
  return systemFile('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor');
}

/** Whether the CPU may exceed its base clock (turbo, boost): it then runs at what heat and load allow. */
export async function cpuTurbo(): Promise<boolean | undefined> {
  const noTurbo = await systemFile('/sys/devices/system/cpu/intel_pstate/no_turbo');
  if (noTurbo !== undefined) return noTurbo === '0';
  const boost = await systemFile('/sys/devices/system/cpu/cpufreq/boost');
  return boost === undefined ? undefined : boost === '1';
}
