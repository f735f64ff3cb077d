/** A word as a shell takes it for one, whatever it holds: names come from files that somebody else may have written. */
export function shellWord(text: string): string {
  // Zsh reads a word that begins with = as the path of a command.
  if (/^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
