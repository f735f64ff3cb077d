/**
 * What the innermost loops of compiled code are made of, read from `objdump -d`. It counts instructions in the text,
 * not at run time: it tells how work is done, and not how often.
 */

export interface LoopMix {
  readonly function: string;
  /** Floating-point arithmetic on one value, and on vectors of them. */
  readonly scalar: number;
  readonly vector: number;
  /** Divisions and square roots among them. */
  readonly divisions: number;
  /** Functions of the math library that are called with one value. */
  readonly mathCalls: readonly string[];
}

interface Instruction {
  readonly at: number;
  readonly name: string;
  readonly operands: string;
}

const FUNCTION = /^[0-9a-f]+ <(.+)>:$/u;
const INSTRUCTION = /^\s*([0-9a-f]+):\t(\S+)(?:\s+(.*))?$/u;
/** `// b.any`, `# 2004 <x>`. */
const COMMENT = /\s+(?:\/\/|#).*$/u;
/** `b.ne 7a0 <f+0x40>`, `cbnz x1, 7a0 <f+0x40>`, `jne 7a0 <f+0x40>`; calls are none of them. */
const BRANCH = /^(?:b|b\.[a-z]{2}|cbn?z|tbn?z|j[a-z]+|loop[a-z]*)$/u;
const TARGET = /(?:^|[\s,])([0-9a-f]+) <[^>]*>\s*$/u;
const CALL = /^(?:bl|call[a-z]*)$/u;
const CALLED = /<([^>@+]+)(?:@[^>]*)?>\s*$/u;

/** Scalar functions of libm; those for vectors have other names (`_ZGVnN4v_expf`). */
const MATH =
  /^(?:__)?(?:a?(?:sin|cos|tan)h?|atan2|exp(?:2|10|m1)?|log(?:2|10|1p)?|pow|erfc?|cbrt|hypot|[lt]gamma|fmod|remainder)[fl]?(?:_finite)?$/u;

const AARCH64 =
  /^f(?:n?m(?:add|sub)|ml[as]|add|sub|n?mul|div|sqrt|max(?:nm)?|min(?:nm)?|recp[es]|rsqrt[es])$/u;
const X86 = /^v?(?:(?:add|sub|mul|div|sqrt|max|min)|fn?m(?:add|sub)\d*)([sp])[sdh]$/u;
const DIVISION = /^(?:fdiv|fsqrt|v?(?:div|sqrt)[sp][sdh])$/u;

/** Of every innermost loop that computes with floating-point numbers or calls the math library. */
export function readLoops(disassembly: string): LoopMix[] {
  return functionsIn(disassembly).flatMap(([name, instructions]) =>
    innermost(loopsIn(instructions))
      .map((loop) => mixOf(name, loop))
      .filter(({ scalar, vector, mathCalls }) => scalar + vector + mathCalls.length > 0),
  );
}

function functionsIn(text: string): [string, Instruction[]][] {
  const found: [string, Instruction[]][] = [];
  for (const line of text.split('\n')) {
    const begins = FUNCTION.exec(line)?.[1];
    if (begins !== undefined) {
      found.push([begins, []]);
      continue;
    }
    const [, at, name, operands = ''] = INSTRUCTION.exec(line.replace(COMMENT, '')) ?? [];
    if (at !== undefined && name !== undefined) {
      found.at(-1)?.[1].push({ at: Number.parseInt(at, 16), name, operands });
    }
  }
  return found;
}

/** From a branch's target to the branch, where it leads back. */
function loopsIn(instructions: readonly Instruction[]): (readonly Instruction[])[] {
  const [first] = instructions;
  return instructions.flatMap(({ at, name, operands }, place) => {
    const target = BRANCH.test(name) ? TARGET.exec(operands)?.[1] : undefined;
    const to = target === undefined ? undefined : Number.parseInt(target, 16);
    if (to === undefined || first === undefined || to > at || to < first.at) return [];
    const from = instructions.findIndex((one) => one.at === to);
    return from < 0 ? [] : [instructions.slice(from, place + 1)];
  });
}

function innermost(loops: readonly (readonly Instruction[])[]): (readonly Instruction[])[] {
  const holds = (one: readonly Instruction[], other: readonly Instruction[]): boolean =>
    one !== other &&
    one.length > other.length &&
    one[0]!.at <= other[0]!.at &&
    one.at(-1)!.at >= other.at(-1)!.at;
  return loops.filter((loop) => !loops.some((other) => holds(loop, other)));
}

function mixOf(name: string, loop: readonly Instruction[]): LoopMix {
  const widths = loop.map(widthOf);
  const calls = loop.flatMap((one) => (CALL.test(one.name) ? (CALLED.exec(one.operands)?.[1] ?? []) : []));
  return {
    function: name,
    scalar: widths.filter((width) => width === 'scalar').length,
    vector: widths.filter((width) => width === 'vector').length,
    divisions: loop.filter((one) => DIVISION.test(one.name)).length,
    mathCalls: [...new Set(calls.filter((called) => MATH.test(called)))],
  };
}

/** By the suffix on x86, and by the register on AArch64: `fadd v0.4s, …` is on four values, `fadd s0, …` on one. */
function widthOf({ name, operands }: Instruction): 'scalar' | 'vector' | undefined {
  const suffix = X86.exec(name)?.[1];
  if (suffix !== undefined) return suffix === 'p' ? 'vector' : 'scalar';
  if (!AARCH64.test(name)) return undefined;
  return /^[vz]\d+\./u.test(operands) ? 'vector' : 'scalar';
}
