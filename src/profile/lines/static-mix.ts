/** What the mix of a kernel's instructions allows at best, from the compiled code alone. */
import type { MixBound, SassPipe, StaticLoop } from '../../model/profile/hot-lines.ts';
import { SASS_PIPES } from '../../model/profile/hot-lines.ts';
import { Flow } from './flow.ts';
import type { FunctionLines, Place } from './code-lines.ts';
import { operationsOf, PipeTimes } from './pipe-cycles.ts';
import { placesOf } from './places-of.ts';
import type { SourceTable } from './source-page.ts';

/** A function, the chip it was compiled for (`9.0`), and its lines. */
export interface CompiledFunction {
  readonly table: SourceTable;
  readonly capability: string | undefined;
  readonly lines: FunctionLines | undefined;
}

type Unit = NonNullable<StaticLoop['peak']>['unit'];
type Cycles = Partial<Record<SassPipe, number>>;

const MOST_LOOPS = 4;
/** Operations to problems that count them; a unit's peak is of additions and multiplications. */
const COUNTED_BY_FEW = /^(?:MUFU|I2FP?|F2[IF]P?|FRND|[FDH]SETP?2?|[FDH]MNMX[23]?|FSEL|FCHK)$/u;

/** The innermost loops, those with the most instructions first. Empty for a chip that is not known. */
export function staticLoops(
  { table, capability, lines }: CompiledFunction,
  nameOf: (file: string) => string,
): StaticLoop[] {
  const times = PipeTimes.of(capability);
  if (times === undefined) return [];
  const flow = new Flow(table);
  const places = placesOf(table, lines).map((one) => one?.place);
  return innermost(flow)
    .map((range) => inEveryPass(flow, range))
    .flatMap((members): StaticLoop[] => {
      const where = rangeOf(members.flatMap((index) => places[index] ?? []));
      const cycles = sum(members.map((index) => times.cyclesOf(flow.code[index]!)));
      const bound_by = busiest(cycles);
      const least_cycles = cycles[bound_by] ?? 0;
      if (where === undefined || least_cycles === 0) return [];
      const peak = peakOf(flow, members, least_cycles, times);
      return [
        {
          file: nameOf(where.file),
          lines: where.lines,
          instructions: members.length,
          least_cycles,
          bound_by,
          cycles,
          ...(peak === undefined ? {} : { peak }),
        },
      ];
    })
    .toSorted((one, other) => other.instructions - one.instructions)
    .slice(0, MOST_LOOPS);
}

/** Loops within which no other begins. A branch to itself only ends a function's code. */
function innermost({ loops }: Flow): (readonly [number, number])[] {
  return loops.filter(
    ([from, to]) =>
      from < to &&
      !loops.some(([begin, end]) => (begin !== from || end !== to) && begin >= from && end <= to),
  );
}

/** Without what a forward branch may pass over. */
function inEveryPass(flow: Flow, [from, to]: readonly [number, number]): number[] {
  const skipped = new Set<number>();
  const begins = new Map<number, number[]>();
  for (const [target, sources] of flow.branches) for (const at of sources) begins.set(at, [target]);
  for (let at = from; at <= to; at += 1)
    for (const target of begins.get(at) ?? [])
      for (let index = at + 1; index < Math.min(target, to); index += 1) skipped.add(index);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index).filter(
    (index) => !skipped.has(index),
  );
}

/** The file with the most instructions, and the first and last of its lines. */
function rangeOf(
  places: readonly Place[],
): { readonly file: string; readonly lines: [number, number] } | undefined {
  const byFile = new Map<string, number[]>();
  for (const { file, line } of places) if (line > 0) byFile.set(file, [...(byFile.get(file) ?? []), line]);
  const [most] = [...byFile].toSorted(([, one], [, other]) => other.length - one.length);
  if (most === undefined) return undefined;
  const [file, numbers] = most;
  return { file, lines: [Math.min(...numbers), Math.max(...numbers)] };
}

