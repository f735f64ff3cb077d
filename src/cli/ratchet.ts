import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { acceptLoadOption, configOption, positiveInteger, slowdown } from './options.ts';
import { runAction } from './run-action.ts';

interface RatchetFlags {
  readonly config?: string;
  readonly baseline?: string;
  readonly json?: boolean;
}

interface ReasonFlags extends RatchetFlags {
  readonly reason: string;
  readonly author?: string;
}

interface WaiveFlags extends ReasonFlags {
  readonly expires: string;
  readonly slower?: number;
  readonly comparison?: string;
}

export function ratchetCommand(): Command {
  return new Command('ratchet')
    .addCommand(showCommand())
    .addCommand(logCommand())
    .addCommand(verifyCommand())
    .addCommand(advanceCommand())
    .addCommand(waiveCommand())
    .addCommand(unwaiveCommand())
    .addCommand(resetCommand())
    .addCommand(signCommand())
    .addHelpText(
      'after',
      `
\`pawl check --update\` adds new cases and confirmed improvements to the baseline. These commands show it, or change it
on purpose; every change is in its log, with author and reason.

Patterns name entries as kernel/case; * stands for anything.
${EXIT_CODE_HELP}`,
    );
}

function common(command: Command): Command {
  return command
    .addOption(configOption())
    .option('--baseline <file>', 'the baseline file (default: pawl-baseline.json beside pawl.yaml)')
    .option('--json', 'print it as JSON');
}

function showCommand(): Command {
  return common(new Command('show').description('show the entries, and the waivers in force')).action(
    (flags: RatchetFlags) =>
      runAction(flags, async (door) => {
        const { showBaseline } = await import('../workflows/ratchet.ts');
        const { renderBaseline } = await import('../report/terminal/baseline-terminal.ts');
        const view = await showBaseline(flags);
        await door.tell(view, () => renderBaseline(view, process.stdout.columns));
        return EXIT.good;
      }),
  );
}

function logCommand(): Command {
  return common(
    new Command('log')
      .description('show the history of each entry')
      .argument('[pattern]', 'only entries that match'),
  ).action((pattern: string | undefined, flags: RatchetFlags) =>
    runAction(flags, async (door) => {
      const { baselineLog } = await import('../workflows/ratchet.ts');
      const { renderBaselineLog } = await import('../report/terminal/baseline-terminal.ts');
      const log = await baselineLog({ ...flags, ...defined({ pattern }) });
      await door.tell(log, () => renderBaselineLog(log.records, process.stdout.columns));
      return EXIT.good;
    }),
  );
}

function verifyCommand(): Command {
  return common(
    new Command('verify').description('check the file and git for edits or resets that Pawl did not make'),
  ).action((flags: RatchetFlags) =>
    runAction(flags, async (door) => {
      const { verifyBaselineFile } = await import('../workflows/ratchet.ts');
      const { renderVerification } = await import('../report/terminal/baseline-terminal.ts');
      const result = await verifyBaselineFile(flags);
      await door.tell(result, () => renderVerification(result));
      return result.sound ? EXIT.good : EXIT.bad;
    }),
  );
}

interface AdvanceFlags extends RatchetFlags {
  readonly comparison?: string;
  readonly accept?: string;
  readonly reason?: string;
  readonly author?: string;
  readonly allowUnchecked?: boolean;
  readonly acceptLoad?: boolean;
}

