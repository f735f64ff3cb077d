import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { encodingFor } from './negotiate.ts';

export interface Content {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** May be kept by the client, which asks every time whether it is still right. */
  readonly revalidated?: boolean;
  /** Compressed beforehand. */
  readonly packed?: { readonly br: Buffer; readonly gzip: Buffer };
}

/** Below this, an answer fits one packet and compressing it gains nothing. */
const SMALLEST_PACKED_BYTES = 1200;
/** 4 of 11: about gzip's time, and smaller. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const packers = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** Answers with validators, compression and, for HEAD, without the body. */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  content: Content,
): Promise<void> {
  const { status, type, headers = {} } = content;
  const tag = content.revalidated === true ? tagOf(content.body) : undefined;
  response.setHeader('vary', 'accept-encoding, authorization, cookie');
  if (tag !== undefined) response.setHeader('etag', tag);
  response.setHeader('cache-control', tag === undefined ? 'no-store' : 'private, no-cache');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // What was not read of a body would be taken for the next request.
  if (!request.complete) response.setHeader('connection', 'close');
  if (tag !== undefined && isKnown(request.headers['if-none-match'], tag)) {
    response.writeHead(304).end();
    return;
  }
  const encoding =
    content.body.length < SMALLEST_PACKED_BYTES ? undefined : encodingFor(request.headers['accept-encoding']);
  const body =
    encoding === undefined
      ? content.body
      : (content.packed?.[encoding] ?? (await packed(encoding, content.body)));
  if (encoding !== undefined) response.setHeader('content-encoding', encoding);
  response.writeHead(status, { 'content-type': type, 'content-length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function packed(encoding: 'br' | 'gzip', body: Buffer): Promise<Buffer> {
  return encoding === 'br' ? packers.br(body, BROTLI) : packers.gzip(body);
}

/** Weak, because it is the same for every encoding of the contents. */
export function tagOf(body: Buffer): string {
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const plain = tag.replace(/^W\//, '');
  return header
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === plain || one === '*');
}
