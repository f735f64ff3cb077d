import { defined } from '../model/defined.ts';
import type { CudaSanitizer, SanitizerFinding } from '../model/correctness/sanitizer.ts';

/** What one log of compute-sanitizer says. */
export interface SanitizerLog {
  readonly findings: readonly SanitizerFinding[];
  /** Where the tool itself failed: it could not attach, or it ended with an error of its own. */
  readonly problems: readonly string[];
}

/**
 * The first lines of findings, by tool version and tool (Compute Sanitizer manual, the chapters on each tool).
 * "Program hit …" is about a call of the CUDA API: what fails there is told by its status, and a probe of what a
 * device can do may fail on purpose.
 */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^Invalid __\w+__ (?:read|write|atomic|load|store)/i, 'invalid-access'],
  [/^Invalid \w+ access|^Access to .* is out of bounds|out of bounds/i, 'invalid-access'],
  [/^Race reported|hazard detected|^Potential \w+ hazard/i, 'race'],
  [/uninitialized/i, 'uninitialized-read'],
  [/^Barrier error|^Divergent thread|^Invalid arguments|barrier/i, 'barrier-error'],
  [/misaligned/i, 'misaligned-access'],
  [/^(?:Leaked|Unused memory)/i, 'leak'],
  [/hardware exception|^Warp|stack overflow|illegal instruction|^Invalid pc/i, 'hardware-exception'],
  [/(?:malloc|free|heap).*(?:error|invalid)|^Invalid (?:device )?(?:free|malloc)/i, 'heap-error'],
];

const NOT_A_FINDING =
  /^(?:COMPUTE-SANITIZER|CUDA-MEMCHECK|Program hit|Target application|LEAK SUMMARY|RACECHECK SUMMARY|ERROR SUMMARY|Host Frame|Device Frame|Saved host|Program Created)/i;

const TOOL_FAILED =
  /internal (?:sanitizer )?error|no attachable process|unable to|not supported|didn't terminate|failed to (?:initialize|instrument|load)/i;

/** Reads a log, tolerant of what it does not know: a block that names no known kind is still a finding of the tool. */
export function parseComputeSanitizerLog(text: string, tool: CudaSanitizer): SanitizerLog {
  const findings: SanitizerFinding[] = [];
  const problems: string[] = [];
  for (const block of blocksOf(text)) {
    const head = block[0]!.replace(/^(?:error|warning|warn|info|fatal)\s*:\s*/i, '');
    if (NOT_A_FINDING.test(head)) continue;
    const kind = KINDS.find(([pattern]) => pattern.test(head))?.[1];
    if (kind === undefined && TOOL_FAILED.test(head)) problems.push(head);
    else if (kind !== undefined || block.length > 1) findings.push(findingOf(tool, kind, head, block));
  }
  const errors = Number(/(?:ERROR|RACECHECK) SUMMARY: (\d+)/i.exec(text)?.[1] ?? 0);
  if (errors > 0 && findings.length === 0 && !/Program hit/i.test(text)) {
    findings.push({ tool, kind: 'unknown', message: `${errors} errors that its log does not describe` });
  }
  // Pawl's own kernels fill and hash the tensors; what they read was the kernel's to write, and is told by others.
  return { findings: findings.filter(({ kernel }) => !/^(?:void )?pawl::/.test(kernel ?? '')), problems };
}

/** Lines that belong together: one that is not indented, and the indented ones after it. */
function blocksOf(text: string): string[][] {
  const blocks: string[][] = [];
  for (const line of text.split(/\r?\n/u)) {
    const found = /^=========( *)(.*)$/u.exec(line);
    if (found === null) continue;
    const [, indent = '', body = ''] = found;
    if (body.trim() === '') continue;
    if (indent.length <= 1) blocks.push([body.trim()]);
    else blocks.at(-1)?.push(body.trim());
  }
  return blocks;
}

function findingOf(
  tool: CudaSanitizer,
  kind: string | undefined,
  head: string,
  block: readonly string[],
): SanitizerFinding {
  const text = block.join('\n');
  const place = placeOf(text);
  const access = /\b(read|write|load|store)\b/i.exec(head)?.[1]?.toLowerCase();
  const size_bytes = Number(/of size (\d+)/i.exec(head)?.[1] ?? 0);
  const thread = triple(/thread \((\d+), ?(\d+), ?(\d+)\)/i.exec(text));
  const inBlock = triple(/block \((\d+), ?(\d+), ?(\d+)\)/i.exec(text));
  return {
    tool,
    kind: kind ?? 'unknown',
    message: head,
    ...place,
    ...(access === undefined
      ? {}
      : { access: access === 'read' || access === 'load' ? ('read' as const) : ('write' as const) }),
    ...(size_bytes > 0 ? { size_bytes } : {}),
    ...defined({ thread, block: inBlock }),
  };
}

/** `at f(int*)+0x70 in a.cu:12` since 2023, `at 0x70 in /b/a.cu:12:f(int*)` before, `at 0x70 in f(int*)` without lines. */
function placeOf(text: string): Pick<SanitizerFinding, 'kernel' | 'where'> {
  const at = /\bat (.+)$/mu.exec(text)?.[1]?.replace(/ \[\d+ hazards?\]$/u, '');
  if (at === undefined) return {};
  const newer = /^(.+?)\+0x[0-9a-f]+(?: in (.+?:\d+))?$/iu.exec(at);
  if (newer !== null) return { kernel: newer[1]!, ...(newer[2] === undefined ? {} : { where: newer[2] }) };
  const older = /^0x[0-9a-f]+ in (?:(.+?:\d+):)?(.+)$/iu.exec(at);
  if (older === null) return {};
  return { kernel: older[2]!, ...(older[1] === undefined ? {} : { where: older[1] }) };
}

function triple(found: RegExpExecArray | null): number[] | undefined {
  return found === null ? undefined : found.slice(1, 4).map(Number);
}
