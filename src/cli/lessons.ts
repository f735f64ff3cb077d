import { readFile } from 'node:fs/promises';

import { Command, InvalidArgumentError } from 'commander';

import { defined } from '../model/defined.ts';
import { RULE_IDS, type RuleId } from '../model/profile/diagnosis-words.ts';
import type { Fact } from '../model/learn/gate.ts';
import { PawlError } from '../model/pawl-error.ts';
import { EXIT, EXIT_CODE_HELP } from './exit-codes.ts';
import { configOption, listOf } from './options.ts';
import { runAction, type Door } from './run-action.ts';

const findings = listOf(RULE_IDS, (item) => `Unknown finding "${item}" (docs/rules.md lists them).`);

interface CommonFlags {
  readonly config?: string;
  readonly json?: boolean;
}

interface ListFlags extends CommonFlags {
  readonly device?: string;
  readonly kind?: string;
  readonly language?: string;
  readonly withdrawn?: boolean;
}

interface MatchFlags extends CommonFlags {
  readonly diff?: string;
  readonly kernel?: string;
  readonly device?: string;
  readonly kind?: string;
  readonly language?: string;
  readonly finding?: readonly RuleId[];
  readonly fact?: Readonly<Record<string, Fact>>;
  readonly error?: string;
}

export function lessonsCommand(): Command {
  return new Command('lessons')
    .addCommand(listCommand(), { isDefault: true })
    .addCommand(showCommand())
    .addCommand(searchCommand())
    .addCommand(matchCommand())
    .addCommand(addCommand())
    .addCommand(withdrawCommand())
    .addHelpText(
      'after',
      `
Pawl ships lessons; a project's own are in lessons.yaml beside pawl.yaml, and sessions add to them when they end. Every
try is matched against all lessons before it is measured (docs/lessons.md).

Examples:
  pawl lessons --kind attention --device "NVIDIA H200"
  git diff | pawl lessons match --diff - --kernel attention-cuda
  pawl lessons match --error build.log
  pawl lessons withdraw hopper-fewer-stages --reason "holds with two warpgroups only"
${EXIT_CODE_HELP}`,
    );
}

function common(command: Command): Command {
  return command.addOption(configOption()).option('--json', 'print it as JSON');
}

function filtered(command: Command): Command {
  return common(command)
    .option('--device <name>', 'only those that hold on this device')
    .option('--kind <problem>', 'only those that hold for this kind of kernel')
    .option('--language <language>', 'only those that hold for cuda, c, c++ or python')
    .option('--withdrawn', 'also show withdrawn lessons');
}

function listCommand(): Command {
  return filtered(new Command('list').description('list lessons')).action((flags: ListFlags) =>
    runAction(flags, (door) => printList(door, flags)),
  );
}

function searchCommand(): Command {
  return filtered(
    new Command('search').description('find lessons that contain every word').argument('<text...>', 'words'),
  ).action((words: readonly string[], flags: ListFlags) =>
    runAction(flags, (door) => printList(door, flags, words.join(' '))),
  );
}

async function printList(door: Door, flags: ListFlags, text?: string): Promise<number> {
  const { listLessons } = await import('../workflows/list-lessons.ts');
  const { config, device, kind, language, withdrawn } = flags;
  const { schema, lessons, project } = await listLessons(
    defined({ config, device, kind, language, withdrawn, text }),
  );
  await door.tell({ schema, lessons }, async () =>
    (await import('../report/terminal/lessons-terminal.ts')).renderLessons(lessons, { ...door, project }),
  );
  return EXIT.good;
}

function showCommand(): Command {
  return common(new Command('show').description('show one lesson in full').argument('<id>', 'its id')).action(
    (id: string, flags: CommonFlags) =>
      runAction(flags, async (door) => {
        const { showLesson } = await import('../workflows/list-lessons.ts');
        const lesson = await showLesson({ ...defined({ config: flags.config }), id });
        await door.tell(lesson, async () =>
          (await import('../report/terminal/lessons-terminal.ts')).renderLesson(lesson, door),
        );
        return EXIT.good;
      }),
  );
}

