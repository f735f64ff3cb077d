import type { IncomingMessage } from 'node:http';

/**
 * The bytes of a request, or why they are not taken. Nothing beyond the limit is kept. Iterating over the request
 * would close the connection at an early end, and with it the answer.
 */
export function readBody(
  request: IncomingMessage,
  limit_bytes: number,
): Promise<Buffer | 'too-large' | 'cut-off'> {
  return new Promise((resolve) => {
    if (Number(request.headers['content-length'] ?? 0) > limit_bytes) {
      resolve('too-large');
      return;
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= limit_bytes) chunks.push(chunk);
      else {
        request.pause();
        resolve('too-large');
      }
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', () => resolve('cut-off'));
    request.once('close', () => resolve('cut-off'));
  });
}
