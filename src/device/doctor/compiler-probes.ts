import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { candidateEnvironment } from '../candidate-environment.ts';
import { findTool } from '../compiler-versions.ts';
import { runCommand } from '../../os/run-command.ts';
import { missing, ok, skipped, warning } from './probe.ts';
import type { Probe, DoctorContext, Finding } from './probe.ts';

export const COMPILER_PROBES: readonly Probe[] = [
  {
    id: 'cxx',
    group: 'compilers',
    title: 'C++ compiler',
    needed_for: 'the judge, C and C++ kernels, and nvcc',
    required: (needs) => needs.cxx,
    look: lookAtCxx,
  },
  {
    id: 'nvcc',
    group: 'compilers',
    title: 'CUDA compiler',
    needed_for: 'CUDA kernels and the CUDA runner',
    required: (needs) => needs.nvcc,
    look: lookAtNvcc,
  },
  {
    id: 'ccache',
    group: 'compilers',
    title: 'ccache',
    needed_for: 'faster rebuilds',
    required: () => false,
    look: lookAtCcache,
  },
];

/** A compiler that tells its version may still lack the standard library; a program of it tells. */
const PROGRAM = '#include <vector>\nint main() { return static_cast<int>(std::vector<int>().size()); }\n';

async function lookAtCxx(context: DoctorContext): Promise<Finding> {
  const compiler = await context.cxx();
  if (compiler === undefined) {
    const chosen = context.env['CXX'];
    const detail = chosen
      ? `$CXX is ${chosen}, which does not run`
      : 'neither g++ nor clang++ is on the PATH';
    return missing(context, detail, 'Install g++, or set $CXX to a C++17 compiler.', ['g++']);
  }
  const folder = await mkdtemp(join(tmpdir(), 'pawl-doctor-'));
  try {
    const args = [...compiler.args, '-x', 'c++', '-std=c++17', '-O0', '-', '-o', join(folder, 'program')];
    const run = await runCommand(compiler.command, args, {
      input: PROGRAM,
      env: candidateEnvironment(context.env),
      timeout_ms: context.timeout_ms,
      signal: context.signal,
    });
    if (run.status === 'exited' && run.code === 0) return ok(compiler.version);
    const said = run.status === 'missing' ? run.message : (run.stderr.trim().split('\n')[0] ?? run.status);
    const detail = `${compiler.version} does not build a small program: ${said}`;
    const packages = compiler.command.startsWith('g++') ? ['g++'] : [];
    return {
      ...(await missing(context, detail, 'Install its standard library.', packages)),
      state: 'failed',
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function lookAtNvcc(context: DoctorContext): Promise<Finding> {
  const [nvcc, gpus] = await Promise.all([context.nvcc(), context.gpus()]);
  const driver = gpus.status === 'found' ? gpus.gpus[0]?.info.cuda_driver : undefined;
  if (nvcc === undefined && !context.wantsGpu)
    return skipped('not installed, and no kernel here needs a GPU');
  if (nvcc === undefined) {
    const newest = driver === undefined ? '' : ` ${driver} or older, which the driver supports`;
    const remedy = `Install the CUDA toolkit${newest}, and put its bin folder on the PATH or set $NVCC.`;
    return missing(context, 'nvcc is neither on the PATH nor in /usr/local/cuda/bin', remedy);
  }
  return nvccFinding(nvcc.version, driver);
}

/**
 * CUDA's compatibility rules ("CUDA Compatibility", NVIDIA): a driver runs every toolkit of its own major
 * version, but compiles PTX only of toolkits up to its own version; a newer major version does not run.
 */
export function nvccFinding(version: string, driver: string | undefined): Finding {
  if (driver === undefined) return ok(version);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [driverMajor = 0, driverMinor = 0] = driver.split('.').map(Number);
  if (major > driverMajor) {
    return {
      state: 'failed',
      detail: `${version} is newer than the driver's CUDA ${driver}: its binaries do not run here`,
      remedy: `Update the NVIDIA driver, or install a CUDA ${driverMajor} toolkit.`,
    };
  }
  if (major === driverMajor && minor > driverMinor) {
    return warning(
      `${version} is newer than the driver's CUDA ${driver}: the driver cannot compile its PTX`,
      'Build for exactly this architecture (`arch: auto`), or update the driver.',
    );
  }
  return ok(`${version}; the driver supports up to CUDA ${driver}`);
}

async function lookAtCcache(context: DoctorContext): Promise<Finding> {
  if (context.env['PAWL_CCACHE'] === '0') return skipped('$PAWL_CCACHE is 0');
  const found = await findTool(['ccache'], ['--version'], (text) => /version (\S+)/.exec(text)?.[1], context);
  if (found !== undefined) return ok(found.version);
  return missing(context, 'ccache is not on the PATH', 'Install ccache.', ['ccache']);
}
