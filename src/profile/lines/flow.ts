/** The way of control through a kernel's instructions, and where the values come from that one of them reads. */
import { readSass, type Latency, type Sass } from './sass.ts';
import type { SourceTable } from './source-page.ts';

/** Steps back from one instruction; further away, nothing is still under way. */
const MOST_STEPS = 20_000;

const ENDS = /^(?:EXIT|RET|BRX|JMX|JMP|BRA)$/u;

export class Flow {
  readonly code: readonly Sass[];
  /** Backward branches as ranges of instructions. */
  readonly loops: readonly (readonly [from: number, to: number])[];
  /** Instructions that branches lead to, and those branches. */
  readonly branches: ReadonlyMap<number, readonly number[]>;
  /** Instructions that others call, and those that call them. */
  readonly calls: ReadonlyMap<number, readonly number[]>;
  /** By instruction: those that may run just before it. */
  readonly before: readonly (readonly number[])[];

  constructor({ instructions, first }: SourceTable) {
    this.code = instructions.map(({ text }) => readSass(text));
    const at = new Map(instructions.map(({ address }, index) => [address, index]));
    const before = instructions.map((): number[] => []);
    const loops: [number, number][] = [];
    const calls = new Map<number, number[]>();
    const branches = new Map<number, number[]>();
    for (const [index, { opcode, target, isGuarded }] of this.code.entries()) {
      if (index + 1 < before.length && (isGuarded || !ENDS.test(opcode))) before[index + 1]!.push(index);
      if (target === undefined || opcode === 'BSSY') continue;
      // ncu prints where the code was loaded, a disassembler counts from the function's start.
      const to = at.get(target >= first ? target - first : target);
      if (to === undefined) continue;
      before[to]!.push(index);
      if (to <= index && opcode === 'BRA') loops.push([to, index]);
      if (opcode === 'BRA' || opcode === 'JMP') branches.set(to, [...(branches.get(to) ?? []), index]);
      if (opcode === 'CALL') calls.set(to, [...(calls.get(to) ?? []), index]);
    }
    this.before = before;
    this.loops = loops;
    this.calls = calls;
    this.branches = branches;
  }

  /** The instructions whose results, of this latency, an instruction waits for. */
  sourcesOf(index: number, latency: Latency): number[] {
    const { reads, writes } = this.code[index]!;
    const found = new Set<number>();
    // Also what is still to be written to where it writes.
    for (const register of new Set([...reads, ...writes])) {
      for (const writer of this.#reaching(index, (one) => one.writes.includes(register))) {
        if (this.code[writer]!.latency === latency) found.add(writer);
      }
    }
    if (found.size > 0) return [...found];
    // Or a register is still being read by an access that was sent off.
    for (const register of writes) {
      for (const reader of this.#reaching(index, (one) => one.reads.includes(register))) {
        if (isAccess(this.code[reader]!, latency)) found.add(reader);
      }
    }
    return [...found];
  }

  /** The instructions that compute what one reads. */
  writersFor(index: number): number[] {
    const found = new Set<number>();
    for (const register of this.code[index]!.reads)
      for (const writer of this.#reaching(index, (one) => one.writes.includes(register))) found.add(writer);
    return [...found];
  }

  /** The nearest instruction of a kind on every way to one, that one first. */
  last(index: number, opcodes: RegExp): number[] {
    if (opcodes.test(this.code[index]!.opcode)) return [index];
    return this.#reaching(index, ({ opcode }) => opcodes.test(opcode));
  }

  all(opcodes: RegExp): number[] {
    return this.code.flatMap(({ opcode }, index) => (opcodes.test(opcode) ? [index] : []));
  }

  /** Those in the innermost loop around an instruction, or outside of loops, itself among them or not. */
  inLoopOf(index: number, opcodes: RegExp): number[] {
    const around = this.loops.filter(([from, to]) => from <= index && index <= to);
    const [inner] = around.toSorted(([from, to], [otherFrom, otherTo]) => to - from - (otherTo - otherFrom));
    const [from, to] = inner ?? [0, this.code.length - 1];
    return this.all(opcodes).filter((one) => from <= one && one <= to);
  }

  /** The nearest instructions on every way to here for which something holds. */
  #reaching(index: number, holds: (one: Sass) => boolean): number[] {
    const found: number[] = [];
    const seen = new Set<number>();
    const open = [...this.before[index]!];
    for (let steps = 0; open.length > 0 && steps < MOST_STEPS; steps += 1) {
      const at = open.pop()!;
      if (seen.has(at)) continue;
      seen.add(at);
      if (holds(this.code[at]!)) found.push(at);
      else open.push(...this.before[at]!);
    }
    return found;
  }
}

function isAccess({ opcode }: Sass, latency: Latency): boolean {
  return latency === 'long'
    ? /^(?:LDG|STG?|LD|LDL|STL|ATOMG?|RED|LDGSTS)$/u.test(opcode)
    : /^(?:LDS|STS|LDSM|STSM|ATOMS|SHFL|MUFU|STG|ST)$/u.test(opcode);
}
