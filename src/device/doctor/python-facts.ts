import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { candidateEnvironment } from '../candidate-environment.ts';
import { findPython } from '../python.ts';
import type { PythonLookup } from '../python.ts';
import { runCommand } from '../../os/run-command.ts';

const versionsSchema = z.object({
  modules: z.record(z.string(), z.string()),
  /** Why a module that is there cannot be used. */
  problems: z.record(z.string(), z.string()).default({}),
  pip: z.boolean(),
  /** PEP 668: the distribution owns this Python, and pip refuses to install into it. */
  externally_managed: z.boolean(),
});
const torchSchema = z.object({ cuda: z.boolean(), devices: z.int(), built_for: z.string().nullable() });

export interface PythonFacts {
  readonly lookup: PythonLookup;
  readonly versions?: z.infer<typeof versionsSchema>;
  readonly torch?: z.infer<typeof torchSchema>;
  /** Why the facts above are not complete. */
  readonly problem?: string;
}

/**
 * Asks what candidates ask themselves (`runner/python/pawl_candidate/requirements.py`), so that the doctor and the
 * runner cannot disagree.
 */
export async function pythonFacts(
  env: NodeJS.ProcessEnv,
  {
    hasGpu,
    requirements,
    timeout_ms,
    signal,
  }: {
    readonly hasGpu: Promise<boolean>;
    /** The program that says what candidates need. */
    readonly requirements: string;
    readonly timeout_ms: number;
    readonly signal: AbortSignal;
  },
): Promise<PythonFacts> {
  const lookup = await findPython({ env, timeout_ms, signal });
  if (lookup.status !== 'found') return { lookup };
  const run = await runCommand(lookup.path, ['-B', requirements, (await hasGpu) ? 'gpu' : 'no-gpu'], {
    env: candidateEnvironment(env),
    timeout_ms,
    signal,
  });
  if (run.status === 'missing') return { lookup, problem: run.message };
  // What a site's start-up files print is not ours.
  const [first, second] = run.stdout.split('\n').filter((line) => line.startsWith('{'));
  const problem =
    run.status === 'exited' && run.code === 0
      ? undefined
      : (run.stderr.trim().split('\n').at(-1) ?? '') || `python was ${run.status}`;
  return {
    lookup,
    ...(first === undefined ? {} : { versions: versionsSchema.parse(JSON.parse(first)) }),
    ...(second === undefined ? {} : { torch: torchSchema.parse(JSON.parse(second)) }),
    ...defined({ problem }),
  };
}
