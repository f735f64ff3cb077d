import { setMaxListeners } from 'node:events';

import { PawlError } from '../model/pawl-error.ts';
import type { OnProgress } from '../model/measure/progress.ts';
import { fitLines } from '../report/terminal/fit-lines.ts';
import { ProgressBar } from '../report/terminal/progress-bar.ts';
import { reportFailure } from './report-failure.ts';

/** What a command's action is given besides its own options. */
export interface Door {
  /** Aborted by Ctrl-C or SIGTERM: end cleanly and keep what there is. */
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
  readonly color: boolean;
  readonly columns: number;
  readonly verbose: boolean;
  readonly print: (text: string) => void;
  /** Prints the document with `--json`, and otherwise its text, whose renderer is loaded only then. */
  readonly tell: (document: unknown, text: () => string | Promise<string>) => Promise<void>;
}

/** Runs one command: wires signals, progress and colours, and turns what comes of it into output and an exit code. */
export async function runAction(
  options: { readonly json?: boolean; readonly quiet?: boolean; readonly verbose?: boolean },
  action: (door: Door) => Promise<number>,
): Promise<void> {
  const aborter = new AbortController();
  // Many compilers listen at once.
  setMaxListeners(0, aborter.signal);
  const interrupt = (signal: NodeJS.Signals) => {
    // A second Ctrl-C means "now".
    if (aborter.signal.aborted) process.exit(130);
    aborter.abort(signal);
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  const print = (text: string) => {
    const { isTTY, columns } = process.stdout;
    const shown = isTTY && options.json !== true ? fitLines(text, columns) : text;
    process.stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`);
  };
  const bar = new ProgressBar(process.stderr, { now: () => Date.now(), color: wantsColor(process.stderr) });
  try {
    process.exitCode = await action({
      signal: aborter.signal,
      onProgress: options.quiet === true ? () => undefined : (progress) => bar.handle(progress),
      color: wantsColor(process.stdout),
      columns: process.stdout.columns ?? 100,
      verbose: options.verbose === true,
      print,
      tell: async (document, text) =>
        print(options.json === true ? JSON.stringify(document, undefined, 2) : await text()),
    });
  } catch (error) {
    bar.handle({ type: 'finished' });
    process.exitCode = reportFailure(isInterruption(error, aborter.signal) ? interrupted() : error, options);
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}

/** What waits (for a lock, for a device) ends by the signal's own reason, or by what Node makes of it. */
function isInterruption(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  return error === signal.reason || (error instanceof Error && error.name === 'AbortError');
}

function interrupted(): PawlError {
  return new PawlError('try-again', 'Interrupted.');
}

/** NO_COLOR (no-color.org) and FORCE_COLOR win over what the terminal is. */
function wantsColor(stream: { readonly isTTY?: boolean }): boolean {
  if (process.env['NO_COLOR']) return false;
  if (process.env['FORCE_COLOR']) return true;
  return stream.isTTY === true && process.env['TERM'] !== 'dumb';
}
