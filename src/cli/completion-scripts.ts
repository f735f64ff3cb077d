import type { CommandFacts, OptionFacts } from './command-tree.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A script that completes commands, options and their fixed values, and file names elsewhere; it starts no Pawl. */
export function completionScript(shell: Shell, tree: readonly CommandFacts[]): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](tree);
}

/** ` history list`: every word with a space before it, so that a path can be put together while words are read. */
function pathText({ path }: CommandFacts): string {
  return path.map((word) => ` ${word}`).join('');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function names({ long, short }: OptionFacts): string[] {
  return [long, short].filter((name) => name !== undefined);
}

function wordsOf({ children, choices, options }: CommandFacts): string[] {
  return [...children.map(({ name }) => name), ...choices, ...options.flatMap(({ long }) => long ?? [])];
}

/** Arms of a `case` over `PATH PREVIOUS_WORD`, for options that take a value. */
function valueArms(tree: readonly CommandFacts[], words: (choices: readonly string[]) => string): string[] {
  return tree.flatMap((facts) =>
    facts.options
      .filter(({ takesValue }) => takesValue)
      .map((option) => {
        const patterns = names(option).map((name) => quoted(`${pathText(facts)} ${name}`));
        return `    ${patterns.join('|')}) ${words(option.choices)} ;;`;
      }),
  );
}

function knownPaths(tree: readonly CommandFacts[]): string {
  return tree
    .filter(({ path }) => path.length > 0)
    .map((facts) => quoted(pathText(facts)))
    .join('|');
}

function bashScript(tree: readonly CommandFacts[]): string {
  return `# Completion for pawl. In ~/.bashrc: eval "$(pawl completion bash)"
_pawl() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} at='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
    ${knownPaths(tree)}) at="$at $word" ;;
    esac
  done
  COMPREPLY=()
  case "$at $previous" in
${valueArms(tree, (choices) => (choices.length === 0 ? 'return' : `COMPREPLY=($(compgen -W ${quoted(choices.join(' '))} -- "$current")); return`)).join('\n')}
  esac
  case "$at" in
${tree.map((facts) => `    ${quoted(pathText(facts))}) words=${quoted(wordsOf(facts).join(' '))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _pawl pawl
`;
}

function zshScript(tree: readonly CommandFacts[]): string {
  const described = (name: string, text: string) => quoted(`${name.replaceAll(':', String.raw`\:`)}:${text}`);
  const items = ({ children, choices, options }: CommandFacts) =>
    [
      ...children.map(({ name, description }) => described(name, description)),
      ...choices.map((choice) => quoted(choice)),
      ...options.flatMap(({ long, description }) => (long === undefined ? [] : described(long, description))),
    ].join(' ');
  return `#compdef pawl
# Completion for pawl. In ~/.zshrc, after compinit: eval "$(pawl completion zsh)"
_pawl() {
  local at='' word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
    ${knownPaths(tree)}) at="$at $word" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${valueArms(tree, (choices) => (choices.length === 0 ? '_files; return' : `compadd -- ${choices.join(' ')}; return`)).join('\n')}
  esac
  case "$at" in
${tree.map((facts) => `    ${quoted(pathText(facts))}) found=(${items(facts)}) ;;`).join('\n')}
  esac
  _describe pawl found
  _files
}
compdef _pawl pawl
`;
}

function fishScript(tree: readonly CommandFacts[]): string {
  // Inside single quotes fish knows two escapes only.
  const text = (words: string) => `'${words.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
  const lines = tree.flatMap((facts) => {
    const when = `complete -c pawl -n ${text(`test "$(__pawl_at)" = "${pathText(facts)}"`)}`;
    return [
      ...facts.children.map(({ name, description }) => `${when} -f -a ${name} -d ${text(description)}`),
      ...facts.choices.map((choice) => `${when} -f -a ${choice}`),
      ...facts.options.map(({ long, short, description, takesValue, choices }) =>
        [
          when,
          ...(long === undefined ? [] : [`-l ${long.slice(2)}`]),
          ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
          ...(takesValue ? ['-r'] : []),
          ...(choices.length === 0 ? [] : [`-f -a ${text(choices.join(' '))}`]),
          `-d ${text(description)}`,
        ].join(' '),
      ),
    ];
  });
  return `# Completion for pawl. In ~/.config/fish/config.fish: pawl completion fish | source
function __pawl_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${tree
        .filter(({ path }) => path.length > 0)
        .map((facts) => text(pathText(facts)))
        .join(' ')}
        set at "$at $word"
    end
  end
  echo "$at"
end
${lines.join('\n')}
`;
}