function matchCommand(): Command {
  return common(
    new Command('match').description('find the lessons that match a change, a failure or findings'),
  )
    .option('--diff <file>', 'a unified diff; - is standard input')
    .option('--error <file>', 'the output of a failed build or run; - is standard input')
    .option('--finding <rule>', 'a finding of a profile (repeatable)', findings)
    .option('--fact <name=value>', 'a measured fact: speedup=0.12 (repeatable)', fact)
    .option('--kernel <kernel>', 'a kernel of pawl.yaml: gives kind, language, device and sources')
    .option('--kind <problem>', 'the kind of kernel')
    .option('--device <name>', 'the device that it runs on')
    .option('--language <language>', 'cuda, c, c++ or python')
    .action((flags: MatchFlags) =>
      runAction(flags, async (door) => {
        const { matchKnownLessons } = await import('../workflows/lessons.ts');
        const { config, kernel, kind, device, language, finding: rules, fact: facts } = flags;
        if ([flags.diff, flags.error, rules, facts, kernel].every((given) => given === undefined)) {
          throw new PawlError(
            'usage',
            'Nothing to match against.',
            'Give --diff, --error, --finding, --fact or --kernel.',
          );
        }
        const diff = flags.diff === undefined ? undefined : await textOf(flags.diff);
        const errors = flags.error === undefined ? undefined : [await textOf(flags.error)];
        const found = await matchKnownLessons(
          defined({ config, kernel, kind, device, language, rules, facts, diff, errors }),
        );
        await door.tell(found, async () =>
          (await import('../report/terminal/lessons-terminal.ts')).renderWarnings(found.warnings, door),
        );
        return EXIT.good;
      }),
    );
}

function addCommand(): Command {
  return common(
    new Command('add').description('add lessons from a file to the project; known lessons get its evidence'),
  )
    .requiredOption('--file <file>', 'a file of lessons (pawl.lessons/1)')
    .action((flags: CommonFlags & { readonly file: string }) =>
      runAction(flags, async (door) => {
        const { addLessonsFrom } = await import('../workflows/lessons.ts');
        const done = await addLessonsFrom({ ...defined({ config: flags.config }), file: flags.file });
        if (flags.json === true) door.print(JSON.stringify(done, undefined, 2));
        else for (const { id, done: what } of done.written) door.print(`${id}: ${what.replaceAll('-', ' ')}`);
        return EXIT.good;
      }),
    );
}

function withdrawCommand(): Command {
  return common(
    new Command('withdraw')
      .description('mark a lesson as wrong: it is kept, but no longer shown to sessions')
      .argument('<id>', 'its id'),
  )
    .requiredOption('--reason <text>', 'why it is wrong')
    .action((id: string, flags: CommonFlags & { readonly reason: string }) =>
      runAction(flags, async (door) => {
        const { withdrawKnownLesson } = await import('../workflows/lessons.ts');
        const { reason } = flags;
        const done = await withdrawKnownLesson({ ...defined({ config: flags.config }), id, reason });
        await door.tell(done, () => `${id} is withdrawn in ${done.file}`);
        return EXIT.good;
      }),
    );
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file === '-' ? '/dev/stdin' : file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EISDIR' && code !== 'EACCES') throw error;
    throw new PawlError('usage', `${file} cannot be read: ${(error as Error).message}.`);
  }
}

function fact(text: string, before: Readonly<Record<string, Fact>> | undefined): Record<string, Fact> {
  const [name = '', value, ...rest] = text.split('=').map((piece) => piece.trim());
  if (!/^[A-Za-z_]\w*$/u.test(name) || value === undefined || value === '' || rest.length > 0) {
    throw new InvalidArgumentError('Expected NAME=VALUE.');
  }
  const number = Number(value);
  const read =
    value === 'true' || value === 'false' ? value === 'true' : Number.isFinite(number) ? number : value;
  return { ...before, [name]: read };
}