function advanceCommand(): Command {
  return common(
    new Command('advance')
      .description('update entries from samples measured elsewhere, if a comparison confirms them')
      .argument('<samples>', 'samples from pawl bench, or head.json of pawl compare --out')
      .option(
        '--comparison <file>',
        'the interleaved comparison that confirms them; only its improvements are taken',
      )
      .option('--accept <pattern>', 'accept these even if they are slower: waived, or with --reason')
      .option('--reason <text>', 'why')
      .option('--author <name>', 'your name (default: from git or CI)')
      .option('--allow-unchecked', 'accept results that were not compared with an oracle')
      .addOption(acceptLoadOption('accept results')),
  ).action((samples: string, flags: AdvanceFlags) =>
    runAction(flags, async (door) => {
      const { advanceFromFiles } = await import('../workflows/ratchet.ts');
      const { renderAdvance } = await import('../report/terminal/baseline-terminal.ts');
      const { accept: pattern, reason, ...rest } = flags;
      const accept = pattern === undefined ? {} : { accept: { pattern, ...defined({ reason }) } };
      const result = await advanceFromFiles({ ...rest, ...accept, samples });
      await door.tell(result, () => renderAdvance(result));
      if (result.refused.length > 0) return EXIT.bad;
      const isLeft = result.unproven.length > 0 || result.loaded.some(({ isKept }) => !isKept);
      return isLeft ? EXIT.undecided : EXIT.good;
    }),
  );
}

function waiveCommand(): Command {
  return common(
    new Command('waive')
      .description('allow a regression for a while, for a reason')
      .argument('<pattern>', 'kernel/case')
      .requiredOption('--reason <text>', 'why it is acceptable')
      .requiredOption('--expires <day>', 'its last day, as in 2026-12-31; at most 180 days from now')
      .option('--slower <pct>', 'the largest slowdown it covers; a larger one fails', slowdown)
      .option('--comparison <file>', 'cover the slowdown in this report (report.json of check or compare)')
      .option('--author <name>', 'your name (default: from git or CI)'),
  ).action((pattern: string, { slower, ...flags }: WaiveFlags) =>
    runAction(flags, async (door) => {
      const { waiveRegression } = await import('../workflows/ratchet.ts');
      const size = slower === undefined ? {} : { slower_pct: slower };
      const result = await waiveRegression({ ...flags, ...size, pattern });
      const text = [result.record.summary, ...result.covered.map((entry) => `  covers ${entry}`)].join('\n');
      await door.tell(result, () => text);
      return EXIT.good;
    }),
  );
}

function unwaiveCommand(): Command {
  return common(
    new Command('unwaive')
      .description('end a waiver early')
      .argument('<record>', 'its number in the log', positiveInteger)
      .requiredOption('--reason <text>', 'why')
      .option('--author <name>', 'your name'),
  ).action((record: number, flags: ReasonFlags) =>
    runAction(flags, async (door) => {
      const { endWaiverEarly } = await import('../workflows/ratchet.ts');
      const result = await endWaiverEarly({ ...flags, record });
      await door.tell(result, () => result.record.summary);
      return EXIT.good;
    }),
  );
}

function resetCommand(): Command {
  return common(
    new Command('reset')
      .description('remove entries, and log it; the next check --update measures them as new')
      .argument('<pattern>', 'kernel/case; * for everything')
      .requiredOption('--reason <text>', 'why')
      .option('--author <name>', 'your name'),
  ).action((pattern: string, flags: ReasonFlags) =>
    runAction(flags, async (door) => {
      const { resetEntries } = await import('../workflows/ratchet.ts');
      const result = await resetEntries({ ...flags, pattern });
      const lines = [
        ...result.removed.map((entry) => `removed  ${entry}`),
        ...(result.restarted ? ['the log could not be continued; a new one was started'] : []),
      ];
      await door.tell(result, () => lines.join('\n'));
      return EXIT.good;
    }),
  );
}

function signCommand(): Command {
  return common(
    new Command('sign').description('sign a baseline that was written before $PAWL_BASELINE_KEY was set'),
  ).action((flags: RatchetFlags) =>
    runAction(flags, async (door) => {
      const { signBaseline } = await import('../workflows/ratchet.ts');
      const result = await signBaseline(flags);
      door.print(flags.json === true ? JSON.stringify(result) : `signed ${result.path}`);
      return EXIT.good;
    }),
  );
}
