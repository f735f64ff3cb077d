import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { aptInstall } from './apt-install.ts';

const answers = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** By a timer, which needs no counters: a container may forbid even that. */
function samples(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-perf-'));
  const args = ['record', '-q', '-e', 'cpu-clock:u', '-o', join(folder, 'data'), '--', 'true'];
  const { status } = spawnSync('perf', args, { stdio: 'ignore' });
  rmSync(folder, { recursive: true });
  return status === 0;
}

/** Why CPU kernels cannot be sampled by line here; undefined where they can. Installs what is missing. */
export function whyNoPerf(): string | undefined {
  if (!answers('perf')) aptInstall('linux-perf');
  if (!answers('perf')) return 'perf is not installed, and cannot be installed without root';
  if (!answers('addr2line')) aptInstall('binutils');
  if (!answers('addr2line')) return 'addr2line is not installed, and cannot be installed without root';
  return samples() ? undefined : 'perf may not sample here (perf_event_paranoid, or a container)';
}
