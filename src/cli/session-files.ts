/** The commands of `pawl session` that look at sessions, and carry them out and back. */
import { Command } from 'commander';

import { defined } from '../model/defined.ts';
import { EXIT } from './exit-codes.ts';
import { runAction } from './run-action.ts';
import { commonOptions, targetOf, terminal, workflow, type SessionFlags } from './session-options.ts';

export function sessionListCommand(): Command {
  return commonOptions(new Command('list').description('list all known sessions, newest first')).action(
    (flags: SessionFlags) =>
      runAction(flags, async (door) => {
        const { listSessions } = await import('../workflows/session/list-sessions.ts');
        const sessions = await listSessions({
          ...defined({ config: flags.config }),
          onProgress: door.onProgress,
        });
        await door.tell(sessions, async () => (await terminal()).renderSessions(sessions, door));
        return EXIT.good;
      }),
  );
}

interface ShowFlags extends SessionFlags {
  readonly markdown?: boolean;
}

export function sessionShowCommand(): Command {
  return commonOptions(
    new Command('show')
      .description('show a session')
      .argument('<id>', 'a session, as `pawl session list` names it'),
  )
    .option('--markdown', 'show the report: what went right and wrong, time, cost, every try with its diff')
    .action((id: string, flags: ShowFlags) =>
      runAction(flags, async (door) => {
        const { reportOnSession, sessionStatus } = await workflow();
        const target = { ...targetOf(flags), session: id };
        if (flags.markdown === true) door.print(await reportOnSession(target));
        else {
          const session = await sessionStatus(target);
          await door.tell(session, async () => (await terminal()).renderSession(session, door));
        }
        return EXIT.good;
      }),
    );
}

export function sessionExportCommand(): Command {
  return commonOptions(
    new Command('export')
      .description('write a session to a file that an expert can annotate')
      .argument('<id>', 'a session, as `pawl session list` names it')
      .argument('<file>', 'a new file'),
  ).action((id: string, out: string, flags: SessionFlags) =>
    runAction(flags, async (door) => {
      const { exportSession } = await workflow();
      const { session, file } = await exportSession({ ...targetOf(flags), session: id, out });
      await door.tell(
        session,
        () => `${file}\n→ add to its annotations, then: pawl session annotate ${out} --by NAME`,
      );
      return EXIT.good;
    }),
  );
}

interface AnnotateFlags extends SessionFlags {
  readonly by?: string;
}

export function sessionAnnotateCommand(): Command {
  return commonOptions(
    new Command('annotate')
      .description('import an exported session with its new annotations')
      .argument('<file>', 'an exported session')
      .option('--by <name>', 'the annotator, if the file does not name one'),
  ).action((file: string, flags: AnnotateFlags) =>
    runAction(flags, async (door) => {
      const { annotateSession } = await workflow();
      const { session, lessons } = await annotateSession({
        ...defined({ config: flags.config, by: flags.by }),
        file,
        onProgress: door.onProgress,
      });
      const learnt = lessons.map(({ id }) => id).join(', ') || 'none';
      await door.tell(
        { session, lessons },
        () => `${session.annotations.length} annotations in ${session.id}; new lessons: ${learnt}`,
      );
      return EXIT.good;
    }),
  );
}
