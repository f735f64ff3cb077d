/**
 * Options that several commands have: a group declares them with their help, and reads them into the workflows' words.
 * What one command accepts and means by an option, every command does.
 */
import { Option, type Command } from 'commander';

import { defined } from '../model/defined.ts';
import { MODES, type Mode } from '../model/problem/mode.ts';
import type { Variant } from '../model/problem/variant.ts';
import { budget, duration, list, listOf, positiveInteger, variant, wholeNumber } from './options.ts';
import type { Door } from './run-action.ts';

export interface OutputFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** `json`: what is printed. */
export function withOutput(command: Command, json: string): Command {
  return command.option('--json', `print ${json}`).option('-q, --quiet', 'no progress display');
}

export interface DeviceFlags extends OutputFlags {
  readonly gpu: number;
  readonly wait: number;
}

/** Which device, and how long to wait for it. `when`: what has to be said for that to matter, as in `with --measure: `. */
export function withDevice(command: Command, json: string, when = ''): Command {
  return withOutput(command.addOption(gpuOption(when).default(0)).addOption(waitOption({ when })), json);
}

export function gpuOption(when = '', otherwise = ''): Option {
  const words = `${when}GPU index, as in nvidia-smi${otherwise}`;
  return new Option('--gpu <index>', words).argParser(wholeNumber);
}

export function waitOption({ when = '', what = 'a device that another Pawl is using' } = {}): Option {
  const words = `${when}wait this long for ${what}: 600 (seconds), 10m`;
  return new Option('--wait <time>', words).argParser(duration).default(0);
}

export function deviceOptions({ gpu, wait }: DeviceFlags, { signal, onProgress }: Door) {
  return { gpu, wait_s: wait, signal, onProgress };
}

export interface MeasuringFlags extends DeviceFlags {
  readonly processes?: number;
  readonly samples?: number;
  readonly timeout?: number;
  readonly clocks: 'as-is' | 'lock';
}

/** How often a case is measured, and under which conditions. */
export function withMeasuring(
  command: Command,
  words: { readonly processes: string; readonly samples?: string; readonly json: string },
): Command {
  const { processes, samples = 'target number of samples per process (default 100)', json } = words;
  command
    .addOption(processesOption(processes))
    .option('--samples <n>', samples, positiveInteger)
    .addOption(timeoutOption())
    .addOption(clocksOption().default('as-is'));
  return withDevice(command, json);
}

export function processesOption(words: string): Option {
  return new Option('--processes <n>', words).argParser(positiveInteger);
}

export function timeoutOption(
  words = 'a kernel that does not answer for this long hangs (default: from pawl.yaml, 60)',
): Option {
  return new Option('--timeout <time>', words).argParser(duration);
}

export function clocksOption(): Option {
  const words = 'lock: lock the GPU clock while measuring, and unlock it afterwards';
  return new Option('--clocks <policy>', words).choices(['as-is', 'lock']);
}

export function measuringOptions(flags: MeasuringFlags, door: Door) {
  const { processes, samples, timeout: timeout_s, clocks } = flags;
  return { ...defined({ processes, samples, timeout_s }), clocks, ...deviceOptions(flags, door) };
}

export interface SelectionFlags {
  readonly config?: string;
  readonly only?: string[];
  readonly case?: string[];
  readonly mode?: Mode[];
  readonly variant?: Variant;
}

export function onlyOption(verb: string): Option {
  const words = `${verb} these kernels only; repeat or separate by commas`;
  return new Option('--only <kernel>', words).argParser(list);
}

export function modesOption(): Option {
  const words = 'cold (cache flushed), hot (back to back), graph (CUDA graph replay)';
  return new Option('--mode <mode>', words).argParser(listOf(MODES));
}

export function variantOption(when = ''): Option {
  const words = `${when}set tunables; the others keep their defaults`;
  return new Option('--variant <NAME=VALUE>', words).argParser(variant);
}

export function selectionOptions({ config, only, case: cases, mode, variant: tunables }: SelectionFlags) {
  return defined({ config, only, cases, modes: mode, variant: tunables });
}

export function seedOption(): Option {
  return new Option('--seed <n>', 'use the order and the inputs of an earlier run');
}

/** `then`: what happens when it is spent. */
export function budgetOption(then: string): Option {
  return new Option('--budget <time>', `time to spend: 600 (seconds), 10m, 1h30m; ${then}`).argParser(budget);
}

/** `over`: what it corrects for the number of. */
export function correctionOption(over: string): Option {
  const words = `multiple-comparison correction over all ${over}`;
  return new Option('--correction <how>', words).choices(['holm', 'bh', 'none']);
}
