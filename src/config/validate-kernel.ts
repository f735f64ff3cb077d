import { chosenDtypes } from '../model/problem/dtype-choice.ts';
import { validateCaseDims, validateNames } from './validate-problem.ts';
import { validateFuzz } from './validate-fuzz.ts';
import { validateTunables } from './validate-tunables.ts';
import { defaultVariant } from './constraints.ts';
import { didYouMean } from '../model/text/did-you-mean.ts';
import { ExpressionError } from './expression/expression-error.ts';
import { kernelCases } from './kernel-cases.ts';
import { defaultDtype } from './kernel-schema.ts';
import type { Kernel } from './kernel-schema.ts';
import type { AddMistake, Path } from './mistake.ts';
import { planCase } from './plan-case.ts';
import { planThreads } from './plan-threads.ts';
import { isPacked, isReplaceable } from '../model/problem/tensor.ts';
import type { Problem } from './problem-schema.ts';
import type { SoundParts } from './sound-parts.ts';

/**
 * What a schema cannot see in one kernel. `problem` is undefined when its own entry is broken or missing:
 * what depends on it is then left alone, since complaints about it would only be echoes.
 */
export function validateKernel(
  parts: SoundParts<Kernel>,
  problem: Problem | undefined,
  path: Path,
  add: AddMistake,
): void {
  const { value: kernel, uncertain } = parts;
  validateLanguage(kernel, uncertain, path, add);
  const areTunablesKnown = !uncertain.has('tunables');
  if (areTunablesKnown) validateTunables(kernel, problem, path, add);
  if (problem === undefined) return;
  validateDtypes(kernel, problem, path, add);
  validatePrepare(kernel, problem, path, add);
  validateTunableNames(kernel, problem, path, add);
  validateCases(kernel, problem, path, add);
  if (!uncertain.has('cases') && kernelCases(kernel, problem).size === 0 && kernel.cases === undefined) {
    add(path, 'has no cases: neither it nor its problem names any', { at: 'key' });
  }
  if (areTunablesKnown) validateThreads(kernel, problem, path, add);
  validateFuzz(kernel.fuzz, problem, defaultDtype(kernel), [...path, 'fuzz'], add);
}

/** A kernel is compiled from sources, or is a function in a Python module; its keys must agree. */
function validateLanguage(kernel: Kernel, uncertain: ReadonlySet<string>, path: Path, add: AddMistake): void {
  const { language, device } = kernel;
  if (language === 'python') {
    for (const key of ['module', 'function'] as const) {
      if (kernel[key] !== undefined || uncertain.has(key)) continue;
      add(path, `a Python kernel needs \`${key}\``, { at: 'key' });
    }
    if (kernel.sources !== undefined) {
      add([...path, 'sources'], 'a Python kernel has `module` and `function`, not sources', { at: 'key' });
    }
    for (const key of ['include_dirs', 'flags', 'links'] as const) {
      if (kernel[key].length > 0) add([...path, key], 'a Python kernel is not compiled', { at: 'key' });
    }
  } else {
    if (kernel.sources === undefined && !uncertain.has('sources'))
      add(path, `a ${language} kernel needs \`sources\``, { at: 'key' });
    for (const key of ['module', 'function'] as const) {
      if (kernel[key] === undefined) continue;
      add([...path, key], `a ${language} kernel has \`sources\`, not a ${key}`, { at: 'key' });
    }
    const right = language === 'cuda' ? 'cuda' : 'cpu';
    if (device !== right) add([...path, 'device'], `a ${language} kernel runs on ${right}, not ${device}`);
  }
  if (kernel.arch !== undefined && language !== 'cuda') {
    add([...path, 'arch'], `only a cuda kernel is compiled for a GPU architecture`, { at: 'key' });
  }
  if (kernel.dtype !== undefined && kernel.dtypes !== undefined) {
    add([...path, 'dtype'], 'the first of `dtypes` already says this', { at: 'key' });
  }
  if (kernel.threads !== undefined && device !== 'cpu') {
    add([...path, 'threads'], 'only a kernel on the cpu has threads', { at: 'key' });
  }
}

