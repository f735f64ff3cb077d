interface Choice {
  readonly name: string;
  readonly q: number;
}

function choices(header: string): Choice[] {
  return header.split(',', 50).map((part) => {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const q = parameters.find((one) => one.startsWith('q='))?.slice(2);
    const value = q === undefined ? 1 : Number(q);
    return { name, q: Number.isFinite(value) ? value : 0 };
  });
}

/** Whether `Accept` lets a media type pass: the closest pattern decides. */
export function accepts(header: string | undefined, type: string): boolean {
  if (header === undefined || header.trim() === '') return true;
  const all = choices(header);
  const [group] = type.split('/', 1);
  for (const pattern of [type, `${group}/*`, '*/*']) {
    const found = all.find(({ name }) => name === pattern);
    if (found !== undefined) return found.q > 0;
  }
  return false;
}

/** The encoding to answer in; `undefined` is as it is. */
export function encodingFor(header: string | undefined): 'br' | 'gzip' | undefined {
  const all = choices(header ?? '');
  const q = (name: string): number => all.find((one) => one.name === name)?.q ?? 0;
  const [br, gzip] = [q('br'), q('gzip')];
  if (br > 0 && br >= gzip) return 'br';
  return gzip > 0 ? 'gzip' : undefined;
}
