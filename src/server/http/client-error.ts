import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

import { HttpProblem } from './http-problem.ts';

const STATUSES: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The body is chunked in too many words.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
};

/** Answers what is not a request, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, detail] = STATUSES[error.code ?? ''] ?? [400, 'This is not an HTTP request.'];
  const body = `${JSON.stringify(new HttpProblem(status, detail).body)}\n`;
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'connection: close',
      'content-type: application/problem+json',
      `content-length: ${Buffer.byteLength(body)}`,
      'x-content-type-options: nosniff',
      '',
      body,
    ].join('\r\n'),
    // What it still sends is not read: it must not keep the connection half open.
    () => socket.destroy(),
  );
}
