import { Command, Option } from 'commander';

import { PLATFORMS, type Platform } from '../model/platform.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { runAction } from './run-action.ts';

interface BundleFlags {
  readonly out: string;
  readonly platform?: Platform;
  readonly node?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function bundleCommand(): Command {
  return new Command('bundle')
    .option('-o, --out <file>', 'the archive to write', 'pawl-bundle.tar.xz')
    .addOption(
      new Option('--platform <platform>', 'the platform to run on (default: this one)').choices(PLATFORMS),
    )
    .option(
      '--node <binary>',
      'the Node to include (default: the one running now, or the same version from npm)',
    )
    .option('--json', 'print path and size as JSON')
    .option('-q, --quiet', 'no progress display')
    .addHelpText(
      'after',
      `
The host needs only a compiler for the kernels: unpack the archive and run pawl/bin/pawl. It must have the processor
architecture of --platform, and a GNU C library at least as new as the one that Node was built for. For another
architecture, npm fetches the parts that differ.

Examples:
  pawl bundle --out pawl.tar.xz                  for hosts like this one
  pawl bundle --platform linux-x64               on an Arm laptop, for a GPU host
  pawl bundle --platform linux-x64 --node node-v24/bin/node   with a Node binary of your own
${EXIT_CODE_HELP}`,
    )
    .action((flags: BundleFlags) =>
      runAction(flags, async (door) => {
        const { bundle, bundleNextSteps } = await import('../workflows/bundle.ts');
        const { json, quiet: _, ...options } = flags;
        const outcome = await bundle({ ...options, signal: door.signal, onProgress: door.onProgress });
        door.print(json === true ? JSON.stringify(outcome) : bundleNextSteps(outcome));
        return EXIT.good;
      }),
    );
}
