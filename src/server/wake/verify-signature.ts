import { createHmac, timingSafeEqual } from 'node:crypto';

const FORM = /^sha256=([0-9a-f]{64})$/;

/** Whether `X-Hub-Signature-256` was made of exactly these bytes with the secret; takes as long for any wrong one. */
export function isSigned(body: Uint8Array, header: string | undefined, secret: string): boolean {
  const told = FORM.exec(header ?? '')?.[1];
  if (told === undefined) return false;
  return timingSafeEqual(Buffer.from(told, 'hex'), createHmac('sha256', secret).update(body).digest());
}