function validateDtypes(kernel: Kernel, problem: Problem, path: Path, add: AddMistake): void {
  const choices: [string, Path][] = [
    ...(kernel.dtype === undefined ? [] : [[kernel.dtype, [...path, 'dtype']] satisfies [string, Path]]),
    ...(kernel.dtypes ?? []).map((choice, index): [string, Path] => [choice, [...path, 'dtypes', index]]),
  ];
  for (const [choice, at] of choices) {
    for (const name of chosenDtypes(choice).keys()) {
      if (name === '') continue;
      const tensor = Object.hasOwn(problem.tensors, name) ? problem.tensors[name] : undefined;
      if (tensor === undefined) {
        const suggestion = didYouMean(name, Object.keys(problem.tensors));
        add([...at, name], `the problem has no such tensor${suggestion}`, { at: 'key' });
      } else if (!isReplaceable(tensor.dtype)) {
        const why = isPacked(tensor.dtype) ? 'which is packed' : 'and only floating types are replaced';
        add([...at, name], `is ${tensor.dtype}, ${why}`, { at: 'key' });
      }
    }
  }
}

/** What is prepared is not timed: inputs that change from call to call must be left for the call. */
function validatePrepare({ prepare }: Kernel, problem: Problem, path: Path, add: AddMistake): void {
  if (prepare === undefined) return;
  const at = [...path, 'prepare', 'of'];
  const inputs = Object.entries(problem.tensors).filter(([, { role }]) => role !== 'output');
  for (const [index, name] of prepare.of.entries()) {
    const tensor = Object.hasOwn(problem.tensors, name) ? problem.tensors[name] : undefined;
    if (tensor === undefined) {
      const suggestion = didYouMean(name, Object.keys(problem.tensors));
      add([...at, index], `the problem has no such tensor${suggestion}`);
    } else if (tensor.role !== 'input') {
      add([...at, index], `is an ${tensor.role}, and only inputs can be prepared`);
    }
  }
  if (inputs.every(([name]) => prepare.of.includes(name))) {
    add(at, 'names every input, so the whole work could be done outside of the times; leave one out');
  }
}

function validateTunableNames(kernel: Kernel, problem: Problem, path: Path, add: AddMistake): void {
  for (const { name } of problem.dims) {
    if (!Object.hasOwn(kernel.tunables, name)) continue;
    add([...path, 'tunables', name], 'the problem has a dimension of this name', { at: 'key' });
  }
  for (const { name } of problem.scalars) {
    if (!Object.hasOwn(kernel.tunables, name)) continue;
    add([...path, 'tunables', name], 'the problem has a scalar of this name', { at: 'key' });
  }
}

function validateThreads(kernel: Kernel, problem: Problem, path: Path, add: AddMistake): void {
  if (kernel.threads === undefined) return;
  const at = [...path, 'threads'];
  const known = [...Object.keys(kernel.tunables), ...problem.dims.map(({ name }) => name)];
  if (!validateNames(kernel.threads, known, 'a tunable or dimension', at, add)) return;
  try {
    const cases = [...kernelCases(kernel, problem)].map(
      ([name, values]) => planCase(problem, name, values, defaultDtype(kernel)).plan,
    );
    planThreads(kernel.threads, defaultVariant(kernel), cases);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    add(at, error.message, { offset: error.offset });
  }
}

function validateCases(kernel: Kernel, problem: Problem, path: Path, add: AddMistake): void {
  const known = Object.keys(problem.cases);
  if (Array.isArray(kernel.cases)) {
    for (const [index, name] of kernel.cases.entries()) {
      if (known.includes(name)) continue;
      const suggestion = didYouMean(name, known) || `; there are ${known.join(', ') || 'none'}`;
      add([...path, 'cases', index], `the problem has no case \`${name}\`${suggestion}`);
    }
    return;
  }
  for (const [name, values] of Object.entries(kernel.cases ?? {})) {
    const casePath = [...path, 'cases', name];
    if (known.includes(name)) add(casePath, 'the problem already has a case of this name', { at: 'key' });
    if (!validateCaseDims(problem, values, casePath, add)) continue;
    for (const fault of planCase(problem, name, values, defaultDtype(kernel)).faults)
      add(casePath, fault.message, fault.isData === true ? { isData: true } : undefined);
  }
}
