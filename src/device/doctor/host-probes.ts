import { access, constants, statfs } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { dirname, resolve } from 'node:path';

import { defined } from '../../model/defined.ts';
import { findClockLocks } from '../clocks.ts';
import { cpuGovernor, cpuModel, cpuTurbo, systemFile } from '../host.ts';
import { ok, skipped, warning } from './probe.ts';
import type { Probe, DoctorContext, Finding } from './probe.ts';

/** `engines` in package.json. */
const OLDEST_NODE = [20, 19] as const;
/** A build cache of a tuned kernel's variants and a profile of each run take a few gigabytes in a day. */
const FREE_DISK_WARN_BYTES = 5e9;
/** One nvcc job over heavy templates takes one to two gigabytes. */
const FREE_MEMORY_WARN_BYTES = 2e9;

export const HOST_PROBES: readonly Probe[] = [
  {
    id: 'node',
    group: 'host',
    title: 'Node.js',
    needed_for: 'Pawl itself',
    required: () => true,
    look: () => Promise.resolve(nodeFinding(process.versions.node)),
  },
  {
    id: 'cpu',
    group: 'host',
    title: 'CPU clock',
    needed_for: 'steady measurements of CPU kernels',
    required: () => false,
    look: lookAtCpu,
  },
  {
    id: 'load',
    group: 'host',
    title: 'CPU load',
    needed_for: 'undisturbed measurements',
    required: () => false,
    look: () => Promise.resolve(loadFinding(loadavg()[0] ?? 0, availableParallelism())),
  },
  {
    id: 'memory',
    group: 'host',
    title: 'Memory',
    needed_for: 'compiling kernels in parallel',
    required: () => false,
    look: lookAtMemory,
  },
  {
    id: 'disk-project',
    group: 'host',
    title: 'Disk of the project',
    needed_for: 'the build cache and the results',
    required: () => false,
    look: (context) => lookAtDisk(context.root),
  },
  {
    id: 'disk-cache',
    group: 'host',
    title: "Disk of Pawl's cache",
    needed_for: 'the built runners',
    required: () => true,
    look: async (context) => lookAtDisk(await context.cacheDir()),
  },
  {
    id: 'clock-lock',
    group: 'host',
    title: 'Left-over clock locks',
    needed_for: 'a GPU that runs at its own clocks',
    required: () => false,
    look: lookAtClockLocks,
  },
];

export function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return ok(version);
  const oldest = OLDEST_NODE.join('.');
  return {
    state: 'failed',
    detail: `${version} is older than ${oldest}`,
    remedy: `Install Node.js ${oldest} or later.`,
  };
}

async function lookAtCpu(): Promise<Finding> {
  const [model, governor, turbo] = await Promise.all([cpuModel(), cpuGovernor(), cpuTurbo()]);
  const name = `${model ?? 'unknown model'}, ${cpus().length} CPUs`;
  if (governor === undefined) return skipped(`${name}; this machine does not show its CPU governor`);
  const boost =
    turbo === undefined ? '' : turbo ? ', turbo on (the clock follows heat and load)' : ', turbo off';
  if (governor === 'performance') return ok(`${name}, governor performance${boost}`);
  return warning(
    `${name}, governor ${governor}${boost}: the clock follows the load, and so do the times`,
    'Set it with `sudo cpupower frequency-set -g performance` while you measure.',
  );
}

export function loadFinding(load: number, cores: number): Finding {
  const detail = `${load.toFixed(1)} threads running or waiting on ${cores} CPUs over the last minute`;
  return load > cores
    ? warning(detail, 'Wait for other work to end before measuring CPU kernels.')
    : ok(detail);
}

async function lookAtMemory(): Promise<Finding> {
  const kilobytes = /^MemAvailable:\s*(\d+) kB$/m.exec((await systemFile('/proc/meminfo')) ?? '')?.[1];
  if (kilobytes === undefined) return skipped('/proc/meminfo does not say');
  const available_bytes = Number(kilobytes) * 1024;
  const detail = `${gigabytes(available_bytes)} available`;
  return available_bytes < FREE_MEMORY_WARN_BYTES
    ? warning(detail, 'Build with fewer jobs at a time, or close other programs.')
    : ok(detail);
}

async function lookAtDisk(path: string): Promise<Finding> {
  const folder = await nearestFolder(path);
  try {
    await access(folder, constants.W_OK);
  } catch {
    return { state: 'failed', detail: `${folder} cannot be written to`, remedy: `Make ${folder} writable.` };
  }
  const { bavail, bsize } = await statfs(folder);
  const detail = `${gigabytes(bavail * bsize)} free at ${path}`;
  return bavail * bsize < FREE_DISK_WARN_BYTES
    ? warning(detail, 'Free some space, or move the cache with $PAWL_CACHE_DIR.')
    : ok(detail);
}

/** The folder itself, or the nearest one above it that exists: it would be made there. */
async function nearestFolder(path: string): Promise<string> {
  const folder = resolve(path);
  const exists = await access(folder).then(
    () => true,
    () => false,
  );
  return exists || folder === dirname(folder) ? folder : nearestFolder(dirname(folder));
}

async function lookAtClockLocks({ stateDir, env, timeout_ms }: DoctorContext): Promise<Finding> {
  const locks = await findClockLocks({
    env,
    timeout_ms: timeout_ms / 2,
    ...defined({ stateDir }),
  });
  if (locks.length === 0) return ok('none');
  const detail = locks.map((lock) => `${lock.uuid} is ${lock.message}`).join('; ');
  const stale = locks.find((lock) => lock.status === 'stale');
  if (stale === undefined) return warning(detail);
  const command = ['nvidia-smi', '-i', stale.uuid, '-rgc'];
  return {
    ...warning(detail, `Undo it with \`${command.join(' ')}\` or \`pawl doctor --fix\`.`),
    fix: { description: "undo Pawl's own left-over clock lock", command },
  };
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
