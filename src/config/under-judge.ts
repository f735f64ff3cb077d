import { resolve } from 'node:path';

import { validateCaseDims } from './validate-problem.ts';
import { kernelCases } from './kernel-cases.ts';
import { defaultDtype, type Kernel } from './kernel-schema.ts';
import type { JudgedKernel, LoadedConfig } from './load-config.ts';
import { matchCases, type Cases } from './match-cases.ts';
import { planCase } from './plan-case.ts';
import { placedChecker, placedGenerator } from './input-and-output-code.ts';
import type { Problem, Tensor } from './problem-schema.ts';
import { placedRecording } from './recorded-schema.ts';
import type { Config } from './schema.ts';

/**
 * A project's kernels under another project's judge. What they are built from is the project's; what they are asked to
 * compute, what is right, how near it has to be, in which cases, how it is measured and what counts as a change is the
 * judge's. Kernels, problems and cases that the judge does not have keep their own.
 */
export function underJudge(side: LoadedConfig, judge: LoadedConfig): LoadedConfig {
  if (side === judge) return side;
  const problems = { ...side.config.problems, ...problemsOf(judge) };
  const kernels: Record<string, Kernel> = {};
  const judged = new Map<string, JudgedKernel>();
  for (const [name, kernel] of Object.entries(side.config.kernels)) {
    const known = own(judge.config.kernels, name);
    const rules = known ?? kernel;
    const { problem, dtype, dtypes, deterministic, fuzz } = rules;
    kernels[name] = { ...kernel, problem, dtype, dtypes, deterministic, fuzz };
    judged.set(name, judgedKernel({ kernel, known }, side, judge));
  }
  const { measure, thresholds } = judge.config;
  return {
    ...side,
    config: { ...side.config, problems, kernels, measure, thresholds },
    judge: { root: judge.root, kernels: judged },
  };
}

/** The cases of a project's kernel, whichever judge it has. */
export function casesOf(loaded: LoadedConfig, name: string): Cases {
  const kernel = own(loaded.config.kernels, name);
  const problem = kernel && own(loaded.config.problems, kernel.problem);
  if (kernel === undefined || problem === undefined) return new Map();
  return loaded.judge?.kernels.get(name)?.cases ?? kernelCases(kernel, problem);
}

export function own<Part>(parts: Readonly<Record<string, Part>>, name: string): Part | undefined {
  return Object.hasOwn(parts, name) ? parts[name] : undefined;
}

/** Under absolute paths: the judge's files lie in its own folder. */
function problemsOf({ config, root }: LoadedConfig): Config['problems'] {
  const absolute = (path: string): string => resolve(root, path);
  return Object.fromEntries(
    Object.entries(config.problems).map(([name, problem]) => {
      const { oracle, checker, generator } = problem;
      return [
        name,
        {
          ...problem,
          oracle: placedOracle(oracle, absolute),
          checker: placedChecker(checker, absolute),
          generator: placedGenerator(generator, absolute),
          tensors: placedTensors(problem.tensors, absolute),
        },
      ];
    }),
  );
}

function placedTensors(tensors: Problem['tensors'], absolute: (path: string) => string): Problem['tensors'] {
  const entries = Object.entries(tensors).map(([name, tensor]): [string, Tensor] => {
    const { fill } = tensor;
    return [name, fill?.kind === 'recorded' ? { ...tensor, fill: placedRecording(fill, absolute) } : tensor];
  });
  return Object.fromEntries(entries);
}

function placedOracle(oracle: Problem['oracle'], absolute: (path: string) => string): Problem['oracle'] {
  if (oracle === undefined) return undefined;
  if (oracle.module !== undefined) {
    const { init } = oracle;
    return {
      ...oracle,
      module: absolute(oracle.module),
      init: init && { ...init, module: absolute(init.module) },
    };
  }
  const { source, cuda } = oracle;
  return { ...oracle, source: source && absolute(source), cuda: cuda && absolute(cuda) };
}

function judgedKernel(
  { kernel, known }: { readonly kernel: Kernel; readonly known: Kernel | undefined },
  side: LoadedConfig,
  judge: LoadedConfig,
): JudgedKernel {
  const sideProblem = own(side.config.problems, kernel.problem)!;
  const sideCases = kernelCases(kernel, sideProblem);
  const problem = own(judge.config.problems, (known ?? kernel).problem);
  // A problem that the judge has never heard of brings its own.
  if (problem === undefined) return { cases: sideCases, renamed: new Map() };
  // A kernel that the judge does not know chooses among the problem's cases; their dimensions are the judge's.
  const cases = known === undefined ? chosenBy(kernel, sideCases, problem) : kernelCases(known, problem);
  const { renamed, added } = matchCases({ cases, problem }, { cases: sideCases, problem: sideProblem });
  const dtype = defaultDtype(known ?? kernel);
  const more = added.filter((name) => isPossible(problem, name, sideCases.get(name)!, dtype));
  const place = (folder: string): string => resolve(judge.root, folder);
  return {
    includeDirs: (known ?? kernel).include_dirs.map(place),
    cases: new Map([...cases, ...more.map((name) => [name, sideCases.get(name)!] as const)]),
    renamed: new Map([...renamed].map(([judgeName, sideName]) => [sideName, judgeName])),
  };
}

function chosenBy(kernel: Kernel, wanted: Cases, problem: Problem): Cases {
  const all = Object.entries(problem.cases);
  return new Map(Array.isArray(kernel.cases) ? all.filter(([name]) => wanted.has(name)) : all);
}

/** Whether the judge's problem can be asked in a case that it does not know. */
function isPossible(
  problem: Problem,
  name: string,
  values: Cases extends ReadonlyMap<string, infer Dims> ? Dims : never,
  dtype: ReturnType<typeof defaultDtype>,
): boolean {
  return (
    validateCaseDims(problem, values, [], () => undefined) &&
    planCase(problem, name, values, dtype).faults.length === 0
  );
}
