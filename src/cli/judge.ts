import { stat } from 'node:fs/promises';

import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import type { JudgementLine } from '../model/judgement.ts';
import type { Mode } from '../model/mode.ts';
import { PawlError } from '../model/pawl-error.ts';
import { EXIT, EXIT_CODE_HELP, exitOf, FAILURE_EXIT } from './exit-codes.ts';
import {
  budgetOption,
  measuringOptions,
  modesOption,
  withMeasuring,
  type MeasuringFlags,
} from './option-groups.ts';
import { configOption, list, percent } from './options.ts';
import { runAction, type Door } from './run-action.ts';
import { withSandboxOption } from './sandbox-option.ts';
import { toldOptions, withTold, type ToldFlags } from './told-options.ts';

interface JudgeFlags extends MeasuringFlags, ToldFlags {
  readonly problem: string;
  readonly candidate?: string[];
  readonly batch?: string;
  readonly out?: string;
  readonly config?: string;
  readonly reference?: string;
  readonly case?: string[];
  readonly mode?: Mode[];
  readonly budget?: number;
  readonly threshold?: number;
}

export function judgeCommand(): Command {
  const command = new Command('judge')
    .requiredOption(
      '--problem <name-or-file>',
      'a problem of pawl.yaml, or a file that `pawl adopt` understands',
    )
    .option(
      '--candidate <file...>',
      'the sources of one candidate; a folder: each file and folder in it is one',
    )
    .option('--batch <file>', 'candidates, one per line of JSON (- is stdin), or a folder of them')
    .option(
      '-o, --out <file.jsonl>',
      'with --batch: add the answers to this file; what it has is not judged again',
    )
    .addOption(configOption())
    .option(
      '--reference <kernel>',
      "what candidates are measured against (default: the problem's first kernel)",
    )
    .option('--case <case>', 'judge by these cases only', list)
    .addOption(modesOption())
    .addOption(budgetOption('then measuring of a candidate stops, decided or not'))
    .option(
      '--threshold <percent>',
      'a slowdown of this much is a regression (default: as pawl.yaml says, 3)',
      percent,
    );
  return withMeasuring(withSandboxOption(withTold(command)), {
    processes: 'at most this many processes per side (default 24)',
    samples: 'samples of each process (default 12 on a CPU, 20 on a GPU)',
    json: 'the judgement as JSON (schema pawl.judgement/1), one per line with --batch',
  })
    .addHelpText(
      'after',
      `
A candidate is built, compared with the problem's oracle, audited, and measured beside the reference in interleaved
blocks of fresh processes until the answer is clear. Cases, inputs, oracle, tolerance and flags are the problem's.
What does not build, crashes, hangs, is wrong or cheats is an answer: \`correct\` is false and \`reward\` is 0.
A line of a batch is {"id": "a", "files": {"kernel.cpp": "…"}} or {"id": "a", "candidate": "a.cpp"} (docs/judge.md).

Examples:
  pawl judge --problem attention --candidate mine.cpp
  pawl judge --problem attention --candidate mine.cpp --json
  pawl judge --problem scaled_linear.py --candidate scaled_linear_new.py --json
  pawl judge --problem attention --batch candidates.jsonl --out judgements.jsonl --json
${EXIT_CODE_HELP}
With --batch: 0 every candidate has a judgement · 65 a line could not be judged`,
    )
    .action((flags: JudgeFlags) =>
      runAction(flags, async (door) => {
        const { problem, candidate, batch } = flags;
        if ((candidate === undefined) === (batch === undefined)) {
          throw new PawlError(
            'usage',
            'Name a candidate, or a batch of candidates.',
            '--candidate FILE or --batch FILE.jsonl',
          );
        }
        const folder = batch ?? (await soleFolder(candidate ?? []));
        if (folder !== undefined) return judgeAll(problem, folder, flags, door);
        if (flags.out !== undefined) {
          throw new PawlError(
            'usage',
            '--out is for a batch.',
            'Send the output to a file: --json > judgement.json',
          );
        }
        const { judge } = await import('../workflows/judge.ts');
        const judgement = await judge(problem, candidate ?? [], judgeOptions(flags, door));
        if (flags.json === true) door.print(JSON.stringify(judgement, undefined, 2));
        else {
          const { renderJudgement } = await import('../report/judge-terminal.ts');
          door.print(renderJudgement(judgement, door));
        }
        return exitOf(judgement.verdict);
      }),
    );
}

async function soleFolder([only, ...others]: readonly string[]): Promise<string | undefined> {
  if (only === undefined || others.length > 0) return undefined;
  const found = await stat(only).catch(() => undefined);
  return found?.isDirectory() === true ? only : undefined;
}

async function judgeAll(problem: string, batch: string, flags: JudgeFlags, door: Door): Promise<number> {
  const { judgeBatch } = await import('../workflows/judge.ts');
  const { renderJudgementLine } = await import('../report/judge-terminal.ts');
  const onAnswer = (line: JudgementLine): void =>
    door.print(flags.json === true ? JSON.stringify(line) : renderJudgementLine(line, door));
  const { errors } = await judgeBatch(problem, batch, {
    ...judgeOptions(flags, door),
    ...defined({ out: flags.out }),
    onAnswer,
  });
  return errors > 0 ? FAILURE_EXIT['bad-data'] : EXIT.good;
}

function judgeOptions(flags: JudgeFlags, door: Door) {
  const { config, reference, case: cases, mode, budget, threshold } = flags;
  return {
    ...toldOptions(flags),
    ...defined({ config, reference, cases, modes: mode, budget_s: budget }),
    ...measuringOptions(flags, door),
    policy: defined({ regressionPct: threshold }),
  };
}
