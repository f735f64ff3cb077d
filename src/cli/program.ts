import { Command, CommanderError } from 'commander';

import { PAWL_VERSION } from '../model/version.ts';
import { fitHelp } from '../report/terminal/fit-lines.ts';
import { COMMANDS, type CommandEntry } from './commands.ts';
import { EXAMPLES } from './examples.ts';
import { FAILURE_EXIT } from './exit-codes.ts';

/** Every command, with its arguments and options; nothing is parsed yet. */
export function pawlProgram(): Promise<Command> {
  return programWith(({ load }) => load(pawlProgram));
}

/** Runs what the command line asks for. */
export async function runPawl(): Promise<void> {
  try {
    const asked = askedCommand(process.argv.slice(2));
    // The others are there by name alone: for help, and for suggestions where a name is misspelt.
    const program = await programWith((entry) =>
      entry.name === asked ? entry.load(pawlProgram) : new Command(entry.name),
    );
    await program.parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version end here too, with 0; commander calls every other end 1, which for us means "bad".
    process.exitCode = error.exitCode === 0 ? 0 : FAILURE_EXIT.usage;
    if (error.exitCode !== 0 && process.argv.includes('--json')) {
      const message = error.message.replace(/^error: /, '');
      process.stdout.write(`${JSON.stringify({ error: { kind: 'usage', message } })}\n`);
    }
  }
}

/** `pawl` itself has no option that takes a value: the first word is the command. */
function askedCommand(args: readonly string[]): string | undefined {
  const [first, second] = args.filter((arg) => !arg.startsWith('-'));
  return first === 'help' ? second : first;
}

async function programWith(load: (entry: CommandEntry) => Command | Promise<Command>): Promise<Command> {
  const program = new Command('pawl')
    .description('The performance ratchet for GPU kernels: measure, decide, keep main from getting slower.')
    .version(PAWL_VERSION)
    // Commands below commands have options of the same names.
    .enablePositionalOptions()
    .helpCommand('help [command]', 'show the help of a command')
    .showSuggestionAfterError()
    .showHelpAfterError('(see: pawl --help)')
    .addHelpText(
      'after',
      `
Examples:
  pawl doctor              check that this machine can build and measure
  pawl init                write a pawl.yaml and a small kernel to start from
  pawl bench               build, check and measure every kernel in pawl.yaml`,
    );
  for (const entry of COMMANDS) {
    const command = (await load(entry)).description(entry.description);
    if (entry.group !== undefined) command.helpGroup(entry.group);
    addExamples(command, [entry.name]);
    program.addCommand(exitAsUsage(command), { hidden: entry.group === undefined });
  }
  return exitAsUsage(program);
}

function addExamples(command: Command, path: readonly string[]): void {
  const examples = EXAMPLES[path.join(' ')];
  if (examples !== undefined) command.addHelpText('after', `\nExamples:\n  ${examples.join('\n  ')}`);
  for (const child of command.commands) addExamples(child, [...path, child.name()]);
}

function exitAsUsage(command: Command): Command {
  for (const child of command.commands) exitAsUsage(child);
  return command
    .configureOutput({ writeOut: fitted(process.stdout), writeErr: fitted(process.stderr) })
    .exitOverride();
}

/** Commander wraps what it composes itself, and not the text that follows it. */
function fitted(stream: NodeJS.WriteStream): (text: string) => void {
  return (text) => void stream.write(stream.isTTY ? fitHelp(text, stream.columns) : text);
}
