import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import { isHeldBack } from '../model/judge-change.ts';
import { isStopping } from '../model/session-progress.ts';
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
  json,
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
A session goes through the phases of the method (docs/method.md). Each gate is decided by a measurement; one that
fails stops the session and names the next command. A try is one change against the last state that was kept: what
changed is read from the diff, lessons and earlier tries are asked, and both states are measured side by side.
Everything is in .pawl/sessions/ID; docs/sessions.md tells the rest.

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
    .option('--kernel <kernel>', 'default: the only one that has the case')
    .option('--case <case>', 'where the goal does not name it')
    .option(
      '--reference <kernel|revision>',
      'another kernel of the problem, or a commit (default: the files as they are now)',
    )
    .option('--by <name>', 'who works (default: as git knows you)')
    .addOption(waitOption())
    .action((flags: StartFlags) =>
      runAction(flags, async (door) => {
        const { startSession } = await workflow();
        const session = await startSession({
          ...workOf(flags, door),
          ...defined({ kernel: flags.kernel, case: flags.case, reference: flags.reference, by: flags.by }),
          goal: flags.goal,
        });
        door.print(flags.json === true ? json(session) : (await terminal()).renderStart(session, door));
        return EXIT.good;
      }),
    );
}

function statusCommand(): Command {
  return ofSession(
    new Command('status').description('where it stands: phase, checklist, time, tries, advice, next command'),
  ).action((flags: SessionFlags) =>
    runAction(flags, async (door) => {
      const session = await (await workflow()).sessionStatus(targetOf(flags));
      door.print(flags.json === true ? json(session) : (await terminal()).renderSession(session, door));
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
      .description('run the next gates in order until one stops; exit code 1 where one does')
      .argument('[gates...]', 'only these'),
  )
    .option('--validate', 'also the gates of validation')
    .action((gates: string[], flags: CheckFlags) =>
      runAction(flags, async (door) => {
        const session = await (
          await workflow()
        ).evaluateGates({
          ...workOf(flags, door),
          ...defined({ validate: flags.validate }),
          ...(gates.length === 0 ? {} : { gates }),
        });
        door.print(flags.json === true ? json(session) : (await terminal()).renderSession(session, door));
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
      .description('go on past a gate; who, when and why are recorded')
      .argument('<gate>', 'its id')
      .requiredOption('--reason <text>', 'why the gate does not matter here')
      .option('--by <name>', 'who says so (default: as git knows you)'),
  ).action((gate: string, flags: OverrideFlags) =>
    runAction(flags, async (door) => {
      const { overrideGate } = await workflow();
      const { reason, by } = flags;
      const session = await overrideGate({ ...targetOf(flags), ...defined({ by }), gate, reason });
      door.print(
        flags.json === true ? json(session) : (await terminal()).renderOverride(session, gate, door),
      );
      return EXIT.good;
    }),
  );
}

function revertCommand(): Command {
  return ofSession(
    new Command('revert').description('put back the files that the last try touched, where it is not kept'),
  ).action((flags: SessionFlags) =>
    runAction(flags, async (door) => {
      const { session, files } = await (await workflow()).revertTry(targetOf(flags));
      const text = files.length === 0 ? 'The try touched no files.' : `Put back: ${files.join(', ')}`;
      door.print(flags.json === true ? json(session) : `${text}\n→ ${session.next}`);
      return EXIT.good;
    }),
  );
}

interface NoteFlags extends SessionFlags {
  readonly by?: string;
  readonly try?: number;
}

function noteCommand(): Command {
  return ofSession(new Command('note').description('write something down').argument('<text...>'))
    .option('--by <name>', 'who says so (default: as git knows you)')
    .option('--try <number>', 'what this try has taught', positiveInteger)
    .action((words: string[], flags: NoteFlags) =>
      runAction(flags, async (door) => {
        const { noteInSession } = await workflow();
        const session = await noteInSession({
          ...targetOf(flags),
          ...defined({ by: flags.by, try: flags.try }),
          text: words.join(' '),
        });
        door.print(flags.json === true ? json(session) : `Noted.\n→ ${session.next}`);
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
    new Command('end').description('validate, say what came of it, keep what it taught, write the report'),
  )
    .option('--summary <text>', 'in your words')
    .option('--no-validate', 'leave the gates of validation open')
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
        if (flags.json === true) door.print(json(session));
        else {
          const { renderEnd } = await terminal();
          door.print(renderEnd(session, `.pawl/sessions/${session.id}/report.md`, door));
        }
        if (session.gates.some((gate) => gate.phase === 'validate' && isStopping(gate))) return EXIT.bad;
        return isHeldBack(session.outcome ?? {}) ? EXIT.undecided : EXIT.good;
      }),
    );
}
