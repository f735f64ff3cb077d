import { Command, Option } from 'commander';

import { RULE_IDS, type RuleId } from '../model/diagnosis-words.ts';
import type { Variant } from '../model/variant.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { defined, percent, positiveInteger, seconds, variant } from './options.ts';
import { runAction, type Door } from './run-action.ts';

interface SessionFlags {
  readonly config?: string;
  readonly session?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

interface WorkFlags extends SessionFlags {
  readonly wait: number;
  readonly processes?: number;
}

export function sessionCommand(): Command {
  return new Command('session')
    .description('work on a kernel systematically: goal, gates, one change at a time, what it taught')
    .addCommand(startCommand())
    .addCommand(statusCommand())
    .addCommand(checkCommand())
    .addCommand(overrideCommand())
    .addCommand(tryCommand())
    .addCommand(revertCommand())
    .addCommand(noteCommand())
    .addCommand(endCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(exportCommand())
    .addCommand(annotateCommand())
    .addHelpText(
      'after',
      `
A session goes through the phases of the method (docs/method.md). Each gate is decided by a measurement; one that
fails stops the session and names the next command. A try is one change against the last state that was kept: what
changed is read from the diff, lessons and earlier tries are asked, and both states are measured side by side.
Everything is in .pawl/sessions/ID; docs/sessions.md tells the rest.

Examples:
  pawl session start --goal "1.2x on training_512" --kernel attention --reference sdpa
  pawl session check
  pawl session try --hypothesis "padding removes the bank conflicts" --finding bank-conflicts
  pawl session end
${EXIT_CODE_HELP}`,
    );
}

function common(command: Command): Command {
  return command
    .option('-C, --config <path>', 'pawl.yaml or its folder (default: searched from here upwards)')
    .option('--json', 'print the session as JSON (schema pawl.session/1)')
    .option('-q, --quiet', 'no progress display');
}

function ofSession(command: Command): Command {
  return common(command).option('--session <id>', 'default: the latest that has not ended');
}

function working(command: Command): Command {
  return ofSession(command)
    .option('--wait <seconds>', 'wait this long for a device or session that is in use', seconds, 0)
    .option('--processes <n>', 'at most this many processes a side', positiveInteger);
}

function targetOf(flags: SessionFlags) {
  return defined({ config: flags.config, session: flags.session });
}

function workOf(flags: WorkFlags, door: Door) {
  return {
    ...targetOf(flags),
    ...defined({ processes: flags.processes }),
    wait_s: flags.wait,
    signal: door.signal,
    onProgress: door.onProgress,
  };
}

const workflow = () => import('../workflows/session.ts');
const terminal = () => import('../report/session-terminal.ts');

function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

interface StartFlags extends WorkFlags {
  readonly goal: string;
  readonly kernel?: string;
  readonly case?: string;
  readonly reference?: string;
  readonly by?: string;
}

function startCommand(): Command {
  return common(new Command('start').description('start a session with a goal that can be measured'))
    .requiredOption('--goal <text>', '"1.2x on CASE", "20 % faster on CASE" (of the time), "≤ 44 µs on CASE"')
    .option('--kernel <kernel>', 'default: the only one that has the case')
    .option('--case <case>', 'where the goal does not name it')
    .option('--reference <kernel>', 'another kernel of the problem (default: the files as they are now)')
    .option('--by <name>', 'who works (default: as git knows you)')
    .option('--wait <seconds>', 'wait this long for a device that is in use', seconds, 0)
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
      door.print(flags.json === true ? json(session) : `${gate} is overridden.\n→ ${session.next}`);
      return EXIT.good;
    }),
  );
}

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
}

function tryCommand(): Command {
  return working(
    new Command('try').description(
      'measure what changed since the last state that was kept, against that state',
    ),
  )
    .requiredOption('--hypothesis <text>', 'what you expect, and why')
    .addOption(new Option('--finding <rule>', 'the finding that it follows').choices([...RULE_IDS]))
    .option('--idea <name>', 'tries of one idea are counted together (default: the finding, or what changed)')
    .option(
      '--predict <percent>',
      'how much of the time it should save (default: as the advice expects)',
      share,
    )
    .option(
      '--set <NAME=VALUE>',
      'try this value of a tunable; written to pawl.yaml where it is kept',
      variant,
    )
    .option('--look', 'only say what changed and what is known of it; measure nothing')
    .option('--anyway <reason>', 'measure in spite of flags that stop')
    .option('--learnt <text>', 'what it taught')
    .addOption(new Option('--keep', 'keep it also where it did not improve').conflicts('revert'))
    .option('--revert', 'put the files back after measuring; the try stays under its ref')
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
          }),
          ...(flags.keep === true ? { after: 'keep' as const } : {}),
          ...(flags.revert === true ? { after: 'revert' as const } : {}),
          hypothesis: flags.hypothesis,
          measure: flags.look !== true,
        });
        const stopping = tried.try.flags.filter((flag) => STOPPING_FLAGS.includes(flag));
        if (flags.json === true) door.print(json(tried));
        else {
          const { renderTry } = await terminal();
          door.print(renderTry(tried, { stopping, isLook: flags.look === true }, door));
        }
        if (!tried.measured) return stopping.length === 0 ? EXIT.good : EXIT.bad;
        return OUTCOME_EXIT[tried.try.outcome ?? 'undecided'];
      }),
    );
}

