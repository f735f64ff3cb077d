/** The files that a Makefile rule as written by `-MD` (gcc, clang, nvcc) depends on, in order, each once. */
export function parseDepfile(text: string): string[] {
  const joined = text.replaceAll(/\\\r?\n/g, ' ');
  const files = new Set<string>();
  for (const line of joined.split(/\r?\n/)) {
    const colon = /:(?:\s|$)/.exec(line);
    if (colon === null) continue;
    for (const word of words(line.slice(colon.index + 1))) files.add(word);
  }
  return [...files];
}

/** Splits at blanks; make escapes a blank or # in a name with a backslash and a dollar by doubling it. */
function words(text: string): string[] {
  const found = text.match(/(?:\\.|[^\s\\])+/g) ?? [];
  return found.map((word) => word.replaceAll(/\\([ #:\\])/g, '$1').replaceAll('$$', '$'));
}
