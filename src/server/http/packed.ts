import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import type { Middleware } from './http-app.ts';
import { encodingFor } from './negotiate.ts';

/** Below this, an answer fits one packet and compressing it gains nothing. */
const SMALLEST_PACKED_BYTES = 1200;
/** 4 of 11: about gzip's time, and smaller. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const brotli = promisify(brotliCompress);
const packers = { br: (body: Buffer) => brotli(body, BROTLI), gzip: promisify(gzip) };

/** Compresses answers as the client asks. Hono's own middleware has no brotli on Node 20. */
export const packed: Middleware = async (c, next) => {
  await next();
  const { status, headers, body } = c.res;
  headers.set('vary', 'accept-encoding, authorization, cookie');
  if (body === null || headers.get('content-type')?.startsWith('text/event-stream') === true) return;
  const plain = Buffer.from(await c.res.arrayBuffer());
  const isSmall = plain.length < SMALLEST_PACKED_BYTES;
  const encoding = isSmall ? undefined : encodingFor(c.req.header('accept-encoding'));
  const sent = encoding === undefined ? plain : await packers[encoding](plain);
  if (encoding !== undefined) headers.set('content-encoding', encoding);
  // Also HEAD tells it, which has no body to count.
  headers.set('content-length', String(sent.length));
  // Else the headers of both would be merged.
  c.res = undefined;
  c.res = new Response(new Uint8Array(sent), { status, headers });
};
