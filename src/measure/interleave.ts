import { caseId } from '../model/case-key.ts';
import type { Mode } from '../model/mode.ts';
import type { OnProgress } from '../model/progress.ts';
import { KeptJudge } from '../runner/kept-judge.ts';
import type { Target } from '../runner/target.ts';
import type { Random } from '../stats/index.ts';
import { Rounds, slotsOf, type RoundsOptions, type SeriesRecord, type Slot } from './rounds.ts';
import { seedDigits, shuffled } from './schedule.ts';

/** `control` is the binary of `base` once more: what differs between the two is the device's doing (A/A). */
export type SideLabel = 'base' | 'control' | 'head';

/** One of the things compared. Kernels and cases of the same name are the same thing on every side. */
export interface Side {
  readonly label: SideLabel;
  readonly targets: readonly Target[];
}

/** A case as the sides share it. */
interface SharedCase {
  readonly kernel: string;
  readonly case: string;
  readonly mode: Mode;
}

export interface InterleaveOptions extends Omit<RoundsOptions, 'seed' | 'judge' | 'onRecord'> {
  readonly modes: readonly Mode[];
  readonly random: Random;
  readonly maxBlocks: number;
  readonly onRecord: (side: SideLabel, record: SeriesRecord) => void;
  /** Whether a case is still worth measuring; asked before every block. */
  readonly isOpen?: (shared: SharedCase) => boolean;
  /** After each block, with what was gathered already told to `onRecord`: whether there is to be another one. */
  readonly onBlock: (block: number) => 'go-on' | 'stop';
}

export interface Interleaved {
  /** Blocks that were taken whole. */
  readonly blocks: number;
  /** Processes of kernels started, of all sides together. */
  readonly processes: number;
}

/** One case with its slot on every side. */
interface Row {
  readonly shared: SharedCase;
  readonly slots: ReadonlyMap<SideLabel, Slot>;
}

/**
 * Measures the sides side by side. In every block each kernel gets one fresh process a side, which takes all of
 * its cases; kernels, cases and sides come in random order, so that drift and habits of the device fall on all
 * sides alike, and within a block all sides get the same inputs. Only cases that every side has are measured.
 */
export async function interleave(sides: readonly Side[], options: InterleaveOptions): Promise<Interleaved> {
  const { random, signal, onProgress, maxBlocks } = options;
  const rows = sharedRows(sides, options.modes);
  const kernels = [...new Set(rows.map(({ shared }) => shared.kernel))];
  const seeds = new Map<string, string>();
  const judge = new KeptJudge();
  const rounds = roundsOf(sides, { ...options, judge }, (slot) => seeds.get(textOf(slot))!);
  onProgress({
    type: 'started',
    title: 'measuring',
    work: 'measure',
    total: rows.length * sides.length * maxBlocks,
  });

  let blocks = 0;
  try {
    while (blocks < maxBlocks) {
      const open = rows.filter(
        ({ shared, slots }) =>
          options.isOpen?.(shared) !== false &&
          [...slots].every(([label, slot]) => !rounds.get(label)!.givenUp(slot)),
      );
      if (open.length === 0) break;
      for (const kernel of shuffled(kernels, random)) {
        const own = shuffled(
          open.filter(({ shared }) => shared.kernel === kernel),
          random,
        );
        for (const { slots } of own) seeds.set(textOf([...slots.values()][0]!), seedDigits(random));
        for (const { label } of shuffled(sides, random)) {
          const slots = own.map((row) => row.slots.get(label)!);
          if (slots[0] !== undefined) await rounds.get(label)!.take(slots[0].target, slots, blocks + 1);
        }
      }
      if (signal.aborted) break;
      blocks += 1;
      if (options.onBlock(blocks) === 'stop') break;
    }
  } finally {
    await judge.close();
  }
  onProgress({ type: 'finished' });
  const processes = [...rounds.values()].reduce((sum, { started }) => sum + started, 0);
  return { blocks, processes };
}

function sharedRows(sides: readonly Side[], modes: readonly Mode[]): Row[] {
  const bySide = sides.map(({ label, targets }) => {
    const slots = slotsOf(targets, modes);
    return [label, new Map(slots.map((slot) => [textOf(slot), slot]))] as const;
  });
  const [, first] = bySide[0] ?? [undefined, new Map<string, Slot>()];
  return [...first].flatMap(([text, { target, case: plan, mode }]) => {
    const slots = new Map<SideLabel, Slot>();
    for (const [label, own] of bySide) {
      const slot = own.get(text);
      if (slot !== undefined) slots.set(label, slot);
    }
    const shared = { kernel: target.plan.name, case: plan.name, mode };
    return slots.size === sides.length ? [{ shared, slots }] : [];
  });
}

function textOf({ target, case: plan, mode }: Slot): string {
  return caseId({ kernel: target.plan.name, case: plan.name, mode });
}

/** One a side: a case that one side keeps losing is no loss of the other's. Their steps add up to one progress. */
function roundsOf(
  sides: readonly Side[],
  options: InterleaveOptions & Pick<RoundsOptions, 'judge'>,
  seed: (slot: Slot) => string,
): ReadonlyMap<SideLabel, Rounds> {
  const done = new Map<SideLabel, number>();
  const tell =
    (label: SideLabel): OnProgress =>
    (progress) => {
      if (progress.type === 'note') {
        options.onProgress({ ...progress, text: `${label}: ${progress.text}` });
        return;
      }
      if (progress.type !== 'step') return;
      done.set(label, progress.done);
      const all = [...done.values()].reduce((sum, each) => sum + each, 0);
      options.onProgress({ ...progress, done: all, label: `${label} ${progress.label}` });
    };
  return new Map(
    sides.map(({ label }) => [
      label,
      new Rounds({
        ...options,
        seed,
        onProgress: tell(label),
        onRecord: (record) => options.onRecord(label, record),
      }),
    ]),
  );
}
