import { Command } from 'commander';

import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { runAction } from './run-action.ts';

interface BundleFlags {
  readonly out: string;
  readonly node?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function bundleCommand(): Command {
  return new Command('bundle')
    .description('pack Pawl with its own Node into one archive, for a host that has no Node')
    .option('-o, --out <file>', 'the archive to write', 'pawl-bundle.tar.xz')
    .option('--node <binary>', 'the Node to put in (default: the one running now)')
    .option('--json', 'print path and size as JSON')
    .option('-q, --quiet', 'no progress display')
    .addHelpText(
      'after',
      `
The archive needs nothing on the other side but a compiler for the kernels: unpack it and run pawl/bin/pawl.
The host must have the same processor architecture and a C library no older than this one's.
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
