import { Command, Option } from 'commander';

import { defined } from '../model/defined.ts';
import type { HistoryRun } from '../model/history/history.ts';
import { RUN_KINDS } from '../model/history/run-kinds.ts';
import { VERDICTS, type Verdict } from '../model/judge/verdict.ts';
import { EXIT, EXIT_CODE_HELP, exitOf } from './exit-codes.ts';
import { noteCommand, notesCommand } from './notes.ts';
import { configOption, moment, positiveInteger, wholeNumber } from './options.ts';
import { runAction } from './run-action.ts';

interface StoreFlags {
  readonly config?: string;
  readonly store?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

interface ListFlags extends StoreFlags {
  readonly kind?: HistoryRun['kind'];
  readonly kernel?: string;
  readonly case?: string;
  readonly commit?: string;
  readonly device?: string;
  readonly branch?: string;
  readonly verdict?: Verdict;
  readonly search?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly limit: number;
  readonly cursor?: string;
}

interface PruneFlags extends StoreFlags {
  readonly dryRun?: boolean;
  readonly allDays?: number;
  readonly quantiles?: number;
  readonly quantilesDays?: number;
}

export function historyCommand(): Command {
  return new Command('history')
    .addCommand(listCommand(), { isDefault: true })
    .addCommand(showCommand())
    .addCommand(compareCommand())
    .addCommand(noteCommand(common(new Command('note'))))
    .addCommand(notesCommand(common(new Command('notes'))))
    .addCommand(importCommand())
    .addCommand(exportCommand())
    .addCommand(pushCommand())
    .addCommand(pruneCommand())
    .addCommand(verifyCommand())
    .addHelpText(
      'after',
      `
\`bench\`, \`check\` and \`compare\` keep their runs in .pawl/history.db, or in the team's PostgreSQL that PAWL_STORE or
\`store:\` in pawl.yaml names (docs/history.md). Storing a run twice keeps one: every command here can be repeated.

Examples:
  pawl history --case training_512 --verdict regressed
  pawl history import .pawl/runs                 runs from before there was a history
  PAWL_STORE=postgres://… pawl history push      push local runs to the team's store
  pawl history prune --dry-run                   what retention would remove
${EXIT_CODE_HELP}`,
    );
}

function common(command: Command): Command {
  return command
    .addOption(configOption())
    .option('--store <place>', "a file or postgres://…, instead of the project's")
    .option('--json', 'print it as JSON');
}

function listCommand(): Command {
  return common(new Command('list').description('runs, newest first'))
    .addOption(new Option('--kind <kind>', 'only runs of this command').choices(RUN_KINDS))
    .option('--kernel <kernel>', 'only runs that measured this kernel')
    .option('--case <case>', 'only runs that measured this case')
    .option('--commit <sha>', 'only runs at this commit; its beginning is enough')
    .option('--device <name>', 'only runs on devices with this in their name')
    .option('--branch <branch>', 'only runs on this branch')
    .option(
      '--search <words>',
      'only runs with these words: subject, author, #PULL_REQUEST, kernel, case, host …',
    )
    .addOption(new Option('--verdict <verdict>', 'only runs that ended so').choices(VERDICTS))
    .option('--since <time>', 'only runs since then: a date (2026-07-01), or 12h, 30d, 8w', moment)
    .option('--until <time>', 'not newer', moment)
    .option('-n, --limit <n>', 'so many', positiveInteger, 50)
    .option('--cursor <cursor>', 'continue after this page')
    .action((flags: ListFlags) =>
      runAction(flags, async (door) => {
        const { listRuns } = await import('../workflows/history.ts');
        const {
          kernel,
          case: name,
          commit,
          device,
          branch,
          search,
          since,
          until,
          kind,
          verdict,
          limit,
          cursor,
        } = flags;
        const listed = await listRuns({
          ...defined({ config: flags.config, store: flags.store }),
          filter: {
            ...defined({ kernel, case: name, commit, device, branch, search, since, until }),
            ...(kind === undefined ? {} : { kinds: [kind] }),
            ...(verdict === undefined ? {} : { verdicts: [verdict] }),
          },
          page: { limit, ...defined({ cursor }) },
        });
        await door.tell(listed, async () =>
          (await import('../report/terminal/history-terminal.ts')).renderRuns(listed, {
            kind,
            columns: process.stdout.columns,
          }),
        );
        return EXIT.good;
      }),
    );
}

function showCommand(): Command {
  return common(
    new Command('show')
      .description('print everything about one run except its samples, as JSON')
      .argument('<run>', 'its id, or the beginning of its id'),
  ).action((run: string, flags: StoreFlags) =>
    runAction(flags, async (door) => {
      const { showRun } = await import('../workflows/history.ts');
      door.print(JSON.stringify(await showRun({ ...flags, run }), undefined, 2));
      return EXIT.good;
    }),
  );
}

interface CompareFlags extends StoreFlags {
  readonly aDevice?: string;
  readonly bDevice?: string;
  readonly aDriver?: string;
  readonly bDriver?: string;
  readonly csv?: string;
}

function compareCommand(): Command {
  return common(
    new Command('compare')
      .description('compare two commits, branches, devices or drivers in every case, from stored samples')
      .argument('[A]', 'the base: a commit, a branch or a tag')
      .argument('[B]', 'the commit, branch or tag to judge'),
  )
    .option('--a-device <name>', 'of A, only measurements on this device; part of its name is enough')
    .option('--b-device <name>', 'the same for B')
    .option('--a-driver <version>', 'of A, only measurements with this driver')
    .option('--b-driver <version>', 'the same for B')
    .option('--csv <file>', 'also write the table to this file')
    .addHelpText(
      'after',
      `
Nothing is measured. If one run measured both sides in turns, its measurements are used; otherwise the newest of each
side, and the machine may have changed in between. For a branch, a device or a driver, the newest measurement of each
case counts. --a-device A100 --b-device H200 compares two devices. The page Commits of the dashboard shows the same.

Examples:
  pawl history compare v1.2 v1.3
  pawl history compare v1.2 v1.3 --csv changes.csv
${EXIT_CODE_HELP}`,
    )
    .action((a: string | undefined, b: string | undefined, flags: CompareFlags) =>
      runAction(flags, async (door) => {
        const { compareStored } = await import('../workflows/compare-sides.ts');
        const { comparison, files } = await compareStored({
          ...defined({ config: flags.config, store: flags.store, csv: flags.csv }),
          a: defined({ revision: a === '' ? undefined : a, device: flags.aDevice, driver: flags.aDriver }),
          b: defined({ revision: b === '' ? undefined : b, device: flags.bDevice, driver: flags.bDriver }),
        });
        if (flags.json === true) door.print(JSON.stringify({ ...comparison, files }, undefined, 2));
        else {
          const { renderSidesTerminal } = await import('../report/terminal/sides-terminal.ts');
          door.print(renderSidesTerminal(comparison, door));
          for (const path of Object.values(files)) door.print(`written: ${path}`);
        }
        return comparison.verdict === undefined ? EXIT.undecided : exitOf(comparison.verdict);
      }),
    );
}

function importCommand(): Command {
  return common(
    new Command('import')
      .description('store runs from elsewhere; runs that are already stored stay as they are')
      .argument(
        '<path...>',
        'a history.db, an export, samples files, folders of runs and checks, or a folder of those',
      ),
  )
    .option('-q, --quiet', 'no progress display')
    .action((paths: readonly string[], flags: StoreFlags) =>
      runAction(flags, async (door) => {
        const { importHistory } = await import('../workflows/history.ts');
        const done = await importHistory({
          ...flags,
          paths,
          signal: door.signal,
          onProgress: door.onProgress,
        });
        const { store, stored, known, problems } = done;
        const leftOut = problems.map((problem) => `\n✗ left out: ${problem}`).join('');
        await door.tell(done, () => `${store}: ${stored} stored, ${known} already known${leftOut}`);
        return problems.length === 0 ? EXIT.good : EXIT.bad;
      }),
    );
}

function exportCommand(): Command {
  return common(
    new Command('export').description('write everything as lines of JSON, for `pawl history import`'),
  )
    .option('-o, --out <file>', 'the file to write (default: standard output)')
    .action((flags: StoreFlags & { readonly out?: string }) =>
      runAction(flags, async (door) => {
        const { exportHistory } = await import('../workflows/history.ts');
        await exportHistory({ ...flags, print: door.print });
        return EXIT.good;
      }),
    );
}

function pushCommand(): Command {
  return common(
    new Command('push').description("push runs that are only on this machine to the team's store"),
  )
    .option('-q, --quiet', 'no progress display')
    .action((flags: StoreFlags) =>
      runAction(flags, async (door) => {
        const { pushHistory } = await import('../workflows/history.ts');
        const done = await pushHistory({ ...flags, signal: door.signal, onProgress: door.onProgress });
        await door.tell(
          done,
          () => `${done.store}: ${done.pushed} pushed, ${done.known} already known, ${done.left} left`,
        );
        return done.left === 0 ? EXIT.good : EXIT.undecided;
      }),
    );
}

function pruneCommand(): Command {
  return common(new Command('prune').description('remove old samples by the retention rules; verdicts stay'))
    .option('--dry-run', 'only show what would be removed')
    .option('--all-days <n>', 'keep all samples for this many days', wholeNumber)
    .option('--quantiles <n>', 'then keep this many of each series', wholeNumber)
    .option('--quantiles-days <n>', 'keep those until this many days old, then none', wholeNumber)
    .action((flags: PruneFlags) =>
      runAction(flags, async (door) => {
        const { pruneHistory } = await import('../workflows/history.ts');
        const pruned = await pruneHistory({
          ...defined({ config: flags.config, store: flags.store, dryRun: flags.dryRun }),
          ...defined({
            all_days: flags.allDays,
            quantiles: flags.quantiles,
            quantiles_days: flags.quantilesDays,
          }),
          signal: door.signal,
        });
        await door.tell(pruned, async () =>
          (await import('../report/terminal/history-terminal.ts')).renderPruned(pruned),
        );
        return EXIT.good;
      }),
    );
}

function verifyCommand(): Command {
  return common(
    new Command('verify').description('check the whole store: hashes, references, every stored sample'),
  )
    .option('-q, --quiet', 'no progress display')
    .action((flags: StoreFlags) =>
      runAction(flags, async (door) => {
        const { verifyHistory } = await import('../workflows/history.ts');
        const verified = await verifyHistory({ ...flags, onProgress: door.onProgress });
        await door.tell(verified, async () =>
          (await import('../report/terminal/history-terminal.ts')).renderVerified(verified),
        );
        return verified.problems.length === 0 ? EXIT.good : EXIT.bad;
      }),
    );
}
