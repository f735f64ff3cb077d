import { waitText } from '../../model/device/wait-text.ts';
import type { Progress } from '../../model/measure/progress.ts';
import { fitLines } from './fit-lines.ts';
import type { Paint } from './paint.ts';
import { painter } from './paint.ts';
import { displayWidth, plainText, truncate } from '../text/plain-text.ts';
import { formatDuration } from '../text/units.ts';

/** Where progress goes: `process.stderr`, or anything like it. */
export interface ProgressStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface ProgressBarOptions {
  /** The time in milliseconds. */
  readonly now: () => number;
  readonly color: boolean;
}

const BAR_CELLS = 24;
/** Eighths of a cell, so that the bar moves also when a step is small. */
const PARTIAL = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
/** Redrawing more often than the eye sees only costs the machine that is measuring. */
const REDRAW_EVERY_MS = 100;
/** In a log a phase has one line, when it is over; one in between only when it has been quiet for this long. */
const LOG_EVERY_MS = 5 * 60_000;
/** A phase that ends sooner has none. */
const WORTH_A_LINE_MS = 1000;

/** In a log, of waiting for a device that others hold in turn. */
const WAIT_LINE_EVERY_MS = 60_000;

/** From so many steps on, those that lie behind say how long the rest takes. */
const TELLING_STEPS = 3;

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const CLEAR_LINE = '\r\u001b[2K';

interface Work {
  readonly title: string;
  readonly total: number;
  readonly atMost: boolean;
  readonly started_ms: number;
  done: number;
  label: string;
  detail: string;
  left_ms?: number | undefined;
  share?: number | undefined;
  /** When the bar was last drawn or logged, and how far it was. */
  shown_ms: number;
  shownDone: number;
}

/** Shows `Progress` on one updating line of a terminal, or as a line per phase of a log. */
export class ProgressBar {
  readonly #stream: ProgressStream;
  readonly #now: () => number;
  readonly #paint: Paint;
  #work: Work | undefined;
  /** When waiting was last told. */
  #waited_ms: number | undefined;

  constructor(stream: ProgressStream, { now, color }: ProgressBarOptions) {
    this.#stream = stream;
    this.#now = now;
    this.#paint = painter(color);
  }

  /** Safe to call with `finished` at any time, also twice: whatever happened, the cursor is back. */
  handle(progress: Progress): void {
    switch (progress.type) {
      case 'started':
        this.#finish();
        this.#start(plainText(progress.title), progress.total, progress.atMost === true);
        break;
      case 'step':
        this.#step(progress);
        break;
      case 'note':
        this.#note(progress.level, plainText(progress.text));
        break;
      case 'waiting':
        this.#wait(plainText(waitText(progress)));
        break;
      case 'finished':
        this.#finish();
        break;
    }
  }

  #start(title: string, total: number, atMost: boolean): void {
    const now = this.#now();
    const nothing = { done: 0, label: '', detail: '', shown_ms: now, shownDone: 0 };
    this.#work = { title, total, atMost, started_ms: now, ...nothing };
    if (this.#stream.isTTY === true) {
      this.#stream.write(HIDE_CURSOR);
      this.#draw();
    }
  }

  #step({ done, left_ms, share, ...step }: Extract<Progress, { type: 'step' }>): void {
    const work = this.#work;
    if (work === undefined) return;
    const label = plainText(step.label);
    const labelChanged = label !== work.label;
    Object.assign(work, { done, label, detail: plainText(step.detail ?? ''), left_ms, share });
    const quiet_ms = this.#now() - work.shown_ms;
    if (this.#stream.isTTY === true) {
      if (labelChanged || done !== work.shownDone || quiet_ms >= REDRAW_EVERY_MS) this.#draw();
    } else if (quiet_ms >= LOG_EVERY_MS) {
      this.#log(work);
    }
  }

  /** On a busy machine the holder changes every second: a log needs no line for each. */
  #wait(text: string): void {
    const now = this.#now();
    const isTold = this.#waited_ms !== undefined && now - this.#waited_ms < WAIT_LINE_EVERY_MS;
    if (isTold && this.#stream.isTTY !== true) return;
    this.#waited_ms = now;
    this.#note('info', text);
  }

  #note(level: 'info' | 'warning', text: string): void {
    const line = level === 'warning' ? `${this.#paint('yellow', '!')} ${text}` : text;
    const onBar = this.#work !== undefined && this.#stream.isTTY === true;
    const { isTTY, columns = 80 } = this.#stream;
    this.#stream.write(`${onBar ? CLEAR_LINE : ''}${isTTY === true ? fitLines(line, columns) : line}\n`);
    if (onBar) this.#draw();
  }

  #finish(): void {
    const work = this.#work;
    if (work === undefined) return;
    this.#work = undefined;
    const took_ms = this.#now() - work.started_ms;
    const summary = `${work.title}: ${countText(work)} in ${formatDuration(took_ms)}\n`;
    if (this.#stream.isTTY === true) this.#stream.write(`${CLEAR_LINE}${SHOW_CURSOR}${summary}`);
    else if (took_ms >= WORTH_A_LINE_MS) this.#stream.write(summary);
  }

  #draw(): void {
    const work = this.#work;
    if (work === undefined) return;
    work.shown_ms = this.#now();
    work.shownDone = work.done;
    // One column less than there are: a full last column makes some terminals wrap.
    const columns = (this.#stream.columns ?? 80) - 1;
    const counts = `${countText(work)} ${this.#times(work)}`;
    const words = [work.title, work.label, work.detail].filter((part) => part !== '').join(' · ');
    const cells = Math.min(BAR_CELLS, columns - displayWidth(counts) - 2);
    const bar =
      cells < 4 ? '' : `${this.#paint('cyan', barText(work.share ?? work.done / work.total, cells))} `;
    const room = columns - displayWidth(counts) - (bar === '' ? 0 : cells + 1) - 2;
    const tail = room < 4 ? '' : `  ${this.#paint('dim', truncate(words, room))}`;
    this.#stream.write(`${CLEAR_LINE}${bar}${truncate(counts, columns)}${tail}`);
  }

  #log(work: Work): void {
    work.shown_ms = this.#now();
    work.shownDone = work.done;
    const words = [work.label, work.detail].filter((part) => part !== '').join(' · ');
    this.#stream.write(`${work.title}: ${countText(work)} ${this.#times(work)}${words && ` ${words}`}\n`);
  }

  /**
   * Elapsed, and what is left: as the work says, or if the rest goes as what lies behind. The first steps prepare much
   * that later ones have, and of work that may be over at any time nothing is known.
   */
  #times({ done, total, atMost, started_ms, left_ms }: Work): string {
    const elapsed_ms = this.#now() - started_ms;
    const elapsed = formatDuration(elapsed_ms);
    if (left_ms !== undefined) return `${elapsed}, ${formatDuration(left_ms)} left`;
    if (atMost || done < TELLING_STEPS || done >= total) return elapsed;
    return `${elapsed}, ${formatDuration((elapsed_ms / done) * (total - done))} left`;
  }
}

function countText({ done, total, atMost }: Work): string {
  if (atMost) return `${done} of at most ${total}`;
  return total === 0 ? String(done) : `${done}/${total}`;
}

function barText(share: number, cells: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0)) * cells * 8);
  const filled = '█'.repeat(Math.floor(eighths / 8)) + PARTIAL[eighths % 8]!;
  return filled + '░'.repeat(cells - filled.length);
}
