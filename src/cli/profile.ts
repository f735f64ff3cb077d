import { Command, Option } from 'commander';

import { defined } from '../model/defined.ts';
import type { Mode } from '../model/mode.ts';
import { MODES } from '../model/mode.ts';
import type { Variant } from '../model/variant.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { configOption, seconds, variant, wholeNumber } from './options.ts';
import { runAction } from './run-action.ts';

interface ProfileFlags {
  readonly config?: string;
  readonly case?: string;
  readonly variant?: Variant;
  readonly base?: string;
  readonly mode?: Mode;
  readonly set: 'full' | 'fast';
  readonly out?: string;
  readonly gpu: number;
  readonly timeout: number;
  readonly wait: number;
  readonly verbose?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function profileCommand(): Command {
  return new Command('profile')
    .description('run a case under a profiler, say what limits it, and what changed since another revision')
    .argument('<kernel>', 'a kernel of pawl.yaml')
    .addOption(configOption())
    .option('--case <case>', 'which case (default: its first)')
    .option('--variant <NAME=VALUE>', 'set tunables; the others keep their defaults', variant)
    .option('--base <revision>', 'profile this commit, branch or tag too, on the same device, and compare')
    .addOption(
      new Option('--mode <mode>', "cold empties the caches before each pass (default: pawl.yaml's)").choices(
        MODES,
      ),
    )
    .addOption(
      new Option('--set <set>', 'full: everything ncu collects; fast: what the rules read')
        .choices(['full', 'fast'])
        .default('full'),
    )
    .option('-o, --out <folder>', 'where the files go (default: .pawl/profiles/<time>-<kernel>-<case>)')
    .option('--gpu <index>', 'which GPU, as nvidia-smi counts', wholeNumber, 0)
    .option('--timeout <seconds>', 'give up a capture after this long', seconds, 300)
    .option('--wait <seconds>', 'wait this long for a device that another Pawl is using', seconds, 0)
    .option('-v, --verbose', "also what ncu's own rules said, sources, and metrics that were not collected")
    .option('--json', 'print the report as JSON (schema pawl.profile/1)')
    .option('-q, --quiet', 'no progress display')
    .addHelpText(
      'after',
      `
CUDA kernels run under Nsight Compute (ncu on the PATH, in $CUDA_HOME or the toolkit, or $PAWL_NCU), CPU kernels
under perf stat. Only the kernel's own launches are looked at, with clocks as they are. Where there is no profiler,
or it may not count, the reason and the remedy are printed and the exit code is 2 (docs/profiling.md).

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
          gpu: flags.gpu,
          timeout_s: flags.timeout,
          wait_s: flags.wait,
          signal: door.signal,
          onProgress: door.onProgress,
        });
        if (flags.json === true) door.print(JSON.stringify(report, undefined, 2));
        else {
          const { renderProfile } = await import('../report/profile-terminal.ts');
          const { color, columns } = door;
          door.print(renderProfile(report, { color, columns, verbose: flags.verbose === true }));
        }
        return report.skipped === undefined ? EXIT.good : EXIT.undecided;
      }),
    );
}
