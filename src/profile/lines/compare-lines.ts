/** Two profiles of one kernel by line: which lines got slower, moved lines followed, and which change did it. */
import type { CauseLine, HotLine, HotLines, LineChange } from '../../model/profile/hot-lines.ts';
import { feedingLines } from './feeding-lines.ts';
import { followLines, type FollowedLines } from './follow-lines.ts';
import type { CapturedLines, Place } from './code-lines.ts';
import type { SourceFiles } from './source-text.ts';

/** One side: its lines, how long the launch took, and its files. */
export interface LinesSide {
  readonly hot: HotLines;
  readonly duration_us: number;
  readonly sources: Pick<SourceFiles, 'linesOf' | 'nameOf'>;
  /** By instruction, for a GPU: which results a line computes with. */
  readonly captured?: CapturedLines;
}

export interface LinesCompared {
  readonly lines: LineChange[];
  readonly cause?: CauseLine;
}

const MOST_LINES = 20;
/** A changed line of another file is farther than any of the same. */
const OTHER_FILE = 1_000_000;
/** A line whose cost changed by less, in percent of the launch, is noise of sampling. */
const LEAST_CHANGE_PCT = 1;
/** What two draws of so many samples differ by in fewer than 3 of 1,000 lines that cost the same (normal distribution). */
const STANDARD_ERRORS = 3;

export function compareLines(was: LinesSide, is: LinesSide): LinesCompared {
  const files = new FollowedFiles(was, is);
  const changes = changesOf(was, is, files);
  const least_us = (LEAST_CHANGE_PCT / 100) * Math.max(was.duration_us, is.duration_us);
  const isSlower = is.duration_us >= was.duration_us;
  const telling = changes
    .filter((change) => Math.abs(by(change)) >= Math.max(least_us, sampling_us(change, was, is)))
    .toSorted((one, other) => Math.abs(by(other)) - Math.abs(by(one)));
  const first = telling.find((change) => by(change) > 0 === isSlower);
  const cause = first && causeOf(first, is, files);
  return { lines: telling.slice(0, MOST_LINES), ...(cause === undefined ? {} : { cause }) };
}

function by({ before_us, after_us }: LineChange): number {
  return after_us - before_us;
}

/** By how much the cost of a line may change because other moments were sampled: shares are binomial. */
function sampling_us({ before_us, after_us }: LineChange, was: LinesSide, is: LinesSide): number {
  const variance = (cost_us: number, { hot, duration_us }: LinesSide): number => {
    const rest_us = Math.max(0, duration_us - cost_us);
    return hot.samples === 0 ? 0 : (cost_us * rest_us) / hot.samples;
  };
  return STANDARD_ERRORS * Math.sqrt(variance(before_us, was) + variance(after_us, is));
}

/** Files of the head and what became of their lines. */
class FollowedFiles {
  readonly #was: LinesSide;
  readonly #is: LinesSide;
  readonly #known = new Map<string, FollowedLines | undefined>();

  constructor(was: LinesSide, is: LinesSide) {
    this.#was = was;
    this.#is = is;
  }

