import { z } from 'zod';

import type { BuiltItem } from '../../model/build-report.ts';
import { defined } from '../../model/defined.ts';
import { cutList, listSchema } from '../bounded.ts';
import { onlyField, variantField } from '../inputs.ts';
import { tool } from '../tool.ts';
import { nameOf, nameSchema, untrusted, untrustedLines, untrustedSchema } from '../untrusted.ts';

export const buildTool = tool({
  name: 'pawl_build',
  title: 'Build kernels',
  description:
    'Compiles kernels and their oracles from a cache that knows their contents. For CUDA: registers, spills and shared memory of every function. dry_run shows what would be built.',
  effect: 'works',
  isIdempotent: true,
  input: z.strictObject({
    only: onlyField,
    variant: variantField,
    dry_run: z.boolean().optional(),
  }),
  output: z.object({
    ok: z.boolean(),
    seconds: z.number(),
    kernels: listSchema(
      z.object({
        kernel: nameSchema,
        part: z.enum(['kernel', 'oracle']),
        status: z.enum(['built', 'cached', 'planned', 'failed', 'skipped']),
        reason: untrustedSchema.optional(),
        hint: untrustedSchema.optional(),
        log: untrustedSchema.optional().describe('The last lines of what the compiler said.'),
        resources: listSchema(
          z.object({
            function: untrustedSchema,
            arch: z.string(),
            registers: z.int(),
            spill_bytes: z.int(),
            smem_bytes: z.int(),
          }),
        ).optional(),
      }),
    ),
  }),
  async run({ only, variant, dry_run: dryRun }, { project, signal, onProgress }) {
    const [{ buildKernels }, { openProject }] = await Promise.all([
      import('../../workflows/build-kernels.ts'),
      import('../../workflows/project.ts'),
    ]);
    const loaded = await openProject(project.config);
    const report = await buildKernels({ loaded, ...defined({ only, variant, dryRun }), signal, onProgress });
    const failed = report.kernels.filter(({ status }) => status === 'failed').length;
    return {
      summary:
        failed === 0
          ? `${report.kernels.length} libraries: all built.`
          : `${failed} of ${report.kernels.length} libraries failed to build.`,
      value: {
        ok: failed === 0,
        seconds: report.duration_ms / 1000,
        kernels: cutList(
          report.kernels.toSorted((one) => (one.status === 'failed' ? -1 : 1)).map(itemValue),
          40,
          'Name kernels in only.',
        ),
      },
    };
  },
});

function itemValue(item: BuiltItem) {
  const base = { kernel: nameOf(item.kernel), part: item.part, status: item.status };
  switch (item.status) {
    case 'built':
    case 'cached':
      return item.resources.length === 0
        ? base
        : { ...base, resources: cutList(item.resources.map(resourcesValue), 8, '`pawl build` shows all.') };
    case 'planned':
      return base;
    case 'failed':
      return {
        ...base,
        reason: untrusted(`${item.reason}: ${item.message}`),
        log: untrustedLines(item.log),
        ...(item.hint === undefined ? {} : { hint: untrusted(item.hint) }),
      };
    case 'skipped':
      return { ...base, reason: untrusted(item.reason) };
  }
}

function resourcesValue(one: Extract<BuiltItem, { status: 'built' | 'cached' }>['resources'][number]) {
  return {
    function: untrusted(one.function, 200),
    arch: one.arch,
    registers: one.registers,
    spill_bytes: one.spill_store_bytes + one.spill_load_bytes,
    smem_bytes: one.smem_bytes,
  };
}
