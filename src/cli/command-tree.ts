import type { Command } from 'commander';

export interface OptionFacts {
  readonly long: string | undefined;
  readonly short: string | undefined;
  readonly flags: string;
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** A command as completion and the manual page need it: what its `--help` is made from. */
export interface CommandFacts {
  /** Its words after `pawl`: none for `pawl` itself, `['history', 'list']`. */
  readonly path: readonly string[];
  readonly description: string;
  readonly usage: string;
  readonly options: readonly OptionFacts[];
  readonly children: readonly { readonly name: string; readonly description: string }[];
  /** What may stand as its first argument, where only some words may. */
  readonly choices: readonly string[];
  readonly command: Command;
}

/** Every command that help shows, parents before children. */
export function commandTree(command: Command, path: readonly string[] = []): readonly CommandFacts[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command);
  const facts: CommandFacts = {
    path,
    description: command.description(),
    usage: help.commandUsage(command),
    options: help.visibleOptions(command).map((option) => ({
      long: option.long,
      short: option.short,
      flags: option.flags,
      description: help.optionDescription(option),
      takesValue: option.required || option.optional,
      choices: option.argChoices ?? [],
    })),
    children: children.map((child) => ({ name: child.name(), description: child.description() })),
    choices: command.registeredArguments[0]?.argChoices ?? [],
    command,
  };
  const below = children.filter((child) => command.commands.includes(child));
  return [facts, ...below.flatMap((child) => commandTree(child, [...path, child.name()]))];
}