  /** Undefined where either side's text is not to be had: then nothing is known to have changed. */
  of(file: string): FollowedLines | undefined {
    if (!this.#known.has(file)) {
      const [before, after] = [this.#was.sources.linesOf(file), this.#is.sources.linesOf(file)];
      this.#known.set(file, before && after && followLines(before, after));
    }
    return this.#known.get(file);
  }

  textOf(file: string, line: number): string | undefined {
    return this.#is.sources.linesOf(file)?.[line - 1];
  }

  /** Lines of the head that were not there before; where lines only went, the one after them. */
  changedIn(file: string): number[] {
    return (this.of(file)?.hunks ?? []).flatMap(({ after: [from, to] }) =>
      from === to ? [from] : Array.from({ length: to - from }, (_, index) => from + index),
    );
  }

  isChanged(file: string, line: number): boolean {
    const followed = this.of(file);
    return followed !== undefined && !followed.beforeOf.has(line);
  }
}

function changesOf(was: LinesSide, is: LinesSide, files: FollowedFiles): LineChange[] {
  const cost = (side: LinesSide, { share_pct }: HotLine): number => (share_pct / 100) * side.duration_us;
  const before = new Map(was.hot.lines.map((line) => [`${line.file}:${line.line}`, cost(was, line)]));
  const found: LineChange[] = [];
  for (const line of is.hot.lines.filter(({ line: number }) => number > 0)) {
    const followed = files.of(line.file);
    const wasLine = followed === undefined ? line.line : followed.beforeOf.get(line.line);
    const key = `${line.file}:${wasLine}`;
    const rewritten = followed?.hunks.find(({ after: [from, to] }) => from <= line.line && line.line < to);
    const before_us =
      wasLine === undefined ? takeHunk(before, line.file, rewritten?.before) : (before.get(key) ?? 0);
    before.delete(key);
    found.push({
      file: line.file,
      line: line.line,
      ...(line.source === undefined ? {} : { source: line.source }),
      ...(wasLine === undefined ? {} : { before_line: wasLine }),
      changed: wasLine === undefined,
      before_us,
      after_us: cost(is, line),
    });
  }
  return found;
}

/** What the rewritten lines cost before: the costliest line that stands in their place is compared with all of it. */
function takeHunk(
  before: Map<string, number>,
  file: string,
  lines: readonly [number, number] | undefined,
): number {
  if (lines === undefined) return 0;
  let total = 0;
  for (let line = lines[0]; line < lines[1]; line += 1) {
    total += before.get(`${file}:${line}`) ?? 0;
    before.delete(`${file}:${line}`);
  }
  return total;
}

function causeOf(slower: LineChange, is: LinesSide, files: FollowedFiles): CauseLine {
  const change_us = by(slower);
  const named = (file: string, line: number, how: CauseLine['how']): CauseLine => {
    const source = files.textOf(file, line);
    return { file, line, ...(source === undefined ? {} : { source }), how, slower, change_us };
  };
  const own: CauseLine = {
    file: slower.file,
    line: slower.line,
    ...(slower.source === undefined ? {} : { source: slower.source }),
    how: slower.changed ? 'itself' : 'unchanged',
    change_us,
  };
  if (slower.changed) return own;
  const isSlower = ({ file, line }: Place): boolean => file === slower.file && line === slower.line;
  const caller = is.hot.lines
    .find(isSlower)
    ?.inlined_into?.find(({ file, line }) => files.isChanged(file, line));
  if (caller !== undefined) return named(caller.file, caller.line, 'calls');
  const nameOf = (file: string): string => is.sources.nameOf(file);
  const feeding =
    is.captured === undefined
      ? []
      : feedingLines(is.captured, ({ file, line }) => isSlower({ file: nameOf(file), line }));
  const fed = feeding.find(({ file, line }) => files.isChanged(nameOf(file), line));
  if (fed !== undefined) return named(nameOf(fed.file), fed.line, 'feeds');
  const near = files
    .changedIn(slower.file)
    .map((line) => ({ file: slower.file, line, far: Math.abs(line - slower.line) }));
  // In other files, beside lines that this kernel has code of: such a file may have many kernels.
  const elsewhere = [...new Set(is.hot.lines.map(({ file }) => file))]
    .filter((file) => file !== slower.file)
    .flatMap((file) => {
      const own = is.hot.lines.filter((line) => line.file === file).map(({ line }) => line);
      return files.changedIn(file).map((line) => ({
        file,
        line,
        far: OTHER_FILE + Math.min(...own.map((one) => Math.abs(one - line))),
      }));
    });
  const [nearest] = [...near, ...elsewhere]
    .filter(({ file, line }) => isCode(files.textOf(file, line)))
    .toSorted((one, other) => one.far - other.far);
  return nearest === undefined ? own : named(nearest.file, nearest.line, 'nearest');
}

/** Comments and empty lines change nothing. */
function isCode(text: string | undefined): boolean {
  return (
    text !== undefined &&
    text.trim() !== '' &&
    !/^\s*(?:\/\/|\/\*|\*|#(?!\s*(?:pragma|define|if|el|include)))/u.test(text)
  );
}
