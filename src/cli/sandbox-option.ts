import { Option, type Command } from 'commander';

import { SANDBOX_MODES, SANDBOX_VARIABLE } from '../model/device/sandbox.ts';

/** Every command that runs or compiles kernels has it. What it starts finds the answer in its environment. */
export function withSandboxOption(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--sandbox <mode>',
        'confine kernels and compilers: auto (as far as possible), require (fully, or fail), off (default auto)',
      ).choices(SANDBOX_MODES),
    )
    .on('option:sandbox', (mode: string) => {
      process.env[SANDBOX_VARIABLE] = mode;
    });
}
