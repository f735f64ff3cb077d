/** When a call to the code host is made again, and after how long. */

/** Tries of one call, the first included. */
export const MOST_TRIES = 5;

/** GitHub: "wait for at least one minute" where a secondary rate limit names no time. */
const SECONDARY_WAIT_MS = 60_000;

const FIRST_BACKOFF_MS = 1_000;

/**
 * Whether a call may be made again after an answer got lost or the host was in trouble. What Pawl sends with these
 * methods are whole values, so twice is the same as once. A POST would make a second comment: the poster looks
 * first whether it is there (post-report.ts).
 */
export function isRepeatable(method: string): boolean {
  return method !== 'POST';
}

/** Errors that come before a byte of the request has left: nothing can have happened at the other end. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export function wasNeverSent(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (NEVER_SENT.has(String((cause as NodeJS.ErrnoException).code))) return true;
  }
  return false;
}

export function isServerTrouble(status: number): boolean {
  return status >= 500 && status !== 501;
}

/**
 * How long a rate limit asks to wait; undefined where the answer is not one. A plain 403 is a refusal.
 * https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#handle-rate-limit-errors-appropriately
 */
export function rateLimitWait_ms(
  response: { readonly status: number; readonly headers: Headers },
  message: string,
  now: Date,
): number | undefined {
  const { status, headers } = response;
  if (status !== 429 && status !== 403) return undefined;
  const after = secondsOf(headers.get('retry-after'));
  if (after !== undefined) return after * 1000;
  if (headers.get('x-ratelimit-remaining') === '0') {
    const reset = secondsOf(headers.get('x-ratelimit-reset'));
    // A second more: the two clocks differ, and GitHub counts in whole seconds.
    return reset === undefined ? SECONDARY_WAIT_MS : Math.max(0, reset * 1000 - now.getTime()) + 1000;
  }
  return status === 429 || /secondary rate limit/iu.test(message) ? SECONDARY_WAIT_MS : undefined;
}

function secondsOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,12}$/u.test(text.trim()) ? Number(text) : undefined;
}

/** Doubles with every try; jitter keeps jobs that failed together from coming back together. */
export function backoff_ms(tries: number, random: () => number): number {
  return FIRST_BACKOFF_MS * 2 ** (tries - 1) * (0.5 + random() / 2);
}
