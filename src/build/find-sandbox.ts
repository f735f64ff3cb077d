import { z } from 'zod';

import { runCommand } from '../os/run-command.ts';
import { demandProtections, protectionsSchema, sandboxMode } from '../model/device/sandbox.ts';
import { buildRunners, sandboxJob } from './runner-recipes.ts';
import type { ProcessContext } from '../os/run-context.ts';

/** What foreign code is compiled in. */
export interface Sandbox {
  /** `pawl-sandbox`; undefined where it is switched off or cannot be had. */
  readonly program: string | undefined;
  readonly protections: readonly string[];
  /** Why there is none, where one was wanted. */
  readonly problem?: string;
}

type Setting = Partial<Pick<ProcessContext, 'signal' | 'onProgress' | 'env'>>;

const LIST_TIMEOUT_MS = 10_000;

const listSchema = z.object({ protections: protectionsSchema });

/** The sandbox of this machine, as $PAWL_SANDBOX asks for it. Throws where less is there than is demanded. */
export async function findSandbox(setting: Setting = {}): Promise<Sandbox> {
  const mode = sandboxMode(setting.env ?? process.env);
  if (mode === 'off') return { program: undefined, protections: [] };
  const { onProgress, ...machine } = setting;
  const sandbox = await whatThereIs(machine);
  if (mode === 'require') demandProtections(sandbox.protections, sandbox.problem ?? 'this machine');
  if (sandbox.problem !== undefined) {
    const text = `Sources are compiled without a sandbox: ${sandbox.problem}`;
    onProgress?.({ type: 'note', level: 'warning', text });
  }
  return sandbox;
}

/** Builds the program where that was not done before, and asks it what this machine offers. */
export async function whatThereIs(setting: Omit<Setting, 'onProgress'>): Promise<Sandbox> {
  const [outcome] = await buildRunners([sandboxJob()], setting);
  if (outcome === undefined || (outcome.status !== 'built' && outcome.status !== 'cached')) {
    const why = outcome?.status === 'failed' ? outcome.message : 'it was not built';
    return absent(`pawl-sandbox could not be built: ${why}`);
  }
  const run = await runCommand(outcome.artifact, ['--list'], { timeout_ms: LIST_TIMEOUT_MS });
  if (run.status !== 'exited' || run.code !== 0) {
    const why = run.status === 'missing' ? run.message : run.stderr.trim() || run.status;
    return absent(`pawl-sandbox does not run here: ${why}`);
  }
  return { program: outcome.artifact, ...listSchema.parse(JSON.parse(run.stdout)) };
}

function absent(problem: string): Sandbox {
  return { program: undefined, protections: [], problem };
}
