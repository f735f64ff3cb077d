import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const FORM = /^sha256=([0-9a-f]{64})$/;

/** Whether `X-Hub-Signature-256` was made of exactly these bytes with the secret; takes as long for any wrong one. */
export function isSigned(body: Uint8Array, header: string | undefined, secret: string): boolean {
  const told = FORM.exec(header ?? '')?.[1];
  if (told === undefined) return false;
  return timingSafeEqual(Buffer.from(told, 'hex'), createHmac('sha256', secret).update(body).digest());
}

/** `Authorization: Bearer …`; by hashes, since texts of different lengths cannot be compared in constant time. */
export function isBearer(header: string | undefined, token: string): boolean {
  const told = /^Bearer ([\x20-\x7e]{1,1000})$/i.exec(header ?? '')?.[1];
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return told !== undefined && timingSafeEqual(digest(told), digest(token));
}
