import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { freePorts } from '../services/free-ports.ts';

const SCRIPT = resolve(import.meta.dirname, '../../tools/slurm-sandbox.sh');
const PROGRAMS = ['slurmctld', 'slurmd', 'sbatch', 'squeue', 'munged'];

function isInstalled(): boolean {
  return PROGRAMS.every((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0);
}

/** Why there can be no Slurm here; undefined where there can. Installs it where it is missing. */
export function whyNoSlurm(): string | undefined {
  if (process.getuid?.() !== 0) return 'a Slurm of one machine needs root';
  if (isInstalled()) return undefined;
  spawnSync(SCRIPT, ['install'], { stdio: 'ignore' });
  return isInstalled() ? undefined : 'Slurm cannot be installed here';
}

/** A real Slurm with four nodes on this machine, in a folder and on ports of its own. */
export class SlurmSandbox {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async start(): Promise<SlurmSandbox> {
    const folder = mkdtempSync(join(tmpdir(), 'pawl-slurm-'));
    const port = await freePorts(5);
    execFileSync(SCRIPT, ['up', folder, String(port)], { stdio: ['ignore', 'ignore', 'inherit'] });
    return new SlurmSandbox(folder);
  }

  get env(): NodeJS.ProcessEnv {
    return { ...process.env, SLURM_CONF: join(this.folder, 'slurm.conf') };
  }

  killNode(node: string): void {
    execFileSync(SCRIPT, ['kill-node', this.folder, node]);
  }

  /** Killed nodes are there again: the next test, or this one when it is tried again, finds all four. */
  revive(): void {
    execFileSync(SCRIPT, ['revive', this.folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  }

  run(program: string, ...args: readonly string[]): string {
    return execFileSync(program, args, { env: this.env, encoding: 'utf8' });
  }

  stop(): void {
    execFileSync(SCRIPT, ['down', this.folder]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
