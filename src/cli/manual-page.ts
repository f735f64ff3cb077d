import type { CommandFacts } from './command-tree.ts';
import { EXIT_CODE_HELP } from './exit-codes.ts';

/** pawl(1) as `man` reads it: every command with the same words as its `--help`. */
export function manualPage(tree: readonly CommandFacts[], version: string): string {
  const [pawl, ...commands] = tree;
  return `.TH PAWL 1 "" ${quoted(`Pawl ${version}`)} "User Commands"
.SH NAME
pawl \\- ${escaped(pawl?.description ?? '')}
.SH SYNOPSIS
.B pawl
.RI [ options ]
.RI [ command ]
.SH COMMANDS
${commands.map((facts) => section(facts)).join('')}.SH EXIT STATUS
.nf
${escaped(EXIT_CODE_HELP.trim())}
.fi
`;
}

function section({ path, description, usage, options, command }: CommandFacts): string {
  return `.SS ${quoted(`pawl ${path.join(' ')}`)}
${escaped(description)}
.PP
${escaped(usage)}
${options.map(({ flags, description: words }) => `.TP\n.B ${escaped(flags)}\n${escaped(words)}\n`).join('')}.PP
.nf
${escaped(textAfter(command).replace(EXIT_CODE_HELP, '').trim())}
.fi
`;
}

/** What a command says below its options: explanation and examples. */
function textAfter(command: CommandFacts['command']): string {
  let text = '';
  command.configureOutput({ writeOut: (words) => (text += words) });
  command.outputHelp();
  const above = command.helpInformation();
  return text.slice(text.indexOf(above) + above.length);
}

/** A dot or an apostrophe that begins a line would be a request to the formatter, and a plain hyphen a dash. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replaceAll(/^(?=[.'])/gm, String.raw`\&`);
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll('"', '""')}"`;
}
