/** Samples per instruction and the compiler's line table, put together: what each line of the source costs. */
import type { HotInstruction, HotLine, HotLines, LineWork } from '../../model/profile/hot-lines.ts';
import { chargeStalls } from './charge.ts';
import { functionText } from './function-text.ts';
import type { FunctionLines, Located, Place } from './code-lines.ts';
import { placesOf } from './places-of.ts';
import type { SampledInstruction, SourceTable } from './source-page.ts';

export interface SourceText {
  /** A file's name as it is shown; the same file has the same name on both sides of a comparison. */
  readonly nameOf: (file: string) => string;
  /** A line of a file, by the compiler's name for it. */
  readonly lineOf: (file: string, line: number) => string | undefined;
}

/** The instructions of further lines are left out: a report must stay one that can be sent. */
const MOST_WITH_CODE = 80;

/** Where the compiler says nothing. */
const NOWHERE: Located = { place: { file: '', line: 0 }, callers: [] };

export function hotLines(
  table: SourceTable,
  lines: FunctionLines | undefined,
  { nameOf, lineOf }: SourceText,
): HotLines {
  const { charges, waitsFor, registers } = chargeStalls(table);
  const total = table.instructions.reduce((sum, { samples }) => sum + samples, 0);
  const pct = (samples: number): number => (total === 0 ? 0 : (100 * samples) / total);
  const places = placesOf(table, lines);
  const groups = new Map<string, Group>();
  for (const [index, instruction] of table.instructions.entries()) {
    const located = places[index] ?? NOWHERE;
    const { file, line } = located.place;
    const key = `${file}:${line}`;
    const group: Group = groups.get(key) ?? { place: located.place, ways: new Map(), members: [] };
    groups.set(key, group);
    const cost = sum(charges[index]!.values());
    const way = JSON.stringify(located.callers);
    const known = group.ways.get(way) ?? { callers: located.callers, cost: 0 };
    group.ways.set(way, { ...known, cost: known.cost + cost });
    // ncu's own count where its export has one.
    const live = instruction.registers ?? registers[index]!;
    group.members.push({
      index,
      instruction: { ...instruction, registers: live },
      charges: charges[index]!,
    });
  }
  const shown = (place: Place) => ({
    file: nameOf(place.file),
    line: place.line,
    ...(place.function === undefined ? {} : { function: functionText(place.function) }),
  });
  const instructionOf = ({ index, instruction, charges: own }: Member): HotInstruction => {
    const waits = waitsFor[index]!.map((other) => hex(table.instructions[other]!.address));
    return {
      address: hex(instruction.address),
      text: instruction.text,
      share_pct: pct(sum(own.values())),
      samples: instruction.samples,
      stalls: percents(own, pct),
      ...workOf([instruction]),
      ...(waits.length === 0 ? {} : { waits_for: waits }),
    };
  };
  const lineOfGroup = ({ place, ways, members }: Group): HotLine => {
    const [way] = [...ways.values()].toSorted((one, other) => other.cost - one.cost);
    const stalls = new Map<string, number>();
    for (const member of members) for (const [reason, count] of member.charges) add(stalls, reason, count);
    const source = lineOf(place.file, place.line);
    return {
      file: nameOf(place.file),
      line: place.line,
      ...(source === undefined ? {} : { source }),
      share_pct: pct(sum(stalls.values())),
      samples: sum(members.map(({ instruction }) => instruction.samples)),
      stalls: percents(stalls, pct),
      ...workOf(members.map(({ instruction }) => instruction)),
      ...(way === undefined || way.callers.length === 0 ? {} : { inlined_into: way.callers.map(shown) }),
      ...(ways.size > 1 ? { ways: ways.size } : {}),
      instructions: members.map(instructionOf),
    };
  };
  const found = [...groups.values()].map(lineOfGroup);
  const unknown = found.find(({ line }) => line === 0)?.samples ?? 0;
  return {
    kernel: table.kernel,
    basis: 'hardware-samples',
    samples: total,
    located_pct: pct(total - unknown),
    lines: found
      .toSorted((one, other) => other.share_pct - one.share_pct || one.line - other.line)
      .map((line, rank) => (rank < MOST_WITH_CODE ? line : Object.assign(line, { instructions: [] }))),
  };
}

interface Group {
  readonly place: Place;
  readonly ways: Map<string, { readonly callers: readonly Place[]; readonly cost: number }>;
  readonly members: Member[];
}

interface Member {
  readonly index: number;
  readonly instruction: SampledInstruction;
  readonly charges: ReadonlyMap<string, number>;
}

/** Counts of several instructions; one that none of them has is not there. */
function workOf(instructions: readonly SampledInstruction[]): LineWork {
  const total = (key: keyof SampledInstruction): number | undefined => {
    const known = instructions.flatMap((one) => (typeof one[key] === 'number' ? [one[key]] : []));
    return known.length === 0 ? undefined : sum(known);
  };
  const [executed, threads] = [total('executed'), total('threadsExecuted')];
  const registers = instructions.flatMap((one) => one.registers ?? []);
  const counts = {
    executed,
    threads:
      executed === undefined || threads === undefined || executed === 0 ? undefined : threads / executed,
    excess_sectors: total('excessSectors'),
    sectors: total('sectors'),
    excess_wavefronts: total('excessWavefronts'),
    wavefronts: total('wavefronts'),
    local_sectors: total('localSectors'),
    divergent_branches: total('divergentBranches'),
    registers: registers.length === 0 ? undefined : Math.max(...registers),
  };
  return Object.fromEntries(Object.entries(counts).filter(([, value]) => value !== undefined));
}

function percents(
  stalls: ReadonlyMap<string, number>,
  pct: (samples: number) => number,
): Record<string, number> {
  return Object.fromEntries(
    [...stalls].toSorted(([, one], [, other]) => other - one).map(([reason, count]) => [reason, pct(count)]),
  );
}

function add(to: Map<string, number>, key: string, count: number): void {
  to.set(key, (to.get(key) ?? 0) + count);
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function hex(address: number): string {
  return `0x${address.toString(16).padStart(4, '0')}`;
}
