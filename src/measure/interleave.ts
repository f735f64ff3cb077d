import { caseId } from '../model/judge/case-key.ts';
import { defined } from '../model/defined.ts';
import type { Mode } from '../model/problem/mode.ts';
import type { OnProgress } from '../model/measure/progress.ts';
import { KeptJudge } from '../runner/kept-judge.ts';
import type { Target } from '../runner/target.ts';
import type { Trust } from './take-series.ts';
import type { Random } from '../stats/index.ts';
import { Rounds, slotsOf, type RoundsOptions, type SeriesRecord, type Slot } from './rounds.ts';
import { seedDigits, shuffled } from './schedule.ts';

/**
 * What a side is called in a run: `base`, `head` and `control`, or the names of kernels that race. `control` is the
 * binary of another side once more: what differs between the two is the device's doing (A/A).
 */
export type SideLabel = string;

/** One of the things compared. Kernels and cases of the same name are the same thing on every side. */
export interface Side {
  readonly label: SideLabel;
  readonly targets: readonly Target[];
  /** What its one kernel is called on all sides, where it stands against a kernel of another name. */
  readonly calledAs?: string | undefined;
  /** Its kernels were checked before, and cheating would gain nothing. */
  readonly trust?: Trust | undefined;
}

/** A case as the sides share it. */
interface SharedCase {
  readonly kernel: string;
  readonly case: string;
  readonly mode: Mode;
}

export interface InterleaveOptions extends Omit<RoundsOptions, 'seed' | 'judge' | 'onRecord' | 'trust'> {
  readonly modes: readonly Mode[];
  readonly random: Random;
  /** What serves the candidates, where the caller keeps it and closes it. Default: one of its own. */
  readonly keptJudge?: KeptJudge;
  readonly maxBlocks: number;
  readonly onRecord: (side: SideLabel, record: SeriesRecord) => void;
  /**
   * On which sides a case is still worth measuring; asked before every block. `sides`: those that have the case and do
   * not keep losing it. Default: on all of them, as long as that is every side.
   */
  readonly wanted?: (shared: SharedCase, sides: readonly SideLabel[]) => readonly SideLabel[];
  /** After each block, with what was gathered already told to `onRecord`: whether there is to be another one. `processes`: so far. */
  readonly onBlock: (block: number, processes: number) => 'go-on' | 'stop';
}

export interface Interleaved {
  /** Blocks that were taken whole. */
  readonly blocks: number;
  /** Processes of kernels started, of all sides together. */
  readonly processes: number;
}

/** One case with its slot on every side that has it. */
interface Row {
  readonly shared: SharedCase;
  readonly slots: ReadonlyMap<SideLabel, Slot>;
}

/**
 * Measures the sides side by side. In every block each kernel gets one fresh process per side, which takes all of
 * its cases; kernels, cases and sides come in random order, so that drift and habits of the device fall on all
 * sides alike, and within a block all sides get the same inputs. Unless `wanted` says otherwise, only cases that
 * every side has are measured.
 */
export async function interleave(sides: readonly Side[], options: InterleaveOptions): Promise<Interleaved> {
  const { random, signal, onProgress, maxBlocks } = options;
  const rows = sharedRows(sides, options.modes);
  const kernels = [...new Set(rows.map(({ shared }) => shared.kernel))];
  const seeds = new Map<string, string>();
  const judge = options.keptJudge ?? new KeptJudge();
  const rounds = roundsOf(sides, { ...options, judge }, (slot, side) => seeds.get(textOf(slot, side))!);
  const wanted: NonNullable<InterleaveOptions['wanted']> =
    options.wanted ?? ((_shared, able) => (able.length < sides.length ? [] : able));
  const processes = (): number => [...rounds.values()].reduce((sum, { started }) => sum + started, 0);
  onProgress({
    type: 'started',
    title: 'measuring',
    work: 'measure',
    total: rows.reduce((sum, { slots }) => sum + slots.size, 0) * maxBlocks,
    // It is over as soon as the answer is clear.
    atMost: true,
  });

  let blocks = 0;
  try {
    while (blocks < maxBlocks) {
      const open = rows.flatMap(({ shared, slots }): Row[] => {
        const able = [...slots].filter(([label, slot]) => !rounds.get(label)!.givenUp(slot));
        const labels = wanted(
          shared,
          able.map(([label]) => label),
        );
        const taken = able.filter(([label]) => labels.includes(label));
        return taken.length === 0 ? [] : [{ shared, slots: new Map(taken) }];
      });
      if (open.length === 0) break;
      for (const kernel of shuffled(kernels, random)) {
        const own = shuffled(
          open.filter(({ shared }) => shared.kernel === kernel),
          random,
        );
        for (const { shared } of own) seeds.set(caseId(shared), seedDigits(random));
        for (const { label } of shuffled(sides, random)) {
          const slots = own.flatMap((row) => row.slots.get(label) ?? []);
          if (slots[0] !== undefined) await rounds.get(label)!.take(slots[0].target, slots, blocks + 1);
        }
      }
      if (signal.aborted) break;
      blocks += 1;
      if (options.onBlock(blocks, processes()) === 'stop') break;
    }
  } finally {
    if (options.keptJudge === undefined) await judge.close();
  }
  onProgress({ type: 'finished' });
  return { blocks, processes: processes() };
}

function sharedRows(sides: readonly Side[], modes: readonly Mode[]): Row[] {
  const rows = new Map<string, { readonly shared: SharedCase; readonly slots: Map<SideLabel, Slot> }>();
  for (const side of sides) {
    for (const slot of slotsOf(side.targets, modes)) {
      const shared = sharedCase(slot, side);
      const row = rows.get(caseId(shared)) ?? { shared, slots: new Map<SideLabel, Slot>() };
      rows.set(caseId(shared), row);
      row.slots.set(side.label, slot);
    }
  }
  return [...rows.values()];
}

function sharedCase({ target, case: plan, mode }: Slot, { calledAs }: Side): SharedCase {
  return { kernel: calledAs ?? target.plan.name, case: plan.name, mode };
}

function textOf(slot: Slot, side: Side): string {
  return caseId(sharedCase(slot, side));
}

/** What is about a side, with the side in front of it where that is not the kernel, which is there already. */
function under(label: SideLabel, text: string, between: string): string {
  return text.startsWith(`${label} `) ? text : `${label}${between}${text}`;
}

/** One per side: a case that one side keeps losing does not count against the other. Their steps add up. */
function roundsOf(
  sides: readonly Side[],
  options: InterleaveOptions & Pick<RoundsOptions, 'judge'>,
  seed: (slot: Slot, side: Side) => string,
): ReadonlyMap<SideLabel, Rounds> {
  const done = new Map<SideLabel, number>();
  const tell =
    (label: SideLabel): OnProgress =>
    (progress) => {
      if (progress.type === 'note') {
        options.onProgress({ ...progress, text: under(label, progress.text, ': ') });
        return;
      }
      if (progress.type !== 'step') return;
      done.set(label, progress.done);
      const all = [...done.values()].reduce((sum, each) => sum + each, 0);
      options.onProgress({ ...progress, done: all, label: under(label, progress.label, ' ') });
    };
  return new Map(
    sides.map((side) => [
      side.label,
      new Rounds({
        ...options,
        ...defined({ trust: side.trust }),
        seed: (slot) => seed(slot, side),
        onProgress: tell(side.label),
        onRecord: (record) => options.onRecord(side.label, record),
      }),
    ]),
  );
}