function sum(all: readonly Cycles[]): Cycles {
  const total: Cycles = {};
  for (const one of all)
    for (const pipe of SASS_PIPES) if (one[pipe] !== undefined) total[pipe] = (total[pipe] ?? 0) + one[pipe];
  return total;
}

function busiest(cycles: Cycles): SassPipe {
  return SASS_PIPES.reduce((most, pipe) => ((cycles[pipe] ?? 0) > (cycles[most] ?? 0) ? pipe : most));
}

function peakOf(
  flow: Flow,
  members: readonly number[],
  cycles: number,
  times: PipeTimes,
): StaticLoop['peak'] {
  const counts = new Map<Unit, number>();
  for (const index of members) {
    const done = operationsOf(flow.code[index]!);
    if (done !== undefined && !COUNTED_BY_FEW.test(flow.code[index]!.opcode))
      counts.set(done.unit, (counts.get(done.unit) ?? 0) + done.count);
  }
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  if (most === undefined) return undefined;
  const [unit, count] = most;
  const peak = times.peakOf(unit);
  if (peak === undefined || Number.isNaN(count)) return undefined;
  return { unit, most_pct: Math.min(100, (100 * count) / cycles / peak) };
}

export interface MixDevice {
  readonly capability: string;
  readonly sm_count: number;
  readonly clock_mhz: number;
}

/**
 * The least time for so many operations. Whatever the kernel does is made of stretches of code without branches; for
 * each unit, none does more operations per clock than the best stretch, so the total cannot either. Undefined where the
 * code has instructions whose operations or targets are not known, or no operations at all.
 */
export function mixBound(
  functions: readonly CompiledFunction[],
  operations: number,
  { capability, sm_count, clock_mhz }: MixDevice,
): MixBound | undefined {
  const times = PipeTimes.of(capability);
  const [major] = capability.split('.');
  const own = functions.filter((one) => one.capability?.split('.')[0] === major);
  if (times === undefined || operations <= 0) return undefined;
  if (own.some(({ table }) => new Flow(table).all(/^(?:BRX|JMX)$/u).length > 0)) return undefined;
  const stretches = own.flatMap((one) => stretchesOf(one, times));
  if (stretches.length === 0 || stretches.some((one) => Number.isNaN(one.operations))) return undefined;
  const perOperation = SASS_PIPES.map((pipe) => {
    const ratioOf = ({ cycles, operations: done }: Stretch): number => (cycles[pipe] ?? 0) / done;
    const best = stretches.reduce((least, one) => (ratioOf(one) < ratioOf(least) ? one : least));
    return { pipe, ratio: ratioOf(best), place: best.place };
  });
  const bound = perOperation.reduce((most, one) => (one.ratio > most.ratio ? one : most));
  return {
    operations,
    least_us: (operations * bound.ratio) / (sm_count * clock_mhz),
    bound_by: bound.pipe,
    best: { file: bound.place?.file ?? '', line: bound.place?.line ?? 0 },
  };
}

interface Stretch {
  readonly operations: number;
  readonly cycles: Cycles;
  readonly place: Place | undefined;
}

/** Code between branches and their targets that does operations. */
function stretchesOf({ table, lines }: CompiledFunction, times: PipeTimes): Stretch[] {
  const flow = new Flow(table);
  const places = placesOf(table, lines);
  const found: Stretch[] = [];
  let members: number[] = [];
  const end = (): void => {
    const done = members.flatMap((index) => operationsOf(flow.code[index]!)?.count ?? []);
    const operations = done.reduce((total, one) => total + one, 0);
    const cycles = sum(members.map((index) => times.cyclesOf(flow.code[index]!)));
    const at = members.find((index) => operationsOf(flow.code[index]!) !== undefined);
    members = [];
    if (operations !== 0)
      found.push({ operations, cycles, place: at === undefined ? undefined : places[at]?.place });
  };
  for (const [index, { opcode }] of flow.code.entries()) {
    if (flow.branches.has(index) || flow.calls.has(index)) end();
    members.push(index);
    if (/^(?:BRA|BRX|JMP|JMX|CALL|RET|EXIT)$/u.test(opcode)) end();
  }
  end();
  return found;
}
