import { stat } from 'node:fs/promises';

import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import type { JudgementLine } from '../model/queue/judgement.ts';
import { PawlError } from '../model/pawl-error.ts';
import { EXIT, EXIT_CODE_HELP, exitOf, FAILURE_EXIT } from './exit-codes.ts';
import { judgingOptions, withJudging, type JudgingFlags } from './judging-options.ts';
import { runAction, type Door } from './run-action.ts';

interface JudgeFlags extends JudgingFlags {
  readonly problem: string;
  readonly candidate?: string[];
  readonly batch?: string;
  readonly out?: string;
}

export function judgeCommand(): Command {
  const command = new Command('judge')
    .requiredOption(
      '--problem <name-or-file>',
      'a problem of pawl.yaml, or a file that `pawl adopt` understands',
    )
    .option(
      '--candidate <file...>',
      'the sources of one candidate; or a folder with a candidate per file or folder',
    )
    .option('--batch <file>', 'candidates, one per line of JSON (- is stdin), or a folder of them')
    .option(
      '-o, --out <file.jsonl>',
      'with --batch: append the answers to this file; candidates that it has are not judged again',
    );
  return withJudging(command, 'the judgement as JSON (schema pawl.judgement/1), one per line with --batch')
    .addHelpText(
      'after',
      `
A candidate is built, compared with the problem's oracle, audited, and measured beside the reference in interleaved
blocks of fresh processes until the answer is clear. Cases, inputs, oracle, tolerance and flags are the problem's.
A candidate that does not build, crashes, hangs, is wrong or cheats gets an answer: \`correct\` is false, \`reward\` 0.
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
            'Give either --candidate or --batch.',
            'Use --candidate FILE or --batch FILE.jsonl.',
          );
        }
        const folder = batch ?? (await soleFolder(candidate ?? []));
        if (folder !== undefined) return judgeAll(problem, folder, flags, door);
        if (flags.out !== undefined) {
          throw new PawlError(
            'usage',
            '--out works only with --batch.',
            'Send the output to a file: --json > judgement.json',
          );
        }
        const { judge } = await import('../workflows/judge.ts');
        const judgement = await judge(problem, candidate ?? [], judgingOptions(flags, door));
        await door.tell(judgement, async () =>
          (await import('../report/terminal/judge-terminal.ts')).renderJudgement(judgement, door),
        );
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
  const { renderJudgementLine } = await import('../report/terminal/judge-terminal.ts');
  const onAnswer = (line: JudgementLine): void =>
    door.print(flags.json === true ? JSON.stringify(line) : renderJudgementLine(line, door));
  const { errors } = await judgeBatch(problem, batch, {
    ...judgingOptions(flags, door),
    ...defined({ out: flags.out }),
    onAnswer,
  });
  return errors > 0 ? FAILURE_EXIT['bad-data'] : EXIT.good;
}
