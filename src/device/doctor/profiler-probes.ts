import { findTool } from '../compiler-versions.ts';
import { systemFile } from '../host.ts';
import { runCommand } from '../../os/run-command.ts';
import { missing, ok, skipped, warning } from './probe.ts';
import type { Probe, DoctorContext, Finding } from './probe.ts';

export const PROFILER_PROBES: readonly Probe[] = [
  {
    id: 'ncu',
    group: 'profilers',
    title: 'Nsight Compute',
    needed_for: 'explaining CUDA kernels with a profile',
    required: (needs) => needs.profiler,
    look: lookAtNcu,
  },
  {
    id: 'ncu-permission',
    group: 'profilers',
    title: 'GPU performance counters',
    needed_for: 'profiles with Nsight Compute',
    required: (needs) => needs.profiler,
    look: lookAtCounters,
  },
  {
    id: 'compute-sanitizer',
    group: 'profilers',
    title: 'compute-sanitizer',
    needed_for: 'finding bad memory accesses in CUDA kernels',
    required: () => false,
    look: lookAtSanitizer,
  },
  {
    id: 'perf',
    group: 'profilers',
    title: 'perf',
    needed_for: 'explaining CPU kernels with a profile',
    required: () => false,
    look: lookAtPerf,
  },
];

const CUDA_BIN = '/usr/local/cuda/bin';

async function lookAtNcu(context: DoctorContext): Promise<Finding> {
  if ((await context.gpus()).status !== 'found') return skipped('no GPU');
  const candidates = ['ncu', `${CUDA_BIN}/ncu`];
  const found = await findTool(candidates, ['--version'], (text) => /Version (\S+)/.exec(text)?.[1], context);
  if (found !== undefined) return ok(found.version);
  const remedy = 'Install Nsight Compute (part of the CUDA toolkit) and put `ncu` on the PATH.';
  return missing(context, `ncu is neither on the PATH nor in ${CUDA_BIN}`, remedy);
}

async function lookAtCounters(context: DoctorContext): Promise<Finding> {
  const list = await context.gpus();
  if (list.status !== 'found') return skipped('no GPU');
  const [params, status] = await Promise.all([
    systemFile('/proc/driver/nvidia/params'),
    systemFile('/proc/self/status'),
  ]);
  return counterFinding(params, status, list.gpus[0]?.info.driver);
}

/** Bit numbers of linux/capability.h. */
const CAP_SYS_ADMIN = 21n;
const CAP_PERFMON = 38n;
/** From this driver on CAP_PERFMON is enough (NVIDIA's release notes of R565). */
const PERFMON_DRIVER_MAJOR = 565;

export function counterFinding(
  params: string | undefined,
  status: string | undefined,
  driver: string | undefined,
): Finding {
  const adminOnly = /^RmProfilingAdminOnly:\s*(\d)/m.exec(params ?? '')?.[1];
  if (adminOnly === '0') return ok('open to every user');
  const capabilities = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status ?? '')?.[1] ?? '0'}`);
  const has = (bit: bigint) => ((capabilities >> bit) & 1n) === 1n;
  if (has(CAP_SYS_ADMIN)) return ok('open to this process (CAP_SYS_ADMIN)');
  if (has(CAP_PERFMON) && Number.parseInt(driver ?? '0', 10) >= PERFMON_DRIVER_MAJOR) {
    return ok('open to this process (CAP_PERFMON)');
  }
  if (adminOnly === undefined) return skipped('the driver does not say who may read them; try a profile');
  return {
    state: 'failed',
    detail: 'only an administrator may read them (RmProfilingAdminOnly is 1)',
    remedy:
      'Run as root (in a container with `--cap-add=SYS_ADMIN`), or put `options nvidia ' +
      'NVreg_RestrictProfilingToAdminUsers=0` into /etc/modprobe.d/ and reload the driver.',
  };
}

async function lookAtSanitizer(context: DoctorContext): Promise<Finding> {
  if ((await context.gpus()).status !== 'found') return skipped('no GPU');
  const candidates = ['compute-sanitizer', `${CUDA_BIN}/compute-sanitizer`];
  const found = await findTool(candidates, ['--version'], (text) => /Version (\S+)/.exec(text)?.[1], context);
  if (found !== undefined) return ok(found.version);
  return missing(
    context,
    `it is neither on the PATH nor in ${CUDA_BIN}`,
    'Install it with the CUDA toolkit.',
  );
}

async function lookAtPerf(context: DoctorContext): Promise<Finding> {
  const run = await runCommand('perf', ['stat', '-x', ',', '-e', 'instructions', 'true'], {
    env: { ...context.env, LC_ALL: 'C' },
    timeout_ms: context.timeout_ms,
    signal: context.signal,
  });
  if (run.status === 'missing') {
    return missing(context, 'perf is not on the PATH', 'Install perf (linux-perf, linux-tools).', [
      'linux-perf',
    ]);
  }
  const paranoid = await systemFile('/proc/sys/kernel/perf_event_paranoid');
  if (run.status === 'exited' && run.code === 0) return perfFinding(run.stderr);
  const said = run.stderr.trim().split('\n')[0] ?? '';
  return warning(
    `perf may not read counters (perf_event_paranoid is ${paranoid ?? 'unknown'}): ${said}`,
    'Allow it with `sudo sysctl kernel.perf_event_paranoid=1`.',
  );
}

/** perf's CSV line is on stderr: `123456,,instructions,…`, or `<not supported>,,instructions,…`. */
export function perfFinding(line: string): Finding {
  if (/^\d+,/m.test(line)) return ok('counts instructions');
  return warning(
    'no hardware counters, as in most virtual machines',
    'Profile on a machine whose hypervisor passes them through; everything else works.',
  );
}
