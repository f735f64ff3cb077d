/** Operators that functors and expression templates use, of the Itanium C++ ABI, 5.1.4. */
const OPERATORS: Readonly<Record<string, string>> = {
  cl: 'operator()',
  ix: 'operator[]',
  pl: 'operator+',
  mi: 'operator-',
  ml: 'operator*',
  dv: 'operator/',
  pL: 'operator+=',
  aS: 'operator=',
};

/**
 * The name of a function as people write it, from the linker's: `_ZN4tile4foldI…` → `tile::fold`. Types of arguments
 * and templates are left out: the line says which one is meant.
 */
export function functionText(mangled: string): string {
  const body = /^_ZN?[rVK]*(.*)$/u.exec(mangled)?.[1];
  if (body === undefined) return mangled;
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const length = /^\d+/u.exec(body.slice(at))?.[0];
    if (length !== undefined) {
      const from = at + length.length;
      const name = body.slice(from, from + Number(length));
      parts.push(name.startsWith('_GLOBAL__N_') ? '(anonymous namespace)' : name);
      at = from + Number(length);
      if (!mangled.startsWith('_ZN')) break;
      continue;
    }
    const operator = OPERATORS[body.slice(at, at + 2)];
    if (operator !== undefined && parts.length > 0) parts.push(operator);
    // Arguments of a template stand before the rest of the name.
    const rest = body[at] === 'I' ? skipTemplate(body, at) : undefined;
    if (rest === undefined) break;
    at = rest;
  }
  return parts.length === 0 ? mangled : parts.join('::');
}

/** The place after the arguments that begin here; undefined where they are not understood. */
function skipTemplate(body: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < body.length;) {
    const length = /^\d+/u.exec(body.slice(at))?.[0];
    const isLiteral =
      body[at - 1] === 'i' || body[at - 1] === 'b' || body[at - 1] === 'm' || body[at - 1] === 'j';
    if (length !== undefined) {
      at += length.length + (isLiteral ? 0 : Number(length));
      continue;
    }
    if ('INLXJF'.includes(body[at] ?? '')) depth += 1;
    else if (body[at] === 'E') depth -= 1;
    at += 1;
    if (depth === 0) return at;
  }
  return undefined;
}
