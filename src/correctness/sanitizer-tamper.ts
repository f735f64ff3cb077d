import type { Tamper } from '../model/correctness/verification.ts';
import type { Sanitizer, SanitizerFinding } from '../model/correctness/sanitizer.ts';

const TOOL_NAMES: Readonly<Record<Sanitizer, string>> = {
  memcheck: 'compute-sanitizer memcheck',
  racecheck: 'compute-sanitizer racecheck',
  initcheck: 'compute-sanitizer initcheck',
  synccheck: 'compute-sanitizer synccheck',
  address: 'AddressSanitizer',
  undefined: 'UndefinedBehaviorSanitizer',
};

/** A finding in the words of the detectors. */
export function sanitizerTamper(finding: SanitizerFinding): Tamper {
  const { tool, message, kernel, where, access, size_bytes, thread, block } = finding;
  const isTold = /of size \d+/u.test(message);
  const parts = [
    access === undefined || size_bytes === undefined || isTold ? '' : `${access} of ${size_bytes} bytes`,
    kernel === undefined ? '' : `in ${kernel}`,
    where === undefined ? '' : `at ${where}`,
    thread === undefined ? '' : `by thread (${thread.join(', ')})`,
    block === undefined ? '' : `of block (${block.join(', ')})`,
  ].filter((part) => part !== '');
  const place = parts.length === 0 ? '' : `: ${parts.join(' ')}`;
  return { detector: 'sanitizer', message: `${TOOL_NAMES[tool]}: ${message}${place}` };
}

/** Each fault once: a tool reports every thread and every call that runs into it. */
export function distinctFindings(findings: readonly SanitizerFinding[]): SanitizerFinding[] {
  const byPlace = new Map<string, SanitizerFinding>();
  for (const finding of findings) {
    const { tool, kind, kernel, where, access } = finding;
    const key = JSON.stringify([tool, kind, kernel, where, access]);
    if (!byPlace.has(key)) byPlace.set(key, finding);
  }
  return [...byPlace.values()];
}
