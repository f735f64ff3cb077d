import type { CodeReport } from '../../model/profile/profile-report.ts';
import { findProgram } from '../../os/find-program.ts';
import { runCommand } from '../../os/run-command.ts';
import { findInCode } from './code-rules.ts';
import { readLoops } from './read-loops.ts';

/** Far longer than any kernel takes. */
const TIMEOUT_MS = 30_000;

/** What a library of a CPU kernel shows without running it; undefined where nothing can read it here. */
export async function readCode(
  library: string,
  {
    flags,
    env,
    signal,
    now,
  }: {
    readonly flags: readonly string[];
    readonly env: NodeJS.ProcessEnv;
    readonly signal: AbortSignal;
    readonly now: () => Date;
  },
): Promise<CodeReport | undefined> {
  const objdump = await findProgram('objdump', env);
  if (objdump === undefined) return undefined;
  const args = ['-d', '--no-show-raw-insn', library];
  const run = await runCommand(objdump, args, { env, signal, timeout_ms: TIMEOUT_MS });
  if (run.status !== 'exited' || run.code !== 0 || run.truncated) return undefined;
  const loops = readLoops(run.stdout);
  return { read_at: now().toISOString(), loops: loops.length, findings: findInCode({ loops, flags }) };
}
