import type { Kernel } from './kernel-schema.ts';
import type { CaseDims, Problem } from './problem-schema.ts';

/** The cases of a kernel by name: those of its problem that it lists, or all of them and its own. */
export function kernelCases(kernel: Pick<Kernel, 'cases'>, problem: Problem): Map<string, CaseDims> {
  if (!Array.isArray(kernel.cases)) return new Map(Object.entries({ ...problem.cases, ...kernel.cases }));
  const listed: string[] = kernel.cases;
  return new Map(Object.entries(problem.cases).filter(([name]) => listed.includes(name)));
}