/** A change that brings nothing is no failure of the command. */
const OUTCOME_EXIT = {
  improved: EXIT.good,
  'no-gain': EXIT.good,
  worse: EXIT.bad,
  undecided: EXIT.undecided,
  incorrect: EXIT.bad,
  failed: EXIT.bad,
} as const;

/** `10`, `10%`. */
function share(text: string): number {
  return percent(text.replace(/\s*%$/u, ''));
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
  /** Commander's `--no-validate` makes this true where nothing is said. */
  readonly validate: boolean;
}

function endCommand(): Command {
  return working(
    new Command('end').description('validate, say what came of it, keep what it taught, write the report'),
  )
    .option('--summary <text>', 'in your words')
    .option('--no-validate', 'leave the gates of validation open')
    .action((flags: EndFlags) =>
      runAction(flags, async (door) => {
        const session = await (
          await workflow()
        ).endSession({
          ...workOf(flags, door),
          ...defined({ summary: flags.summary }),
          ...(flags.validate ? {} : { validate: false }),
        });
        if (flags.json === true) door.print(json(session));
        else {
          const { renderEnd } = await terminal();
          door.print(renderEnd(session, `.pawl/sessions/${session.id}/report.md`, door));
        }
        return session.gates.some(({ phase, state }) => phase === 'validate' && state === 'failed')
          ? EXIT.bad
          : EXIT.good;
      }),
    );
}

function listCommand(): Command {
  return common(new Command('list').description('all sessions that are known here, newest first')).action(
    (flags: SessionFlags) =>
      runAction(flags, async (door) => {
        const { listSessions } = await workflow();
        const sessions = await listSessions({
          ...defined({ config: flags.config }),
          onProgress: door.onProgress,
        });
        door.print(flags.json === true ? json(sessions) : (await terminal()).renderSessions(sessions, door));
        return EXIT.good;
      }),
  );
}

function showCommand(): Command {
  return common(
    new Command('show').description('the report of a session, in Markdown').argument('<id>'),
  ).action((id: string, flags: SessionFlags) =>
    runAction(flags, async (door) => {
      const { reportOnSession, sessionStatus } = await workflow();
      const target = { ...targetOf(flags), session: id };
      door.print(flags.json === true ? json(await sessionStatus(target)) : await reportOnSession(target));
      return EXIT.good;
    }),
  );
}

function exportCommand(): Command {
  return common(
    new Command('export')
      .description('write a session to a file that an expert can annotate')
      .argument('<id>')
      .argument('<file>', 'a new file'),
  ).action((id: string, out: string, flags: SessionFlags) =>
    runAction(flags, async (door) => {
      const { exportSession } = await workflow();
      const { session, file } = await exportSession({ ...targetOf(flags), session: id, out });
      door.print(
        flags.json === true
          ? json(session)
          : `${file}\n→ add to its annotations, then: pawl session annotate ${out} --by NAME`,
      );
      return EXIT.good;
    }),
  );
}

interface AnnotateFlags extends SessionFlags {
  readonly by?: string;
}

function annotateCommand(): Command {
  return common(
    new Command('annotate')
      .description('take back an exported session with the annotations that were added to it')
      .argument('<file>')
      .option('--by <name>', 'who annotated it, where the file does not say'),
  ).action((file: string, flags: AnnotateFlags) =>
    runAction(flags, async (door) => {
      const { annotateSession } = await workflow();
      const { session, lessons } = await annotateSession({
        ...defined({ config: flags.config, by: flags.by }),
        file,
        onProgress: door.onProgress,
      });
      door.print(
        flags.json === true
          ? json({ session, lessons })
          : `${session.annotations.length} annotations in ${session.id}; new lessons: ${lessons.map(({ id }) => id).join(', ') || 'none'}`,
      );
      return EXIT.good;
    }),
  );
}
