import { basename, dirname, relative } from 'node:path';

/** How files of the project name files that are adopted. */
export interface Names {
  /** The project's folder; undefined: a temporary one, from which files are named by their whole paths. */
  readonly out: string | undefined;
}

export function pathFrom({ out }: Names, file: string): string {
  return out === undefined ? file : relative(out, file);
}

/** Lines that import a file as \`variable\`, whatever its name: \`19_ReLU.py\` cannot stand after \`import\`. */
export function importLines({ out }: Names, file: string, variable: string): string {
  const module = basename(file).replace(/\.py$/u, '');
  const folder = out === undefined ? dirname(file) : relative(out, dirname(file));
  const isElsewhere = folder !== '';
  const place = folder.startsWith('/')
    ? JSON.stringify(folder)
    : `os.path.join(os.path.dirname(os.path.abspath(__file__)), ${JSON.stringify(folder)})`;
  return `import importlib
${isElsewhere ? `import os\nimport sys\n\nsys.path.insert(0, ${place})\n` : ''}
${variable} = importlib.import_module(${JSON.stringify(module)})
`;
}

/** A name for a problem out of a file's: `19_ReLU.py` is `ReLU`. */
export function problemOf(file: string): string {
  const name = basename(file)
    .replace(/\.py$/u, '')
    .replaceAll(/[^\w.-]/gu, '_')
    .replace(/^[^A-Za-z]+/u, '');
  return name === '' ? 'problem' : name.slice(0, 60);
}

/** Of a module whose parameters every kernel gets. */
export function parametersAre(count: number, module: string): string {
  return count === 1
    ? `the parameter of ${module} is an input`
    : `the ${count} parameters of ${module} are inputs`;
}
