import type { Measurement } from './samples.ts';
import { shellWord } from '../text/shell-word.ts';
import { variantText } from '../problem/variant.ts';

/**
 * The command that checks and times one case again. With the run's seed the check draws the same inputs, whatever
 * else was measured then (measure/schedule.ts).
 */
export function reproduceCommand(
  { kernel, case: name, variant = {}, mode }: Pick<Measurement, 'kernel' | 'case' | 'variant' | 'mode'>,
  seed: string | undefined,
): string | undefined {
  if (kernel === undefined) return undefined;
  const tunables = variantText(variant);
  const options = [
    ['--only', kernel],
    ['--case', name],
    ['--variant', tunables],
    ['--mode', mode ?? ''],
    ['--seed', seed ?? ''],
  ] as const;
  const words = options.flatMap(([option, value]) => (value === '' ? [] : [option, shellWord(value)]));
  return ['pawl bench --verified', ...words].join(' ');
}

/** The command that finds the line where a compiled kernel crashes. */
export function locateCommand({
  kernel,
  case: name,
}: Pick<Measurement, 'kernel' | 'case'>): string | undefined {
  if (kernel === undefined) return undefined;
  return `pawl fuzz --only ${shellWord(kernel)} --case ${shellWord(name)} --sanitize`;
}

/** The command that builds a kernel again, with everything that the compiler says. */
export function buildCommand({ kernel }: Pick<Measurement, 'kernel'>): string | undefined {
  return kernel === undefined ? undefined : `pawl build --only ${shellWord(kernel)}`;
}
