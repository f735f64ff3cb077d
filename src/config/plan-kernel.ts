import { resolve } from 'node:path';

import { defined } from '../model/defined.ts';
import type { DeviceLimits } from '../model/device/device-limits.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { TunableValue, Variant } from '../model/problem/variant.ts';
import { variantText } from '../model/problem/variant.ts';
import { brokenConstraint, constraintText, defaultVariant, idleTunables } from './constraints.ts';
import type { Surroundings } from './constraints.ts';
import { didYouMean } from '../model/text/did-you-mean.ts';
import { ExpressionError } from './expression/expression-error.ts';
import { kernelCases } from './kernel-cases.ts';
import { defaultDtype } from './kernel-schema.ts';
import type { Kernel } from './kernel-schema.ts';
import type { LoadedConfig } from './load-config.ts';
import { pathText, showValue } from './mistake.ts';
import { planCase } from './plan-case.ts';
import type { CasePlan } from './plan-case.ts';
import { planThreads } from './plan-threads.ts';
import { placedChecker, placedGenerator } from './input-and-output-code.ts';
import type { CaseDims, Problem } from './problem-schema.ts';

export type { CasePlan } from './plan-case.ts';

/** A function, or a class that is built with the arguments that another function returns. */
interface PythonPlan {
  readonly module: string;
  readonly function: string;
  readonly init?: { readonly module: string; readonly function: string };
}

type OraclePlan =
  /** `cuda` judges kernels in CUDA, where the problem has one. */
  | { readonly source?: string; readonly cuda?: string; readonly links?: readonly string[] }
  | (PythonPlan & { readonly reference?: string; readonly precision?: 'own' })
  | undefined;

type GeneratorPlan = Problem['generator'];

/** Judges outputs by what they have to be; `outputs` where the oracle judges others. */
type CheckerPlan = Problem['checker'];

/** A kernel in one variant with everything computed: what is built, checked and measured. Paths are absolute. */
export interface KernelPlan {
  readonly name: string;
  readonly problem: string;
  readonly device: 'cpu' | 'cuda';
  readonly language: 'c' | 'c++' | 'cuda' | 'python';
  readonly sources: readonly string[];
  readonly includeDirs: readonly string[];
  readonly flags: readonly string[];
  readonly links: readonly string[];
  readonly arch: readonly string[] | 'auto';
  readonly module?: string;
  readonly function?: string;
  readonly init?: PythonPlan['init'];
  /** What it makes of some inputs before it is timed. */
  readonly prepare?: Kernel['prepare'];
  /** What makes the inputs, where fills do not. */
  readonly generator?: GeneratorPlan;
  /** Random numbers start alike in every call. */
  readonly seeded?: boolean;
  readonly oracle: OraclePlan;
  readonly checker?: CheckerPlan;
  /** Where the oracle comes from, where that is another project than the kernel's own. */
  readonly oracleFrom?: { readonly root: string; readonly includeDirs: readonly string[] };
  /** False: the same inputs may give different outputs. */
  readonly deterministic: boolean;
  readonly threads: number;
  /** How long Python modules, its own and its oracle's, may take to be imported. */
  readonly importTimeout_s: number;
  /** Names of variables that its build and its processes see beside those of toolchains. */
  readonly environment?: readonly string[];
  /** Variables for the process that runs the kernel: not for its build, its oracle or the judge. */
  readonly env?: Readonly<Record<string, string>>;
  readonly variant: Variant;
  /** Another variant was asked for than the file's default. */
  readonly variantRequested?: boolean;
  readonly cases: readonly CasePlan[];
}

export interface PlanOptions {
  /** Values that replace defaults; one may also be given as text, `'32'` for 32. */
  readonly variant?: Variant;
  /** Only these cases, in the file's order. */
  readonly cases?: readonly string[];
  /** Of the device, where it is known: constraints that name a limit are then asked too. */
  readonly limits?: DeviceLimits;
}

export function kernelNames(loaded: LoadedConfig): string[] {
  return Object.keys(loaded.config.kernels);
}

/** @throws {PawlError} of kind `usage` for a kernel, case, tunable or value that the file does not have */
export function planKernel(loaded: LoadedConfig, kernelName: string, options: PlanOptions = {}): KernelPlan {
  try {
    return planned(loaded, kernelName, options);
  } catch (error) {
    // Formulas of a file fit its own problems, and need not fit those of another judge.
    if (!(error instanceof ExpressionError) || loaded.judge === undefined) throw error;
    throw new PawlError(
      'configuration',
      `${kernelName} cannot be planned for the problem as its base has it: ${error.message}.`,
      'Keep the dimensions of the problem, or let a person accept the change: --accept-judge-change',
    );
  }
}

