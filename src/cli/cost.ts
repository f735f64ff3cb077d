import { Command, Option } from 'commander';

import { COST_GROUPS, type CostGroup } from '../model/device/cost.ts';
import { defined } from '../model/defined.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { configOption, moment } from './options.ts';
import { runAction } from './run-action.ts';

interface CostFlags {
  readonly config?: string;
  readonly ledger?: string;
  readonly by: CostGroup;
  readonly since?: Date;
  readonly json?: boolean;
}

export function costCommand(): Command {
  return new Command('cost')
    .addOption(configOption())
    .option('--ledger <file>', 'the ledger (default: $PAWL_COST_LEDGER, or .pawl/costs.jsonl)')
    .addOption(new Option('--by <group>', 'what a row stands for').choices(COST_GROUPS).default('run'))
    .option('--since <when>', 'a date (2026-07-01), or 12h, 30d, 8w: only runs since then', moment)
    .option('--json', 'print the report as JSON (schema pawl.cost/1)')
    .addHelpText(
      'after',
      `
Every command that uses a device adds a line to the ledger when it is done: bench, check, compare, fuzz, profile,
tune. Money is device time at the price that pawl.yaml had then; without a price, only time is shown:

  cost: { currency: USD, per_hour: { "NVIDIA H200": 3.9 } }

Examples:
  pawl cost                        run by run
  pawl cost --by pr --since 30d    pull requests of the last thirty days
  pawl cost --by month --json      for scripts
${EXIT_CODE_HELP}`,
    )
    .action((flags: CostFlags) =>
      runAction(flags, async (door) => {
        const { cost } = await import('../workflows/cost.ts');
        const { json: _, ...rest } = flags;
        const report = await cost(defined(rest));
        await door.tell(report, async () =>
          (await import('../report/terminal/cost-terminal.ts')).renderCost(report, {
            color: door.color,
            columns: process.stdout.columns,
          }),
        );
        return EXIT.good;
      }),
    );
}
