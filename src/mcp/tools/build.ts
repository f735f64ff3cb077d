import { z } from 'zod';

import { builtItemSchema, kernelResourcesSchema, type BuiltItem } from '../../model/reports/build-report.ts';
import { defined } from '../../model/defined.ts';
import { dryRunField, onlyFields, variantField } from '../inputs.ts';
import { lines, list, pick, text } from '../told.ts';
import { tool, workOf } from '../tool.ts';

const resourcesTold = z.object({
  ...pick(kernelResourcesSchema, 'arch', 'registers', 'spill_store_bytes', 'spill_load_bytes', 'smem_bytes'),
  function: text(200),
});

const itemTold = z.object({
  ...pick(builtItemSchema, 'kernel', 'part', 'status', 'reason', 'message', 'hint'),
  log: lines().optional(),
  resources: list(resourcesTold, 8, '`pawl build` shows all.').optional(),
});

export const buildTool = tool({
  name: 'pawl_build',
  title: 'Build kernels',
  description:
    'Compiles kernels and their oracles, with a cache. Use it after an edit to see compiler errors early. Returns ok, and for each library its status, the last lines of the compiler (log) if it failed, and for CUDA registers, spills and shared memory of each function.',
  effect: 'works',
  isIdempotent: true,
  input: z.strictObject({ ...onlyFields, variant: variantField, dry_run: dryRunField }),
  output: z.object({
    ok: z.boolean(),
    seconds: z.number(),
    kernels: list(itemTold, 40, 'Name kernels in only.'),
  }),
  async run({ dry_run: dryRun, ...asked }, call) {
    const [{ buildKernels }, { openProject }] = await Promise.all([
      import('../../workflows/runs/build-kernels.ts'),
      import('../../workflows/project.ts'),
    ]);
    const loaded = await openProject(call.project.config);
    const { kernels, duration_ms } = await buildKernels({
      ...workOf(call),
      loaded,
      ...defined({ ...asked, dryRun }),
    });
    const failed = kernels.filter(({ status }) => status === 'failed');
    const others = kernels.filter(({ status }) => status !== 'failed').map(withoutLog);
    return {
      summary:
        failed.length === 0
          ? `${kernels.length} libraries: all built.`
          : `${failed.length} of ${kernels.length} libraries failed to build.`,
      value: {
        ok: failed.length === 0,
        seconds: duration_ms / 1000,
        kernels: [...failed, ...others],
      },
    };
  },
});

/** What a compiler says of what it has built is of no use to an assistant. */
function withoutLog(item: BuiltItem) {
  return { ...item, log: undefined };
}
