/**
 * Which files of a project a Python module is made of, found by reading and never by running it. Too many do no harm
 * here and too few do: whatever looks like an import, and every string that names a file beside the module or at the
 * project's root, counts where there is such a file.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { isFile } from './is-file.ts';

/** The module itself and all that it reaches within `top`, absolute and sorted. */
export async function pythonFiles(
  module: string,
  { root, top }: { readonly root: string; readonly top: string },
): Promise<string[]> {
  const found = new Set<string>([module]);
  const open = [module];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const text = file.endsWith('.py') ? await readFile(file, 'utf8').catch(() => '') : '';
    const folders = [...new Set([dirname(file), dirname(module), root])];
    for (const path of candidates(text, dirname(file), folders)) {
      if (found.has(path) || !path.startsWith(`${top}${sep}`) || !(await isFile(path))) continue;
      found.add(path);
      open.push(path);
    }
  }
  return [...found].toSorted();
}

/** Where the things that a text names would lie. */
function candidates(text: string, here: string, folders: readonly string[]): Set<string> {
  const paths = new Set<string>();
  const add = (folder: string, parts: readonly string[]): void => {
    for (let length = 1; length <= parts.length; length++) {
      const path = join(folder, ...parts.slice(0, length));
      paths.add(`${path}.py`);
      paths.add(join(path, '__init__.py'));
    }
  };
  for (const name of importedNames(text)) {
    const dots = /^\.*/u.exec(name)![0].length;
    const parts = name
      .slice(dots)
      .split('.')
      .filter((part) => part !== '');
    // One dot is the module's own folder, each further one the folder above.
    if (dots > 0) add(join(here, ...Array.from({ length: dots - 1 }, () => '..')), parts);
    else for (const folder of folders) add(folder, parts);
  }
  for (const [, , literal = ''] of text.matchAll(/(["'])((?:(?!\1)[^\\\n]){1,300})\1/gu)) {
    const isPath = !literal.startsWith('/') && !literal.includes('\0');
    for (const folder of folders) {
      if (isPath) paths.add(join(folder, literal));
      // `import_module("helpers")`.
      if (/^[\w.]+$/u.test(literal))
        add(
          folder,
          literal.split('.').filter((part) => part !== ''),
        );
    }
  }
  return paths;
}

/** Dotted names of modules, `helpers`, `.parts`, `pkg.names`; those that a `from` imports may be modules too. */
function importedNames(text: string): string[] {
  // A statement that goes on in the next line.
  const joined = text.replaceAll(/\\\r?\n/gu, ' ');
  const names: string[] = [];
  for (const [, from = '', list = ''] of joined.matchAll(
    /\bfrom\s+([.\w]+)\s+import\s+(\([^)]*\)|[^\n;#]*)/gu,
  )) {
    const dot = from.endsWith('.') ? '' : '.';
    names.push(from, ...wordsOf(list).map((name) => `${from}${dot}${name}`));
  }
  for (const [, list = ''] of joined.matchAll(/\bimport\s+([\w.][^\n;#]*)/gu)) names.push(...wordsOf(list));
  return names;
}

/** `a, b.c as d` → a, b.c. Comments in parentheses go with the rest that is not a name. */
function wordsOf(list: string): string[] {
  return list
    .replaceAll(/#[^\n]*/gu, ' ')
    .split(',')
    .flatMap((item) => /[\w.]+/u.exec(item)?.[0] ?? []);
}
