import { basename } from 'node:path';

import { defined } from '../model/defined.ts';
import type { SanitizerFinding } from '../model/correctness/sanitizer.ts';

/** What a stack frame tells: `#0 0x7f.. in f(int) src/a.cpp:12:3`. */
interface Frame {
  readonly function: string;
  readonly where: string | undefined;
}

/**
 * Reads the reports of AddressSanitizer and UndefinedBehaviorSanitizer. `sources` are the kernel's own files: a
 * finding is told by the first frame that lies in them, since the innermost is often a library's `memcpy`.
 */
export function parseCpuSanitizerLog(text: string, sources: readonly string[]): SanitizerFinding[] {
  const starts = [...text.matchAll(/^(?:==\d+==\s*ERROR: AddressSanitizer|.*: runtime error: ).*$/gmu)];
  return starts.flatMap((start, index) => {
    const end = starts[index + 1]?.index ?? text.length;
    const block = text.slice(start.index, end);
    const frame = ownFrame(framesOf(block), sources);
    const found = block.startsWith('==') ? addressFinding(block) : undefinedFinding(block);
    return found === undefined ? [] : [{ ...found, ...placeOf(frame, found) }];
  });
}

function addressFinding(block: string): SanitizerFinding | undefined {
  const [, what = ''] = /AddressSanitizer:? (.*)$/mu.exec(block) ?? [];
  const kind = /^[\w-]+/u.exec(what)?.[0];
  if (kind === undefined) return undefined;
  const [, access, size] = /^(READ|WRITE) of size (\d+)/mu.exec(block) ?? [];
  const [, caused] = /caused by a (READ|WRITE) memory access/u.exec(block) ?? [];
  const direction = (access ?? caused)?.toLowerCase();
  return {
    tool: 'address',
    kind: kind.toLowerCase(),
    message: what.replace(/ on (?:unknown )?address 0x[0-9a-f]+.*$/u, ''),
    ...(direction === undefined ? {} : { access: direction as 'read' | 'write' }),
    ...(size === undefined ? {} : { size_bytes: Number(size) }),
  };
}

function undefinedFinding(block: string): SanitizerFinding | undefined {
  const found = /^(?:(.+?:\d+)(?::\d+)?|<unknown>): runtime error: (.*)$/mu.exec(block);
  if (found === null) return undefined;
  const [, where, message = ''] = found;
  return {
    tool: 'undefined',
    kind: kindOf(message),
    message,
    ...defined({ where }),
  };
}

/** By the words of UBSan's messages (ubsan_handlers.cpp); `bounds` and the others are its own names of checks. */
const UNDEFINED_KINDS: readonly (readonly [RegExp, string])[] = [
  [/integer overflow/u, 'signed-integer-overflow'],
  [/division by zero/u, 'division-by-zero'],
  [/shift/u, 'shift'],
  [/out of bounds/u, 'bounds'],
  [/misaligned/u, 'alignment'],
  [/null pointer/u, 'null-pointer'],
  [/insufficient space/u, 'object-size'],
  [/pointer index expression|applying (?:non-)?zero offset/u, 'pointer-overflow'],
  [/not a valid value for type|outside the range of representable/u, 'invalid-value'],
  [/unreachable|end of a value-returning/u, 'unreachable'],
];

function kindOf(message: string): string {
  return UNDEFINED_KINDS.find(([pattern]) => pattern.test(message))?.[1] ?? 'undefined-behaviour';
}

/** Only the first stack: those after it tell where memory was allocated or freed. */
function framesOf(block: string): Frame[] {
  const frames: Frame[] = [];
  for (const line of block.split('\n')) {
    const found = /^\s*#(\d+) 0x[0-9a-f]+ in (.+)$/iu.exec(line);
    if (found === null) {
      if (frames.length > 0) break;
      continue;
    }
    const [, , rest = ''] = found;
    const place = /^(.*?) (\S+?:\d+)(?::\d+)?$/u.exec(rest);
    frames.push({ function: place?.[1] ?? rest.replace(/ \(.*\)$/u, ''), where: place?.[2] });
  }
  return frames;
}

function ownFrame(frames: readonly Frame[], sources: readonly string[]): Frame | undefined {
  const names = new Set(sources.map((source) => basename(source)));
  const isOwn = ({ where }: Frame): boolean =>
    where !== undefined && names.has(basename(where.replace(/:\d+$/u, '')));
  return frames.find(isOwn) ?? frames.find(({ where }) => where !== undefined) ?? frames[0];
}

function placeOf(
  frame: Frame | undefined,
  found: SanitizerFinding,
): Pick<SanitizerFinding, 'kernel' | 'where'> {
  if (frame === undefined) return {};
  const where = found.where ?? frame.where;
  return { kernel: frame.function, ...defined({ where }) };
}
