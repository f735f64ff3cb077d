/** The tool that does what the first command in a sentence does: `pawl session start --goal …` is `pawl_session_start`. */
export function toolNamedIn(text: string, toolNames: readonly string[]): string | undefined {
  const [, command, part] = /\bpawl ([a-z]+)(?: ([a-z]+))?/u.exec(text) ?? [];
  return [`pawl_${command}_${part}`, `pawl_${command}`].find((name) => toolNames.includes(name));
}
