/** The tool that does what a command does: `pawl_session_start` for `session start`, else the one of its first word. */
export function toolOf(command: string, toolNames: readonly string[]): string | undefined {
  const [first = ''] = command.split(' ');
  return [`pawl_${command.replaceAll(' ', '_')}`, `pawl_${first}`].find((name) => toolNames.includes(name));
}
