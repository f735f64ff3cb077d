import { bodyLimit } from 'hono/body-limit';

import type { HttpContext } from './http-app.ts';
import { HttpProblem } from './http-problem.ts';

/**
 * The bytes of a request. Nothing beyond the limit is kept.
 *
 * @throws {HttpProblem} where it is too large, with these words, or was cut off
 */
export async function bodyOf(c: HttpContext, maxSize: number, tooLarge: string): Promise<Buffer> {
  const onError = (): never => {
    throw new HttpProblem(413, tooLarge);
  };
  try {
    await bodyLimit({ maxSize, onError })(c, () => Promise.resolve());
    return Buffer.from(await c.req.arrayBuffer());
  } catch (error) {
    if (error instanceof HttpProblem) throw error;
    throw new HttpProblem(400, 'The body was cut off.');
  }
}
