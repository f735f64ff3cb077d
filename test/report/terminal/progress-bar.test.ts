import { describe, expect, it } from 'vitest';

import { displayWidth } from '../../../src/report/text/plain-text.ts';
import type { ProgressStream } from '../../../src/report/terminal/progress-bar.ts';
import { ProgressBar } from '../../../src/report/terminal/progress-bar.ts';

const HIDE = '\u001B[?25l';
const SHOW = '\u001B[?25h';

class Recorder implements ProgressStream {
  readonly isTTY: boolean;
  readonly columns: number;
  written = '';

  constructor(isTTY: boolean, columns = 80) {
    this.isTTY = isTTY;
    this.columns = columns;
  }

  write(text: string): void {
    this.written += text;
  }

  /** The line as it stands after the last redraw. */
  get line(): string {
    return this.written.split('\r\u001B[2K').at(-1)!;
  }
}

function bar(isTTY: boolean, columns = 80) {
  const stream = new Recorder(isTTY, columns);
  const clock = { time_ms: 0 };
  const progress = new ProgressBar(stream, { now: () => clock.time_ms, color: false });
  return { stream, clock, progress };
}

describe('ProgressBar on a terminal', () => {
  it('shows how far it is, the time gone and left, and what is under way', () => {
    const { stream, clock, progress } = bar(true);
    progress.handle({ type: 'started', title: 'measuring', total: 12 });
    clock.time_ms = 10_000;
    progress.handle({ type: 'step', done: 3, label: 'training_512 cold', detail: 'process 2 of 5' });
    expect(stream.line).toMatch(/^█{6}░{18} 3\/12 10 s, 30 s left {2}measuring · training_512 cold ·…/u);
  });

  it('says nothing of what is left before it is known', () => {
    const { stream, clock, progress } = bar(true, 120);
    progress.handle({ type: 'started', title: 'measuring', total: 12 });
    clock.time_ms = 20_000;
    progress.handle({ type: 'step', done: 2, label: 'small' });
    expect(stream.line).toMatch(/ 2\/12 20 s {2}measuring/u);
    progress.handle({ type: 'started', title: 'measuring', total: 240, atMost: true });
    clock.time_ms = 25_000;
    progress.handle({ type: 'step', done: 24, label: 'small' });
    expect(stream.line).toMatch(/ 24 of at most 240 5 s {2}measuring/u);
    progress.handle({ type: 'finished' });
    expect(stream.line).toContain('measuring: 24 of at most 240 in 5 s\n');
  });

  it.each([20, 40, 80, 200])('keeps to a line of %i columns', (columns) => {
    const { stream, clock, progress } = bar(true, columns);
    progress.handle({ type: 'started', title: 'measuring', total: 1000 });
    clock.time_ms = 4_000_000;
    progress.handle({ type: 'step', done: 333, label: 'a label of some length '.repeat(5) });
    expect(displayWidth(stream.line)).toBeLessThan(columns);
  });

  it('hides the cursor while it works and gives it back, also when told twice', () => {
    const { stream, progress } = bar(true);
    progress.handle({ type: 'started', title: 'building', total: 2 });
    expect(stream.written.startsWith(HIDE)).toBe(true);
    progress.handle({ type: 'finished' });
    progress.handle({ type: 'finished' });
    expect(stream.written.split(SHOW)).toHaveLength(2);
  });

  it('writes a note on a line of its own, above the bar', () => {
    const { stream, progress } = bar(true);
    progress.handle({ type: 'started', title: 'building', total: 2 });
    progress.handle({ type: 'note', level: 'warning', text: 'a series was lost' });
    expect(stream.written).toContain('\r\u001B[2K! a series was lost\n');
    expect(stream.line).toContain('0/2');
  });

  it('does not redraw for a detail that changes faster than the eye', () => {
    const { stream, clock, progress } = bar(true);
    progress.handle({ type: 'started', title: 'building', total: 2 });
    progress.handle({ type: 'step', done: 0, label: 'a', detail: '1' });
    const before = stream.written;
    clock.time_ms = 10;
    progress.handle({ type: 'step', done: 0, label: 'a', detail: '2' });
    expect(stream.written).toBe(before);
    clock.time_ms = 200;
    progress.handle({ type: 'step', done: 0, label: 'a', detail: '3' });
    expect(stream.line).toContain('3');
  });

  it('strips escape sequences from labels', () => {
    const { stream, progress } = bar(true);
    progress.handle({ type: 'started', title: 'x\u001B[31m', total: 1 });
    expect(stream.written).not.toContain('\u001B[31m');
  });

  it('stands an empty plan', () => {
    const { stream, progress } = bar(true);
    progress.handle({ type: 'started', title: 'nothing', total: 0 });
    progress.handle({ type: 'step', done: 0, label: 'a' });
    expect(stream.written).not.toMatch(/NaN|undefined/u);
  });
});

describe('ProgressBar in a log', () => {
  it('writes a line when a phase is over, and no escape sequence', () => {
    const { stream, clock, progress } = bar(false);
    progress.handle({ type: 'started', title: 'measuring', total: 100 });
    for (let done = 1; done <= 100; done++) {
      clock.time_ms = done * 1000;
      progress.handle({ type: 'step', done, label: 'training_512' });
    }
    progress.handle({ type: 'finished' });
    expect(stream.written).toBe('measuring: 100/100 in 1 min 40 s\n');
  });

  it('writes nothing about a phase that nobody waited for', () => {
    const { stream, clock, progress } = bar(false);
    progress.handle({ type: 'started', title: 'building', total: 1 });
    clock.time_ms = 300;
    progress.handle({ type: 'finished' });
    expect(stream.written).toBe('');
  });

  it('writes a line when it has been quiet for long', () => {
    const { stream, clock, progress } = bar(false);
    progress.handle({ type: 'started', title: 'measuring', total: 100 });
    progress.handle({ type: 'step', done: 1, label: 'a' });
    clock.time_ms = 301_000;
    progress.handle({ type: 'step', done: 3, label: 'a', detail: 'still' });
    expect(stream.written).toMatch(/^measuring: 3\/100 5 min 01 s, .* left a · still\n$/u);
  });

  it('says that a device is waited for, and who holds it, once a minute however often that changes', () => {
    const { stream, clock, progress } = bar(false);
    const holder = { pid: 7, purpose: 'pawl tune of gemm', since: '2026-11-01T09:59:00Z' };
    progress.handle({ type: 'waiting', device: 'GPU-1', holder });
    clock.time_ms = 5000;
    progress.handle({ type: 'waiting', device: 'GPU-2' });
    clock.time_ms = 60_000;
    progress.handle({ type: 'waiting', device: 'GPU-1' });
    expect(stream.written).toBe(
      'waiting for the device GPU-1, which is in use by process 7 (pawl tune of gemm) since 2026-11-01T09:59:00Z\n' +
        'waiting for the device GPU-1, which is in use by another process\n',
    );
  });

  it('writes notes also before anything has started', () => {
    const { stream, progress } = bar(false);
    progress.handle({ type: 'note', level: 'info', text: 'no GPU here' });
    expect(stream.written).toBe('no GPU here\n');
  });
});
