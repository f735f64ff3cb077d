import { HttpProblem } from '../http/http-problem.ts';
import type { Route } from './route.ts';

interface Pattern {
  readonly route: Route;
  readonly pieces: readonly string[];
}

export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds a route by its method and address. Addresses are taken as they are: nothing in them is resolved. */
export class RouteTable {
  readonly #patterns: readonly Pattern[];

  constructor(routes: readonly Route[]) {
    this.#patterns = routes.map((route) => ({ route, pieces: route.path.split('/') }));
  }

  /** @returns undefined where no route has this path, the allowed methods where none of them has this method */
  match(method: string, path: string): Match | { readonly allow: readonly string[] } | undefined {
    const pieces = path.split('/');
    const found = this.#patterns.filter((pattern) => fits(pattern, pieces));
    if (found.length === 0) return undefined;
    // HEAD is GET without the body.
    const wanted = method === 'HEAD' ? 'GET' : method;
    const exact = found.find(({ route }) => route.method === wanted);
    if (exact !== undefined) return { route: exact.route, params: paramsOf(exact, pieces) };
    const methods = found.flatMap(({ route }) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]));
    return { allow: [...methods, 'OPTIONS'] };
  }
}

function isParameter(piece: string): boolean {
  return piece.startsWith('{');
}

function fits({ pieces }: Pattern, asked: readonly string[]): boolean {
  return (
    pieces.length === asked.length &&
    pieces.every((piece, index) => (isParameter(piece) ? asked[index] !== '' : piece === asked[index]))
  );
}

function paramsOf({ pieces }: Pattern, asked: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pieces.flatMap((piece, index) =>
      isParameter(piece) ? [[piece.slice(1, -1), decoded(asked[index]!)] as const] : [],
    ),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new HttpProblem(400, 'The address is not encoded in UTF-8.');
  }
}
