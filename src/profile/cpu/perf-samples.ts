/**
 * Reads `perf script -F event,ip,sym,symoff,dso --no-demangle`: one stack per sample, the innermost frame first, after
 * a line with the event.
 */

export interface Frame {
  /** Of a file that perf cannot open: an offset in it. */
  readonly ip: number;
  /** Empty where it is not known. */
  readonly symbol: string;
  /** From the symbol's start. */
  readonly offset: number;
  readonly file: string;
}

export interface PerfSamples {
  /** What was counted: perf takes a timer by itself where there are no counters. */
  readonly event: string | undefined;
  readonly stacks: readonly (readonly Frame[])[];
}

/** `  ffffa2406f98 __sin+0x208 (/usr/lib/libm.so.6)`. */
const FRAME = /^\s+([0-9a-f]+)\s+(?:(\S+?)\+0x([0-9a-f]+)|\[unknown\]|\S+)\s+\((.+)\)\s*$/u;
const EVENT = /^\s*([\w-]+(?::\w+)?):\s*$/u;

export function readPerfSamples(text: string): PerfSamples {
  const stacks: Frame[][] = [];
  let event: string | undefined;
  let open: Frame[] | undefined;
  for (const line of text.split('\n')) {
    const [whole, ip = '', symbol = '', offset = '0', file = ''] = FRAME.exec(line) ?? [];
    if (whole === undefined) {
      event ??= EVENT.exec(line)?.[1];
      open = undefined;
      continue;
    }
    if (open === undefined) stacks.push((open = []));
    open.push({ ip: Number.parseInt(ip, 16), symbol, offset: Number.parseInt(offset, 16), file });
  }
  return { event, stacks };
}
