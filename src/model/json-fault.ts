/**
 * Where a text stops being JSON, by the error of `JSON.parse`. The error's own message quotes the text around that
 * place, and a message goes where the file does not: into logs, comments and to assistants.
 */
export function jsonFault(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : '';
  if (/end of JSON input|Unterminated/u.test(message)) return 'it is incomplete';
  const position = / at position (\d+)/u.exec(message)?.[1];
  if (position === undefined) return 'it has an unexpected character';
  const before = text.slice(0, Number(position)).split('\n');
  return `wrong at line ${before.length}, column ${before.at(-1)!.length + 1}`;
}
