/** Lines of the source in a sentence. */
import type {
  CauseLine,
  FindingLine,
  HotLine,
  HotLines,
  LineChange,
  MixBound,
  SassPipe,
  SourcePlace,
} from '../../model/profile/hot-lines.ts';
import { scaled } from '../../model/text/number-text.ts';
import { clip, plainText } from './plain-text.ts';

const SOURCE_CHARACTERS = 90;

export function placeText({ file, line }: Pick<SourcePlace, 'file' | 'line'>): string {
  return plainText(`${file}:${line}`);
}

/** The calls that a line was inlined through, nearest first: a file is named where it is not the one before. */
export function chainText({ file, inlined_into = [] }: Pick<HotLine, 'file' | 'inlined_into'>): string {
  const before = [file, ...inlined_into.map((one) => one.file)];
  return inlined_into
    .map((one, at) => (one.file === before[at] ? `line ${one.line}` : placeText(one)))
    .join(' ← ');
}

function sourceText(source: string | undefined): string {
  return source === undefined ? '' : clip(plainText(source), SOURCE_CHARACTERS);
}

/** `kernels/a.cu:42 (61 % of the time, 97 % of this): sum += tile[…]`. */
export function findingLineText({
  share_pct,
  of_finding_pct,
  source,
  inlined_into = [],
  ...place
}: FindingLine): string {
  const [outer] = inlined_into.slice(-1);
  const through = outer === undefined ? '' : `, inlined into ${placeText(outer)}`;
  const text = sourceText(source);
  return `${placeText(place)}${through} (${share_pct.toFixed(0)} % of the time, ${of_finding_pct.toFixed(0)} % of this)${text === '' ? '' : `: ${text}`}`;
}

const LINKS = { calls: 'is called from', feeds: 'computes with', nearest: 'is nearest to' } as const;

/** `a.cu:42, which changed, takes 12.3 µs more: sum += …`. */
export function causeText({ how, slower, change_us, source, ...place }: CauseLine): string {
  const text = sourceText(source);
  const quoted = text === '' ? '' : `: ${text}`;
  const takes = `takes ${Math.abs(change_us).toFixed(1)} µs ${change_us > 0 ? 'more' : 'less'}`;
  if (how === 'itself') return `${placeText(place)}, which changed, ${takes}${quoted}`;
  if (how === 'unchanged' || slower === undefined) return `${placeText(place)} ${takes}${quoted}`;
  return `${placeText(slower)} ${takes} and ${LINKS[how]} ${placeText(place)}, which changed${quoted}`;
}

export function lineChangeText({
  before_us,
  after_us,
  before_line,
  changed,
  source,
  ...place
}: LineChange): string {
  const moved = before_line !== undefined && before_line !== place.line ? ` (was line ${before_line})` : '';
  const text = sourceText(source);
  return `${before_us.toFixed(1)} → ${after_us.toFixed(1)} µs  ${placeText(place)}${changed ? ' changed' : moved}${text === '' ? '' : `  ${text}`}`;
}

/** What a compiled function takes and what occupancy that allows, a sentence each. */
export function resourceTexts({ resources }: HotLines): string[] {
  if (resources === undefined) return [];
  const { arch, registers, smem_bytes, max_threads, block, occupancy } = resources;
  const bounds = max_threads === undefined ? '' : `, compiled for blocks of up to ${max_threads} threads`;
  const takes = `${arch}: ${registers} registers per thread, ${smem_bytes.toLocaleString('en-US')} bytes of shared memory per block${bounds}`;
  const each = occupancy.map(({ threads, occupancy_pct, blocks_per_sm, limited_by }) => {
    const by = `bounded by ${limited_by.join(' and ')}`;
    return blocks_per_sm === 0
      ? `${threads} threads: cannot be launched (${by})`
      : `${threads} threads: ${occupancy_pct.toFixed(0)} % (${by})`;
  });
  if (each.length === 0) return [takes];
  const of = block === 'stated' ? 'block_threads of pawl.yaml' : 'by block size, which is not stated';
  return [takes, `occupancy at best, ${of}: ${each.join(' · ')}`];
}

/** Static: `in 2 loops`, and what stands there: `4 global 32, 9 arithmetic`. */
export function mixTexts({ mix, loop_depth = 0 }: Pick<HotLine, 'mix' | 'loop_depth'>): string[] {
  if (mix === undefined) return [];
  const kinds = Object.entries(mix).toSorted(([, one], [, other]) => other - one);
  const where = loop_depth === 0 ? 'in no loop' : `in ${loop_depth} ${loop_depth === 1 ? 'loop' : 'loops'}`;
  return [where, kinds.map(([kind, count]) => `${count} ${kind}`).join(', ')];
}

const PIPE_WORDS: Readonly<Record<SassPipe, string>> = {
  issue: 'issuing instructions',
  fp32: 'FP32',
  fp64: 'FP64',
  fp16: 'FP16',
  integer: 'integer arithmetic',
  special: 'special functions',
  convert: 'conversions',
  memory: 'loads and stores',
  tensor: 'tensor cores',
};

/** Static: what one pass of a warp through each loop takes at the least. How often it runs is not in the code. */
export function loopTexts({ loops = [] }: HotLines): string[] {
  return loops.map(({ file, lines: [from, to], instructions, least_cycles, bound_by, cycles, peak }) => {
    const where = from === to ? `${file}:${from}` : `${file}:${from}-${to}`;
    const units = Object.entries(cycles)
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, 3)
      .map(([pipe, each]) => `${PIPE_WORDS[pipe as SassPipe]} ${rounded(each)}`);
    const most =
      peak === undefined
        ? ''
        : `; at most ${peak.most_pct.toFixed(0)} % of the ${PIPE_WORDS[peak.unit]} peak`;
    return `loop at ${where}: each pass of a warp (${instructions} instructions) takes at least ${rounded(least_cycles)} clocks of a multiprocessor, bound by ${PIPE_WORDS[bound_by]} (${units.join(', ')})${most}; how often it runs is not in the code`;
  });
}

/** Static, but for the time: `the case's 2.1 GFLOP take at least 41 µs with these instructions, 31 % of …`. */
export function mixBoundText({ operations, least_us, bound_by, best, measured_us }: MixBound): string {
  const where = best.line === 0 ? '' : `, at best as in ${placeText(best)}`;
  const of =
    measured_us === undefined
      ? 'how long it takes was not measured'
      : measured_us < least_us
        ? `${measured_us.toFixed(1)} µs were measured, so it does fewer operations than pawl.yaml counts`
        : `${((100 * least_us) / measured_us).toFixed(0)} % of the ${measured_us.toFixed(1)} µs that were measured`;
  return `static: with this mix of instructions, the ${scaled(operations)}FLOP of the case take at least ${least_us.toFixed(1)} µs, bound by ${PIPE_WORDS[bound_by]}${where}; ${of}`;
}

function rounded(cycles: number): string {
  return cycles.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}
