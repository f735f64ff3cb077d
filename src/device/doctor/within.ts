/** The promise's value, or `late` when it takes longer. */
export async function within<T>(promise: Promise<T>, limit_ms: number, late: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const lateness = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), limit_ms);
  });
  try {
    return await Promise.race([promise, lateness]);
  } finally {
    clearTimeout(timer);
  }
}
