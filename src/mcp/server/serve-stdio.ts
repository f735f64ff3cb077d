import type { Readable, Writable } from 'node:stream';

import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';

import { BoundedLines, type LineFault } from './bounded-lines.ts';
import { createServer, type ServerSetup } from './create-server.ts';

export interface StdioOptions extends Omit<ServerSetup, 'signal' | 'underWay'> {
  readonly input: Readable;
  /** Belongs to the protocol: nothing else may write to it. */
  readonly output: Writable;
  readonly signal: AbortSignal;
  readonly log: (message: string) => void;
}

/** Far above any call: the longest argument is a few kilobytes. */
const MOST_LINE_BYTES = 1024 * 1024;

/** As JSON-RPC 2.0 numbers them; whose message it was cannot be told. */
const FAULTS: Readonly<Record<LineFault, { readonly code: number; readonly message: string }>> = {
  'too-long': { code: -32600, message: `A message must not exceed ${MOST_LINE_BYTES} bytes.` },
  'not-json': { code: -32700, message: 'The message is not valid JSON.' },
};

/** Serves one client over standard input and output until it goes away; then ends what it had started. */
export async function serveOverStdio({ input, output, signal, log, ...setup }: StdioOptions): Promise<void> {
  const ending = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const lines = new BoundedLines(MOST_LINE_BYTES, (fault) => {
    log(`a message was dropped: ${FAULTS[fault].message}`);
    output.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: FAULTS[fault] })}\n`);
  });
  const gone = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) lines.once(event, () => resolve());
    output.once('error', () => resolve());
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const handle = serveStdio(() => createServer({ ...setup, signal: ending.signal, underWay }), {
    transport: new StdioServerTransport(lines, output, { maxBufferSize: 2 * MOST_LINE_BYTES }),
    onerror: (error) => log(error.message),
  });
  input.on('error', () => lines.destroy());
  input.pipe(lines);
  await gone;
  ending.abort();
  input.unpipe(lines);
  input.pause();
  await handle.close();
  // Runners and compilers end before we do.
  await Promise.allSettled(underWay);
  input.destroy();
}
