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
    .argument('<description>', 'the description in the form of the template: a file, or - for standard input')
    .option('--comparison <file>', 'from pawl compare --json or pawl check --json')
    .option('--baseline <file>', 'or the samples of both sides')
    .option('--candidate <file>', 'also says dimensions, and whether results were right')
    .option('--kernel <kernel>', 'which kernel the claim is about, where several have cases of one name')
    .option('--root <folder>', 'look here for the evidence that the description names')
    .option('-C, --config <path>', 'pawl.yaml, for thresholds.claim_pct')
    .option('--at-least <percent>', 'what a claim needs (default: claim_pct, 10)', percent)
    .option('--json', 'print the findings as JSON (schema pawl.claim/1)')
    .addHelpText(
      'after',
      `
A claimed improvement needs at least 10 % with its interval clear of zero, |δ| of 0.3, results that were checked,
named evidence, and numbers that agree with the measurement. Ends with 0 when it is proven, 1 when it is not,
2 when something is missing.

Examples:
  pawl compare before.json after.json --json > c.json; pawl claim pr.md --comparison c.json --candidate after.json
${EXIT_CODE_HELP}`,
    )
    .action((description: string, flags: ClaimFlags) =>
      runAction(flags, async (door) => {
        const { claim } = await import('../workflows/claim.ts');
        const { atLeast, json, ...rest } = flags;
        const report = await claim({
          ...rest,
          ...defined({ claim_pct: atLeast }),
          description: description === '-' ? { text: await standardInput() } : { path: description },
        });
        if (json === true) door.print(JSON.stringify(report, undefined, 2));
        else {
          const { renderClaim } = await import('../report/claim-terminal.ts');
          door.print(renderClaim(report, { color: door.color }));
        }
        return CLAIM_EXIT[report.verdict];
      }),
    );
}

async function standardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
