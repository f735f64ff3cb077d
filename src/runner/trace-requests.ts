import { appendFileSync } from 'node:fs';

/**
 * Writes what every request to a judge took to the file that $PAWL_TRACE names, one line each:
 * `started_ms op took_ms (phase ms, …)`. For those who make Pawl faster.
 */
export async function traced<Result>(op: string, ask: () => Promise<Result>): Promise<Result> {
  const path = process.env['PAWL_TRACE'];
  if (path === undefined || path === '') return ask();
  const started = performance.now();
  let result: Result | undefined;
  try {
    result = await ask();
    return result;
  } finally {
    const took_ms = performance.now() - started;
    appendFileSync(path, `${started.toFixed(0)} ${op} ${took_ms.toFixed(0)}${insideOf(result)}\n`);
  }
}

/** What the judge itself says of where a request's time went. */
export function insideOf(result: unknown): string {
  const { phases_ms = {} } = (result ?? {}) as { readonly phases_ms?: Readonly<Record<string, number>> };
  const words = Object.entries(phases_ms).map(([phase, ms]) => `${phase} ${ms.toFixed(0)}`);
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}
