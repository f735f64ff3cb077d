/** The same error with the file that it is about: Node knows an open file only by its number. */
export function named(error: unknown, path: string): unknown {
  if (error instanceof Error && 'code' in error && !('path' in error)) return Object.assign(error, { path });
  return error;
}
