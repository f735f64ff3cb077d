import { defined } from '../model/defined.ts';
import { caseLabel, caseText } from '../model/judge/case-key.ts';
import { PawlError } from '../model/pawl-error.ts';
import type { EntryKey } from '../model/judge/baseline.ts';
import type { Clocks, Measurement, Samples } from '../model/measure/samples.ts';
import { canonicalJson } from '../os/canonical-json.ts';

/**
 * What an entry is found by: kernel, case, variant and mode, and what its times depend on besides. Refuses a
 * measurement that does not name its device: it could be compared with another device's without anybody noticing.
 */
export function entryKey(measurement: Measurement, samples: Samples): EntryKey {
  const device = { ...samples.device, ...measurement.device };
  const { kernel, case: name, mode, variant = {} } = measurement;
  if (device.name === undefined || device.name === '') {
    throw new PawlError(
      'bad-data',
      `the measurement of ${caseLabel(measurement)} does not name its device`,
      'Baselines are kept per device class: measure with `pawl bench`, or add the device to the file.',
    );
  }
  const clocks = clocksText(samples.environment?.clocks);
  return {
    ...defined({ kernel }),
    case: name,
    variant,
    ...defined({ mode }),
    device: {
      name: device.name,
      ...defined({ driver: device.driver, cuda: device.cuda_runtime, clocks }),
    },
    toolchain: toolchainOf(measurement),
  };
}

/** What came of the policy counts, not what was asked: a lock that was refused left the clocks as they are. */
function clocksText(clocks: Clocks | undefined): string | undefined {
  if (clocks === undefined) return undefined;
  if (clocks.policy === 'as-is' || clocks.refused !== undefined) return 'as-is';
  return clocks.locked_mhz === undefined ? 'locked' : `locked at ${clocks.locked_mhz} MHz`;
}

function toolchainOf({ binary, versions = {} }: Measurement): EntryKey['toolchain'] {
  const language = binary?.toolchain;
  if (binary?.compiler !== undefined) {
    return { ...defined({ language }), compiler: binary.compiler };
  }
  const names = Object.keys(versions).sort();
  if (names.length === 0) return defined({ language });
  const text = names.map((name) => `${name} ${versions[name]}`).join(', ');
  return { language: language ?? 'python', compiler: text };
}

/** Equal keys have equal text. For programs; `entryKeyText` is for people. */
export function keyId(key: EntryKey): string {
  return canonicalJson(key);
}

export function deviceClassText({ name, driver, cuda, clocks }: EntryKey['device']): string {
  const details = [
    driver === undefined ? undefined : `driver ${driver}`,
    cuda === undefined ? undefined : `CUDA ${cuda}`,
    clocks === undefined ? undefined : `clocks ${clocks}`,
  ].filter((part) => part !== undefined);
  return [name, ...details].join(', ');
}

export function toolchainText({ language, compiler }: EntryKey['toolchain']): string {
  return [language, compiler].filter((part) => part !== undefined).join(' ') || 'an unknown toolchain';
}

/** `attention/training_512 (BLOCK_M=64, cold) on NVIDIA H200, driver 580.65, clocks as-is, with cuda nvcc 13.0`. */
export function entryKeyText(key: EntryKey): string {
  return `${caseText(key)} on ${deviceClassText(key.device)}, with ${toolchainText(key.toolchain)}`;
}

/** Whether a pattern means a key: by `kernel/case`, or by its whole text. `*` stands for any text. */
export function matchesPattern(pattern: string, key: EntryKey): boolean {
  return matchesGlob(pattern, caseLabel(key)) || matchesGlob(pattern, entryKeyText(key));
}

/** Greedy, with one point to go back to: linear in practice, and never exponential as a regular expression can be. */
function matchesGlob(pattern: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  let position = 0;
  while (position < text.length) {
    if (pattern[at] === '*') {
      star = at++;
      resume = position;
    } else if (at < pattern.length && pattern[at] === text[position]) {
      at++;
      position++;
    } else if (star >= 0) {
      at = star + 1;
      position = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
