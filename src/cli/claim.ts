import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { percent } from './options.ts';
import { runAction } from './run-action.ts';

interface ClaimFlags {
  readonly comparison?: string;
  readonly baseline?: string;
  readonly candidate?: string;
  readonly kernel?: string;
  readonly root?: string;
  readonly config?: string;
  readonly atLeast?: number;
  readonly json?: boolean;
}

const CLAIM_EXIT = { proven: EXIT.good, 'not-proven': EXIT.bad, incomplete: EXIT.undecided } as const;

export function claimCommand(): Command {
  return new Command('claim')
    .argument('<description>', 'the description, written with the template: a file, or - for standard input')
    .option('--comparison <file>', 'the output of pawl compare --json or pawl check --json')
    .option('--baseline <file>', 'instead of --comparison: samples of the baseline')
    .option('--candidate <file>', 'samples of the candidate: dimensions, and whether results were right')
    .option('--kernel <kernel>', 'the kernel that the claim is about, if several have cases of that name')
    .option('--root <folder>', 'the folder with the evidence that the description names')
    .option('-C, --config <path>', 'pawl.yaml, for thresholds.claim_pct')
    .option('--at-least <percent>', 'the least improvement to accept (default: claim_pct, 10)', percent)
    .option('--json', 'print the findings as JSON (schema pawl.claim/1)')
    .addHelpText(
      'after',
      `
A claimed improvement must be at least 10 %, with an interval that excludes zero and |δ| of at least 0.3. Its results
must be checked, its evidence named, and its numbers must agree with the measurement. Exit code: 0 if proven, 1 if
not, 2 if something is missing.

Examples:
  pawl compare before.json after.json --json > c.json; pawl claim pr.md --comparison c.json --candidate after.json
${EXIT_CODE_HELP}`,
    )
    .action((description: string, flags: ClaimFlags) =>
      runAction(flags, async (door) => {
        const { claim } = await import('../workflows/claim.ts');
        const { atLeast, json: _, ...rest } = flags;
        const report = await claim({
          ...rest,
          ...defined({ claim_pct: atLeast }),
          description: description === '-' ? { text: await standardInput() } : { path: description },
        });
        await door.tell(report, async () =>
          (await import('../report/terminal/claim-terminal.ts')).renderClaim(report, door),
        );
        return CLAIM_EXIT[report.verdict];
      }),
    );
}

async function standardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
