import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

import { bodyOf } from './body-of.ts';
import type { HttpContext } from './http-app.ts';
import { HttpProblem } from './http-problem.ts';

export interface BodyLimits {
  /** As it is sent. */
  readonly wire_bytes: number;
  /** As it is unpacked: a small body can hold a thousand times its size. */
  readonly plain_bytes: number;
}

/** A run has levels of nesting enough to count on one's fingers; what recurses over a document must not run out of stack. */
const DEEPEST = 64;

const unpack = promisify(gunzip);

/** The JSON of a request, plain or in gzip. */
export async function jsonBody(c: HttpContext, limits: BodyLimits): Promise<unknown> {
  const type = c.req.header('content-type') ?? '';
  const encoding = c.req.header('content-encoding') ?? 'identity';
  if (!/^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(type)) {
    throw new HttpProblem(415, 'The body must be application/json.', {
      headers: { accept: 'application/json' },
    });
  }
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new HttpProblem(415, 'The body may be sent as it is or in gzip.', {
      headers: { 'accept-encoding': 'gzip, identity' },
    });
  }
  const sent = await bodyOf(c, limits.wire_bytes, tooLarge(limits));
  const bytes = encoding === 'gzip' ? await unpacked(sent, limits) : sent;
  if (bytes.length > limits.plain_bytes) throw new HttpProblem(413, tooLarge(limits));
  if (isTooDeep(bytes)) throw new HttpProblem(400, `The body is nested more than ${DEEPEST} levels deep.`);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new HttpProblem(400, 'The body is not JSON in UTF-8.');
  }
}

async function unpacked(sent: Buffer, limits: BodyLimits): Promise<Buffer> {
  try {
    return await unpack(sent, { maxOutputLength: limits.plain_bytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new HttpProblem(413, tooLarge(limits));
    }
    throw new HttpProblem(400, 'The body is not gzip.');
  }
}

function tooLarge({ wire_bytes, plain_bytes }: BodyLimits): string {
  const mib = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;
  return `The body is larger than ${mib(wire_bytes)} as it is sent, or ${mib(plain_bytes)} unpacked.`;
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 91, 93, 123, 125];

function isTooDeep(bytes: Buffer): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      if (depth > DEEPEST) return true;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
  }
  return false;
}
