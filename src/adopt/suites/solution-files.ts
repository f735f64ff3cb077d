import { posix } from 'node:path';

import { PawlError } from '../../model/pawl-error.ts';
import type { DraftFile } from '../draft.ts';
import type { Definition, Solution } from './definition-file.ts';
import { toPython } from '../python/python-text.ts';

const FOLDER = 'solution';

/** Runs where PyTorch does; other languages need a GPU. */
export function isPython({ spec, sources }: Solution): boolean {
  const languages = [spec.language ?? [], spec.languages ?? []].flat().map((one) => one.toLowerCase());
  const isPlain = languages.every((one) => ['python', 'pytorch', 'torch'].includes(one));
  return isPlain && !sources.some(({ content }) => /^\s*(import|from) triton/mu.test(content));
}

/** The solution's own files, and one that calls its entry point. */
export function solutionFiles(
  solution: Solution,
  definition: Definition,
  problem: string,
  path: string,
): DraftFile[] {
  const { spec, sources } = solution;
  const files = sources.map(({ path: source, content }) => ({
    path: pathOf(source, solution),
    text: content,
  }));
  const [entry = '', name = ''] = spec.entry_point.split('::');
  const place = pathOf(entry, solution);
  if (!files.some((file) => file.path === place) || !/^\w+$/u.test(name)) {
    throw new PawlError(
      'bad-data',
      `The entry point of ${solution.name}, ${spec.entry_point}, is not among its sources.`,
    );
  }
  const isPythonFile = entry.endsWith('.py');
  if (!isPythonFile && spec.binding !== null && spec.binding !== undefined && spec.binding !== 'torch') {
    throw new PawlError(
      'bad-data',
      `${solution.name} uses the binding ${spec.binding}; Pawl builds C++ and CUDA solutions only as PyTorch extensions.`,
    );
  }
  const compiled = files.map((file) => file.path).filter((file) => /\.(cu|cpp|cc|cxx|c)$/u.test(file));
  const found = isPythonFile
    ? `function_in(__file__, ${JSON.stringify(place)}, ${JSON.stringify(name)})`
    : `built(__file__, ${toPython(compiled)}, ${JSON.stringify(name)}, load)`;
  const out = spec.destination_passing_style ? ', out' : '';
  const inputs = Object.fromEntries(
    Object.entries(definition.inputs).map(([input, { dtype, shape }]) => [
      input,
      shape === null ? null : dtype,
    ]),
  );
  const outputs = Object.fromEntries(
    Object.entries(definition.outputs).map(([output, { dtype }]) => [output, dtype]),
  );
  return [
    ...files,
    {
      path,
      text: `"""Written by \`pawl adopt\`: how Pawl calls the solution of ${problem}."""

${isPythonFile ? '' : 'from torch.utils.cpp_extension import load\n\n'}from pawl_suite import Definition, ${isPythonFile ? 'function_in' : 'built'}

framework = "torch"

definition = Definition(
    inputs=${toPython(inputs)},
    outputs=${toPython(outputs)},
)
solution = ${found}


def run(*tensors${out}, **named):
    return definition.call(solution, tensors, named${out})
`,
    },
  ];
}

/** Below a folder of its own, whatever the path says. */
function pathOf(source: string, { name }: Solution): string {
  const path = posix.normalize(source);
  if (posix.isAbsolute(path) || path.startsWith('..') || path === '.' || path.includes('\\')) {
    throw new PawlError('bad-data', `${name} has a source outside its own folder: ${source}.`);
  }
  return `${FOLDER}/${path}`;
}
