import { parseAccept } from 'hono/utils/accept';

/** Whether `Accept` lets a media type pass: the closest pattern decides. */
export function accepts(header: string | undefined, type: string): boolean {
  if (header === undefined || header.trim() === '') return true;
  const all = parseAccept(header.toLowerCase());
  const [group] = type.split('/', 1);
  for (const pattern of [type, `${group}/*`, '*/*']) {
    const found = all.find((one) => one.type === pattern);
    if (found !== undefined) return found.q > 0;
  }
  return false;
}

/** The encoding to answer in; `undefined` is as it is. */
export function encodingFor(header: string | undefined): 'br' | 'gzip' | undefined {
  const all = parseAccept((header ?? '').toLowerCase());
  const q = (name: string): number => all.find((one) => one.type === name)?.q ?? 0;
  const [br, gzip] = [q('br'), q('gzip')];
  if (br > 0 && br >= gzip) return 'br';
  return gzip > 0 ? 'gzip' : undefined;
}
