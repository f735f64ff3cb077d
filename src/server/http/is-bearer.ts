import { createHash, timingSafeEqual } from 'node:crypto';

/** By hashes, since texts of different lengths cannot be compared in constant time. */
export function isSameSecret(told: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(told), digest(secret));
}

/** Whether `Authorization: Bearer …` carries this token; takes as long for any wrong one. */
export function isBearer(header: string | undefined, token: string): boolean {
  const told = bearerOf(header);
  return told !== undefined && isSameSecret(told, token);
}

/** What `Authorization: Bearer …` carries. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer ([\x20-\x7e]{1,1000})$/i.exec(header ?? '')?.[1];
}
