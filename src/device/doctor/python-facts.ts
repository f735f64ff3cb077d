import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { candidateEnvironment } from '../candidate-environment.ts';
import { findPython } from '../python.ts';
import type { PythonLookup } from '../python.ts';
import { runCommand } from '../../os/run-command.ts';

const versionsSchema = z.object({
  modules: z.record(z.string(), z.string()),
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
 * Versions come from package metadata, which costs nothing; `import torch` takes seconds, so its line comes
 * second and only where there is a GPU to ask it about. A time-out then still leaves the first line.
 */
const PROBE = `
import importlib.metadata as metadata, importlib.util, json, os, sys, sysconfig
modules = {}
for name in ("numpy", "torch", "triton"):
    try:
        modules[name] = metadata.version(name)
    except metadata.PackageNotFoundError:
        pass
marker = os.path.join(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED")
print(json.dumps({
    "modules": modules,
    "pip": importlib.util.find_spec("pip") is not None,
    "externally_managed": sys.prefix == sys.base_prefix and os.path.exists(marker),
}), flush=True)
if "torch" in modules and sys.argv[1] == "gpu":
    import torch
    print(json.dumps({
        "cuda": torch.cuda.is_available(),
        "devices": torch.cuda.device_count(),
        "built_for": torch.version.cuda,
    }), flush=True)
`;

export async function pythonFacts(
  env: NodeJS.ProcessEnv,
  hasGpu: Promise<boolean>,
  timeout_ms: number,
  signal: AbortSignal,
): Promise<PythonFacts> {
  const lookup = await findPython({ env, timeout_ms, signal });
  if (lookup.status !== 'found') return { lookup };
  const run = await runCommand(lookup.path, ['-c', PROBE, (await hasGpu) ? 'gpu' : 'no-gpu'], {
    // It imports by name from the folder it runs in, where a project's own torch.py would be found first.
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