function planned(loaded: LoadedConfig, kernelName: string, options: PlanOptions): KernelPlan {
  const { config, root } = loaded;
  const kernel = pick(config.kernels, kernelName, 'kernel');
  const problem = pick(config.problems, kernel.problem, 'problem');
  const judged = loaded.judge?.kernels.get(kernelName);
  const all = judged?.cases ?? kernelCases(kernel, problem);
  const cases = chooseCases(kernel, problem, all, kernelName, options.cases);
  const { variant: wanted = {}, limits } = options;
  const variant = chooseVariant(kernel, kernelName, wanted, { cases, ...(limits && { limits }) });
  const absolute = (path: string) => resolve(root, path);
  return {
    name: kernelName,
    problem: kernel.problem,
    device: kernel.device,
    language: kernel.language,
    sources: (kernel.sources ?? []).map(absolute),
    includeDirs: kernel.include_dirs.map(absolute),
    flags: kernel.flags,
    links: kernel.links,
    arch: kernel.arch ?? 'auto',
    ...(kernel.module !== undefined && { module: absolute(kernel.module) }),
    ...(kernel.function !== undefined && { function: kernel.function }),
    ...defined({ prepare: kernel.prepare }),
    ...defined({ init: placed(kernel.init, absolute) }),
    ...defined({ generator: placedGenerator(problem.generator, absolute), seeded: problem.seeded }),
    oracle: oraclePlan(problem, absolute),
    ...defined({ checker: placedChecker(problem.checker, absolute) }),
    ...(loaded.judge !== undefined &&
      judged?.includeDirs !== undefined && {
        oracleFrom: { root: loaded.judge.root, includeDirs: judged.includeDirs },
      }),
    deterministic: kernel.deterministic,
    threads: planThreads(kernel.threads, variant, cases),
    importTimeout_s: config.measure.import_timeout_s,
    ...(config.environment.length > 0 && { environment: config.environment }),
    ...(Object.keys(kernel.env).length > 0 && { env: kernel.env }),
    variant,
    ...(variantText(variant) === variantText(defaultVariant(kernel)) ? {} : { variantRequested: true }),
    cases,
  };
}

function oraclePlan(problem: Problem, absolute: (path: string) => string): OraclePlan {
  const { oracle } = problem;
  if (oracle === undefined) return undefined;
  if (oracle.module !== undefined) {
    const { module, function: name, reference, init, precision } = oracle;
    return {
      module: absolute(module),
      function: name,
      ...defined({ reference, precision, init: placed(init, absolute) }),
    };
  }
  const { source, cuda, links } = oracle;
  return defined({ source: source && absolute(source), cuda: cuda && absolute(cuda), links });
}

/** Whether anything says what is right. */
export function isJudged({ oracle, checker }: Pick<KernelPlan, 'oracle' | 'checker'>): boolean {
  return oracle !== undefined || checker !== undefined;
}

function placed<Part extends { readonly module: string }>(
  part: Part | undefined,
  absolute: (path: string) => string,
): Part | undefined {
  return part && { ...part, module: absolute(part.module) };
}

function chooseCases(
  kernel: Kernel,
  problem: Problem,
  cases: ReadonlyMap<string, CaseDims>,
  kernelName: string,
  wanted: readonly string[] | undefined,
): CasePlan[] {
  for (const name of wanted ?? []) {
    if (!cases.has(name)) throw unknown('case', name, [...cases.keys()], `Kernel ${kernelName}`);
  }
  return [...cases]
    .filter(([name]) => wanted === undefined || wanted.includes(name))
    .map(([name, values]) => {
      const { plan, faults } = planCase(problem, name, values, defaultDtype(kernel));
      const [fault] = faults;
      if (fault === undefined) return plan;
      const where = pathText(['problems', kernel.problem, ...fault.path]);
      throw new PawlError('configuration', `${where}: ${fault.message}`);
    });
}

function chooseVariant(
  kernel: Kernel,
  kernelName: string,
  wanted: Variant,
  surroundings: Surroundings,
): Variant {
  const variant = defaultVariant(kernel);
  for (const [name, value] of Object.entries(wanted)) {
    const tunable = Object.hasOwn(kernel.tunables, name) ? kernel.tunables[name] : undefined;
    if (tunable === undefined) {
      throw unknown('tunable', name, Object.keys(kernel.tunables), `Kernel ${kernelName}`);
    }
    variant[name] = matchValue(name, value, tunable.values);
  }
  const [idle] = idleTunables(kernel, variant);
  if (idle !== undefined) {
    const { when, default: standard } = kernel.tunables[idle]!;
    throw new PawlError(
      'usage',
      `${idle} does not apply in variant ${variantText(variant)} of ${kernelName}: \`${when?.source}\` does not hold.`,
      `Leave it at ${String(standard)}.`,
    );
  }
  const broken = brokenConstraint(kernel, variant, surroundings);
  if (broken !== undefined) {
    throw new PawlError(
      'usage',
      `Variant ${variantText(variant)} of ${kernelName} breaks ${constraintText(broken)}.`,
      'Choose values that satisfy every constraint of the kernel.',
    );
  }
  return variant;
}

function matchValue(tunable: string, wanted: TunableValue, values: readonly TunableValue[]): TunableValue {
  const found = values.find((value) => String(value) === String(wanted));
  if (found !== undefined) return found;
  const suggestion = typeof wanted === 'string' ? didYouMean(wanted, values.map(String)) : '';
  throw new PawlError(
    'usage',
    `${showValue(wanted)} is not a value of ${tunable}${suggestion}.`,
    `Its values are ${values.join(', ')}.`,
  );
}

export function pick<Entry>(entries: Readonly<Record<string, Entry>>, name: string, kind: string): Entry {
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
  if (entry === undefined) throw unknown(kind, name, Object.keys(entries), 'pawl.yaml');
  return entry;
}

function unknown(kind: string, name: string, known: readonly string[], owner: string): PawlError {
  return new PawlError(
    'usage',
    `${owner} has no ${kind} ${showValue(name)}${didYouMean(name, known)}.`,
    known.length === 0 ? `It has no ${kind}s at all.` : `It has ${known.join(', ')}.`,
  );
}
