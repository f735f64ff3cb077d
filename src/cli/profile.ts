import { Command, Option } from 'commander';

import { defined } from '../model/defined.ts';
import type { Mode } from '../model/problem/mode.ts';
import { MODES } from '../model/problem/mode.ts';
import type { Variant } from '../model/problem/variant.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import {
  deviceOptions,
  timeoutOption,
  variantOption,
  withDevice,
  type DeviceFlags,
} from './option-groups.ts';
import { configOption } from './options.ts';
import { runAction } from './run-action.ts';

interface ProfileFlags extends DeviceFlags {
  readonly config?: string;
  readonly case?: string;
  readonly variant?: Variant;
  readonly base?: string;
  readonly mode?: Mode;
  readonly set: 'full' | 'fast';
  readonly out?: string;
  readonly timeout: number;
  readonly verbose?: boolean;
}

export function profileCommand(): Command {
  const command = new Command('profile')
    .argument('<kernel>', 'a kernel of pawl.yaml')
    .addOption(configOption())
    .option('--case <case>', 'the case to profile (default: the first)')
    .addOption(variantOption())
    .option('--base <revision>', 'also profile this commit, branch or tag on the same device, and compare')
    .addOption(
      new Option('--mode <mode>', "cold empties the caches before each pass (default: pawl.yaml's)").choices(
        MODES,
      ),
    )
    .addOption(
      new Option(
        '--set <set>',
        'full: everything ncu collects; fast: only what the rules need, and source lines',
      )
        .choices(['full', 'fast'])
        .default('full'),
    )
    .option('-o, --out <folder>', 'where to write the files (default: .pawl/profiles/<time>-<kernel>-<case>)')
    .addOption(timeoutOption('give up a capture after this long').default(300))
    .option(
      '-v, --verbose',
      "also show what ncu's own rules said, sources, and metrics that were not collected",
    );
  return withDevice(command, 'the report as JSON (schema pawl.profile/1)')
    .addHelpText(
      'after',
      `
CUDA kernels run under Nsight Compute (ncu on the PATH, in $CUDA_HOME or the toolkit, or $PAWL_NCU), CPU kernels
under perf stat. Only the kernel's own launches are profiled, with clocks as they are. If there is no profiler, or it
may not read counters, the reason and the fix are printed, and the exit code is 2 (docs/profiling.md).
The most expensive lines follow the findings, with source and instructions; -v shows all of them.

Examples:
  pawl profile attention-cuda --case training_512
  pawl profile attention-cuda --base main        what changed, in one sentence first
  pawl profile attention-cuda --set fast --json  for scripts
${EXIT_CODE_HELP}`,
    )
    .action((kernel: string, flags: ProfileFlags) =>
      runAction(flags, async (door) => {
        const { profileKernel } = await import('../workflows/runs/profile.ts');
        const { config, case: name, variant: tunables, base, mode, out } = flags;
        const report = await profileKernel({
          ...defined({ config, case: name, variant: tunables, base, mode, out }),
          kernel,
          set: flags.set,
          timeout_s: flags.timeout,
          ...deviceOptions(flags, door),
        });
        await door.tell(report, async () =>
          (await import('../report/terminal/profile-terminal.ts')).renderProfile(report, door),
        );
        return report.skipped === undefined ? EXIT.good : EXIT.undecided;
      }),
    );
}
