import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import { isHeldBack } from '../model/judge/judge-change.ts';
import { isStopping } from '../model/learn/session-progress.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { waitOption } from './option-groups.ts';
import { acceptJudgeOption, positiveInteger } from './options.ts';
import { runAction } from './run-action.ts';
import {
  sessionAnnotateCommand,
  sessionExportCommand,
  sessionListCommand,
  sessionShowCommand,
} from './session-files.ts';
import {
  commonOptions,
  ofSession,
  targetOf,
  terminal,
  workflow,
  working,
  workOf,
  type SessionFlags,
  type WorkFlags,
} from './session-options.ts';
import { sessionTryCommand } from './session-try.ts';

export function sessionCommand(): Command {
  return new Command('session')
    .addCommand(startCommand())
    .addCommand(statusCommand())
    .addCommand(checkCommand())
    .addCommand(overrideCommand())
    .addCommand(sessionTryCommand())
    .addCommand(revertCommand())
    .addCommand(noteCommand())
    .addCommand(endCommand())
    .addCommand(sessionListCommand())
    .addCommand(sessionShowCommand())
    .addCommand(sessionExportCommand())
    .addCommand(sessionAnnotateCommand())
    .addHelpText(
      'after',
      `
A session follows the phases of the method (docs/method.md). Each gate is decided by a measurement; a failed gate stops
the session and names the next command. A try is one change against the last kept state: it is read from the diff,
compared with lessons and earlier tries, and both states are measured side by side. Everything is in .pawl/sessions/ID
(docs/sessions.md).

Examples:
  pawl session start --goal "1.2x on training_512" --kernel attention-cuda --reference sdpa-cudnn
  pawl session check
  pawl session try --hypothesis "padding removes the bank conflicts" --finding bank-conflicts
  pawl session end
${EXIT_CODE_HELP}`,
    );
}

interface StartFlags extends WorkFlags {
  readonly goal: string;
  readonly kernel?: string;
  readonly case?: string;
  readonly reference?: string;
  readonly by?: string;
}

function startCommand(): Command {
  return commonOptions(new Command('start').description('start a session with a goal that can be measured'))
    .requiredOption('--goal <text>', '"1.2x on CASE", "20 % faster on CASE" (of the time), "≤ 44 µs on CASE"')
    .option('--kernel <kernel>', 'the kernel (default: the only one with the case)')
    .option('--case <case>', 'the case, if the goal does not name it')
    .option(
      '--reference <kernel|revision>',
      'another kernel of the problem, or a commit (default: the working tree as it is now)',
    )
    .option('--by <name>', 'your name (default: from git)')
    .addOption(waitOption())
    .action((flags: StartFlags) =>
      runAction(flags, async (door) => {
        const { startSession } = await workflow();
        const session = await startSession({
          ...workOf(flags, door),
          ...defined({ kernel: flags.kernel, case: flags.case, reference: flags.reference, by: flags.by }),
          goal: flags.goal,
        });
        await door.tell(session, async () => (await terminal()).renderStart(session, door));
        return EXIT.good;
      }),
    );
}

function statusCommand(): Command {
  return ofSession(
    new Command('status').description(
      'show the session: phase, checklist, time, tries, advice, next command',
    ),
  ).action((flags: SessionFlags) =>
    runAction(flags, async (door) => {
      const session = await (await workflow()).sessionStatus(targetOf(flags));
      await door.tell(session, async () => (await terminal()).renderSession(session, door));
      return EXIT.good;
    }),
  );
}

interface CheckFlags extends WorkFlags {
  readonly validate?: boolean;
}

function checkCommand(): Command {
  return working(
    new Command('check')
      .description('run the next gates in order until one stops; exit code 1 if one does')
      .argument('[gates...]', 'only these gates'),
  )
    .option('--validate', 'also run the validation gates')
    .action((gates: string[], flags: CheckFlags) =>
      runAction(flags, async (door) => {
        const session = await (
          await workflow()
        ).evaluateGates({
          ...workOf(flags, door),
          ...defined({ validate: flags.validate }),
          ...(gates.length === 0 ? {} : { gates }),
        });
        await door.tell(session, async () => (await terminal()).renderSession(session, door));
        return session.state === 'stopped' ? EXIT.bad : EXIT.good;
      }),
    );
}

interface OverrideFlags extends SessionFlags {
  readonly reason: string;
  readonly by?: string;
}

function overrideCommand(): Command {
  return ofSession(
    new Command('override')
      .description('continue past a gate; who, when and why are recorded')
      .argument('<gate>', 'its id')
      .requiredOption('--reason <text>', 'why the gate does not matter here')
      .option('--by <name>', 'your name (default: from git)'),
  ).action((gate: string, flags: OverrideFlags) =>
    runAction(flags, async (door) => {
      const { overrideGate } = await workflow();
      const { reason, by } = flags;
      const session = await overrideGate({ ...targetOf(flags), ...defined({ by }), gate, reason });
      await door.tell(session, async () => (await terminal()).renderOverride(session, gate, door));
      return EXIT.good;
    }),
  );
}

function revertCommand(): Command {
  return ofSession(
    new Command('revert').description('restore the files that the last try changed, if it was not kept'),
  ).action((flags: SessionFlags) =>
    runAction(flags, async (door) => {
      const { session, files } = await (await workflow()).revertTry(targetOf(flags));
      const text = files.length === 0 ? 'The try changed no files.' : `Restored: ${files.join(', ')}`;
      await door.tell(session, () => `${text}\n→ ${session.next}`);
      return EXIT.good;
    }),
  );
}

interface NoteFlags extends SessionFlags {
  readonly by?: string;
  readonly try?: number;
}

function noteCommand(): Command {
  return ofSession(new Command('note').description('add a note').argument('<text...>', 'what to note'))
    .option('--by <name>', 'your name (default: from git)')
    .option('--try <number>', 'attach it to this try', positiveInteger)
    .action((words: string[], flags: NoteFlags) =>
      runAction(flags, async (door) => {
        const { noteInSession } = await workflow();
        const session = await noteInSession({
          ...targetOf(flags),
          ...defined({ by: flags.by, try: flags.try }),
          text: words.join(' '),
        });
        await door.tell(session, () => `Noted.\n→ ${session.next}`);
        return EXIT.good;
      }),
    );
}

interface EndFlags extends WorkFlags {
  readonly summary?: string;
  readonly acceptJudgeChange?: boolean;
  /** Commander's `--no-validate` makes this true where nothing is said. */
  readonly validate: boolean;
}

function endCommand(): Command {
  return working(
    new Command('end').description('validate, decide the outcome, keep lessons, write the report'),
  )
    .option('--summary <text>', 'a summary in your words')
    .option('--no-validate', 'do not run the validation gates')
    .addOption(acceptJudgeOption())
    .action((flags: EndFlags) =>
      runAction(flags, async (door) => {
        const session = await (
          await workflow()
        ).endSession({
          ...workOf(flags, door),
          ...defined({ summary: flags.summary, acceptJudgeChange: flags.acceptJudgeChange }),
          ...(flags.validate ? {} : { validate: false }),
        });
        await door.tell(session, async () =>
          (await terminal()).renderEnd(session, `.pawl/sessions/${session.id}/report.md`, door),
        );
        if (session.gates.some((gate) => gate.phase === 'validate' && isStopping(gate))) return EXIT.bad;
        return isHeldBack(session.outcome ?? {}) ? EXIT.undecided : EXIT.good;
      }),
    );
}
