import { PawlError } from '../../model/pawl-error.ts';
import { PAWL_VERSION } from '../../model/version.ts';
import type { SendContext, SendOutcome } from './channel.ts';

/** Of an answer only its beginning is read: chats say there what is wrong. */
const MOST_ANSWER_BYTES = 4096;
const SHOWN_ANSWER = 120;
const LONGEST_WAIT_S = 86_400;

/** @throws {PawlError} where the text is not an address that can be posted to; its sentence does not hold the text */
export function webAddress(text: string, variable: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new PawlError('configuration', `${variable} does not hold an http:// or https:// address.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new PawlError(
      'configuration',
      `The address in ${variable} has a user or a password in it, which are not sent.`,
      'Remove them from the address.',
    );
  }
  return url;
}

/**
 * Posts once. A redirect is not followed: it could lead a message with a secret address or signature to another
 * server, or into a network that only this machine reaches. At most a few kilobytes of the answer are read.
 */
export async function postJson(
  url: URL,
  body: string,
  headers: Readonly<Record<string, string>>,
  { signal, timeout_ms, now }: SendContext,
): Promise<SendOutcome> {
  const ends = AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)]);
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: ends,
      headers: { 'content-type': 'application/json', 'user-agent': `pawl/${PAWL_VERSION}`, ...headers },
      body,
    });
    if (response.ok) {
      await response.body?.cancel();
      return { isSent: true };
    }
    const { status } = response;
    if (status >= 300 && status < 400) {
      await response.body?.cancel();
      return {
        isSent: false,
        error: `it answered ${status}, a redirect, which is not followed: give the final address`,
      };
    }
    const said = withoutAddress(await beginningOf(response), url);
    const wait_s = waitOf(response.headers.get('retry-after'), now());
    return {
      isSent: false,
      error: `it answered ${status}${said === '' ? '' : `: ${said}`}`,
      ...(wait_s === undefined ? {} : { retryAfter_s: wait_s }),
    };
  } catch (error) {
    if (signal.aborted) throw error;
    return { isSent: false, error: withoutAddress(reasonOf(error, timeout_ms), url) };
  }
}

async function beginningOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Leaving the loop ends the transfer.
    if (bytes >= MOST_ANSWER_BYTES) break;
  }
  const text = Buffer.concat(chunks).subarray(0, MOST_ANSWER_BYTES).toString('utf8');
  // A page of a proxy says nothing that its status does not.
  if (/^\s*</u.test(text)) return '';
  return text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, SHOWN_ANSWER);
}

/** The path of a chat's webhook is its password, and some servers repeat it in what they answer. */
function withoutAddress(text: string, url: URL): string {
  const parts = [url.href, url.pathname, ...url.pathname.split('/'), ...url.searchParams.values()];
  return parts
    .filter((part) => part.length >= 6)
    .toSorted((one, other) => other.length - one.length)
    .reduce((shown, part) => shown.replaceAll(part, '…'), text);
}

/** In seconds, or a date (RFC 9110, section 10.2.3). */
function waitOf(text: string | null, now: Date): number | undefined {
  if (text === null) return undefined;
  const wait_s = /^\d{1,9}$/u.test(text.trim()) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000;
  return Number.isFinite(wait_s) ? Math.min(LONGEST_WAIT_S, Math.max(0, wait_s)) : undefined;
}

function reasonOf(error: unknown, timeout_ms: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return `it gave no answer for ${timeout_ms / 1000} s`;
  }
  const { cause } = error as { readonly cause?: unknown };
  const told = cause instanceof Error ? cause : error;
  return told instanceof Error && told.message !== '' ? told.message : 'it could not be reached';
}
