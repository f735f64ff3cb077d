import { Command, Option } from 'commander';

import { defined } from '../model/defined.ts';
import { RULE_IDS, type RuleId } from '../model/profile/diagnosis-words.ts';
import { TRY_OUTCOME } from '../model/learn/try-outcome.ts';
import type { Variant } from '../model/problem/variant.ts';
import { EXIT } from './exit-codes.ts';
import { acceptJudgeOption, percent, variant } from './options.ts';
import { runAction } from './run-action.ts';
import { terminal, workflow, working, workOf, type WorkFlags } from './session-options.ts';

interface TryFlags extends WorkFlags {
  readonly hypothesis: string;
  readonly finding?: RuleId;
  readonly idea?: string;
  readonly predict?: number;
  readonly set?: Variant;
  readonly look?: boolean;
  readonly anyway?: string;
  readonly learnt?: string;
  readonly keep?: boolean;
  readonly revert?: boolean;
  readonly acceptJudgeChange?: boolean;
}

export function sessionTryCommand(): Command {
  return working(new Command('try').description('measure the current change against the last kept state'))
    .requiredOption('--hypothesis <text>', 'what you expect, and why')
    .addOption(new Option('--finding <rule>', 'the finding that it addresses').choices([...RULE_IDS]))
    .option('--idea <name>', 'count tries of this idea together (default: the finding, or what changed)')
    .option('--predict <percent>', 'how much of the time it should save (default: from the advice)', share)
    .option(
      '--set <NAME=VALUE>',
      'try this value of a tunable; written to pawl.yaml if the try is kept',
      variant,
    )
    .option('--look', 'only show what changed and what is known about it; measure nothing')
    .option('--anyway <reason>', 'measure despite blocking flags')
    .option('--learnt <text>', 'what you learned from it')
    .addOption(new Option('--keep', 'keep it even if it did not improve').conflicts('revert'))
    .option('--revert', 'restore the files after measuring; the try stays under its ref')
    .addOption(acceptJudgeOption())
    .action((flags: TryFlags) =>
      runAction(flags, async (door) => {
        const { tryChange, STOPPING_FLAGS } = await workflow();
        const tried = await tryChange({
          ...workOf(flags, door),
          ...defined({
            rule: flags.finding,
            idea: flags.idea,
            predict: flags.predict,
            set: flags.set,
            anyway: flags.anyway,
            learnt: flags.learnt,
            acceptJudgeChange: flags.acceptJudgeChange,
          }),
          ...(flags.keep === true ? { after: 'keep' as const } : {}),
          ...(flags.revert === true ? { after: 'revert' as const } : {}),
          hypothesis: flags.hypothesis,
          measure: flags.look !== true,
        });
        const stopping = tried.try.flags.filter((flag) => STOPPING_FLAGS.includes(flag));
        const how = { stopping, isLook: flags.look === true, isReverted: flags.revert === true };
        await door.tell(tried, async () => (await terminal()).renderTry(tried, how, door));
        if (!tried.measured) return stopping.length === 0 ? EXIT.good : EXIT.bad;
        return EXIT[TRY_OUTCOME[tried.try.outcome ?? 'undecided'].result];
      }),
    );
}

/** `10`, `10%`. */
function share(text: string): number {
  return percent(text.replace(/\s*%$/u, ''));
}
