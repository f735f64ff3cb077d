import { Command } from 'commander';

import { omit } from '../model/omit.ts';
import type { BuildFailureReason } from '../model/reports/build-report.ts';
import type { Variant } from '../model/problem/variant.ts';
import { EXIT, EXIT_CODE_HELP, FAILURE_EXIT } from './exit-codes.ts';
import { onlyOption, variantOption, withOutput, type OutputFlags } from './option-groups.ts';
import { configOption, positiveInteger } from './options.ts';
import { runAction } from './run-action.ts';

const NOT_THE_KERNELS = new Set<BuildFailureReason>(['compiler-missing', 'out-of-resources', 'cancelled']);

interface BuildFlags extends OutputFlags {
  readonly config?: string;
  readonly only?: string[];
  readonly variant?: Variant;
  readonly parallel?: number;
  readonly dryRun?: boolean;
  readonly verbose?: boolean;
}

export function buildCommand(): Command {
  const command = new Command('build')
    .addOption(configOption())
    .addOption(onlyOption('build'))
    .addOption(variantOption())
    .option('--parallel <n>', 'compilers at once (default: one per CPU)', positiveInteger)
    .option('--dry-run', 'show the commands without running them')
    .option('-v, --verbose', 'show the resources of every instantiation of a template, not their range');
  return withOutput(command, 'the build report as JSON (schema pawl.build/1)')
    .addHelpText(
      'after',
      `
The cache key of a build is its content: sources and everything they include, flags, tunables, compiler version and
architecture. A new file date does not cause a rebuild; a changed header always does.
For CUDA the report shows registers, spills and shared memory of every function; instantiations of one template
share a line, with their range and the worst spill.

Examples:
  pawl build                                   every kernel of pawl.yaml
  pawl build --only attention-cuda --dry-run   show the commands
  pawl build --only attention-cpu --variant BLOCK_M=64 --json
${EXIT_CODE_HELP}`,
    )
    .action((flags: BuildFlags) =>
      runAction(flags, async (door) => {
        const [{ buildKernels }, { openProject }] = await Promise.all([
          import('../workflows/runs/build-kernels.ts'),
          import('../workflows/project.ts'),
        ]);
        const loaded = await openProject(flags.config);
        const report = await buildKernels({
          loaded,
          ...omit(flags, 'config', 'json', 'quiet', 'verbose'),
          signal: door.signal,
          onProgress: door.onProgress,
        });
        await door.tell(report, async () =>
          (await import('../report/terminal/build-terminal.ts')).buildTerminal(report, door),
        );
        const failed = report.kernels.flatMap((kernel) => (kernel.status === 'failed' ? kernel.reason : []));
        if (failed.length === 0) return EXIT.good;
        // A machine without a compiler, or without room, says nothing about the kernel.
        return failed.every((reason) => NOT_THE_KERNELS.has(reason)) ? FAILURE_EXIT.unavailable : EXIT.bad;
      }),
    );
}
