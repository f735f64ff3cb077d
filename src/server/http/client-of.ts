import { isLoopbackName } from './allowed-hosts.ts';

/**
 * Who a limit counts for. Where a proxy on this machine shows the server, it is whom the proxy names last: what stands
 * before that, anybody can write.
 */
export function clientOf(
  address: string | undefined,
  forwardedFor: string | undefined,
  isBehindProxy: boolean,
): string {
  const peer = subscriberOf(address ?? 'unknown');
  if (!isBehindProxy || forwardedFor === undefined || !isLoopbackName(peer)) return peer;
  const last = forwardedFor.split(',').at(-1)?.trim() ?? '';
  return /^[0-9a-f.:]{2,45}$/i.test(last) ? subscriberOf(last) : peer;
}

/** An IPv4 address; or the 64 bits of an IPv6 address that one subscriber has all of. */
export function subscriberOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':') || address === '::1') return address;
  const [head = '', tail] = address.split('%', 1)[0]!.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0');
  return [...front, ...zeros, ...back].slice(0, 4).join(':');
}
