// Apart from the schemas: every command shows it, and few need those.
import type { DeviceWait, LockHolder } from './lock-holder.ts';

/** Who it is, for people: what follows `in use by`. */
export function holderText(holder: LockHolder | undefined): string {
  if (holder === undefined) return 'another process';
  return `process ${holder.pid} (${holder.purpose}) since ${holder.since}`;
}

export function waitText({ device, holder }: DeviceWait): string {
  return `waiting for the device ${device}, which is in use by ${holderText(holder)}`;
}
