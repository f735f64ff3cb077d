/** Samples of a CPU kernel's process, put to the lines of its library. */
import type { HotInstruction, HotLine, HotLines } from '../../model/profile/hot-lines.ts';
import type { Place } from '../lines/code-lines.ts';
import type { SourceText } from '../lines/hot-lines.ts';
import { functionText } from '../lines/function-text.ts';
import type { Frame } from './perf-samples.ts';

export interface CpuSamples {
  readonly stacks: readonly (readonly Frame[])[];
  /** The address in the kernel's own library; undefined for a frame of another. */
  readonly addressOf: (frame: Frame) => number | undefined;
}

/** An address of the library, and how many samples were there or in what was called from there. */
export interface SampledAddress {
  readonly address: number;
  readonly samples: number;
  /** Functions of other libraries that were called from here, with their samples. */
  readonly called: ReadonlyMap<string, number>;
}

/** Samples outside of the kernel's library belong to the call that led there; those that nothing led to are left out. */
export function addressesOf({ stacks, addressOf }: CpuSamples): SampledAddress[] {
  const found = new Map<number, { samples: number; called: Map<string, number> }>();
  for (const stack of stacks) {
    const at = stack.findIndex((frame) => addressOf(frame) !== undefined);
    const address = at === -1 ? undefined : addressOf(stack[at]!);
    if (address === undefined) continue;
    const known = found.get(address) ?? { samples: 0, called: new Map<string, number>() };
    found.set(address, known);
    known.samples += 1;
    const callee = at > 0 ? stack[at - 1]?.symbol : undefined;
    if (callee !== undefined && callee !== '') known.called.set(callee, (known.called.get(callee) ?? 0) + 1);
  }
  return [...found].map(([address, { samples, called }]) => ({ address, samples, called }));
}

/** Reads `addr2line -a -i -f`: for each address its place and the calls it was inlined through, the innermost first. */
export function readAddr2line(text: string): ReadonlyMap<number, readonly Place[]> {
  const found = new Map<number, Place[]>();
  let places: Place[] = [];
  let name = '';
  for (const line of text.split('\n')) {
    const address = /^0x([0-9a-f]+)$/u.exec(line)?.[1];
    const place = /^(.+):(\d+|\?)(?: \(discriminator \d+\))?$/u.exec(line);
    if (address !== undefined) {
      places = [];
      found.set(Number.parseInt(address, 16), places);
    } else if (place === null) name = line;
    else if (place[2] !== '?' && place[2] !== '0' && place[1] !== '??')
      places.push({ file: place[1]!, line: Number(place[2]), function: name });
  }
  return found;
}

export interface CpuLinesInput {
  readonly kernel: string;
  readonly basis: HotLines['basis'];
  readonly addresses: readonly SampledAddress[];
  readonly places: ReadonlyMap<number, readonly Place[]>;
  /** Text of instructions by address, where it was read. */
  readonly code: ReadonlyMap<number, string>;
}

interface Group {
  readonly place: Place;
  readonly ways: Map<string, { readonly callers: readonly Place[]; readonly samples: number }>;
  readonly members: SampledAddress[];
}

export function cpuLines(
  { kernel, basis, addresses, places, code }: CpuLinesInput,
  { nameOf, lineOf }: SourceText,
): HotLines {
  const total = addresses.reduce((sum, { samples }) => sum + samples, 0);
  const pct = (samples: number): number => (total === 0 ? 0 : (100 * samples) / total);
  const groups = new Map<string, Group>();
  for (const one of addresses) {
    const [place = { file: '', line: 0 }, ...callers] = places.get(one.address) ?? [];
    const key = `${place.file}:${place.line}`;
    const group: Group = groups.get(key) ?? { place, ways: new Map(), members: [] };
    groups.set(key, group);
    group.members.push(one);
    const way = JSON.stringify(callers);
    const known = group.ways.get(way);
    group.ways.set(way, { callers, samples: (known?.samples ?? 0) + one.samples });
  }
  const shown = ({ file, line, function: name }: Place) => ({
    file: nameOf(file),
    line,
    ...(name === undefined ? {} : { function: functionText(name) }),
  });
  const instructionOf = ({ address, samples, called }: SampledAddress): HotInstruction => ({
    address: `0x${address.toString(16)}`,
    text: code.get(address) ?? '',
    share_pct: pct(samples),
    samples,
    stalls: callsOf(called),
  });
  const callsOf = (called: ReadonlyMap<string, number>): Record<string, number> =>
    Object.fromEntries([...called].map(([name, samples]) => [`in-${functionText(name)}`, pct(samples)]));
  const lineOfGroup = ({ place, ways, members }: Group): HotLine => {
    const [way] = [...ways.values()].toSorted((one, other) => other.samples - one.samples);
    const callers = way?.callers ?? [];
    const samples = members.reduce((sum, one) => sum + one.samples, 0);
    const called = new Map<string, number>();
    for (const member of members)
      for (const [name, count] of member.called) called.set(name, (called.get(name) ?? 0) + count);
    const source = lineOf(place.file, place.line);
    return {
      file: nameOf(place.file),
      line: place.line,
      ...(source === undefined ? {} : { source }),
      share_pct: pct(samples),
      samples,
      stalls: callsOf(called),
      ...(callers.length === 0 ? {} : { inlined_into: callers.map(shown) }),
      ...(ways.size > 1 ? { ways: ways.size } : {}),
      instructions: members.toSorted((one, other) => one.address - other.address).map(instructionOf),
    };
  };
  const lines = [...groups.values()].map(lineOfGroup);
  const unknown = lines.find(({ line }) => line === 0)?.samples ?? 0;
  return {
    kernel,
    basis,
    samples: total,
    located_pct: pct(total - unknown),
    lines: lines.toSorted((one, other) => other.share_pct - one.share_pct || one.line - other.line),
  };
}
