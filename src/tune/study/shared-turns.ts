/**
 * Two kinds of work on the same processors: several of the one kind may run side by side, one of the other runs
 * alone. Who comes first is let in first, so neither kind waits for ever.
 */
export class SharedTurns {
  #shared = 0;
  #alone = false;
  readonly #waiting: { readonly kind: 'shared' | 'alone'; readonly enter: () => void }[] = [];

  shared<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#run('shared', work);
  }

  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#run('alone', work);
  }

  async #run<Result>(kind: 'shared' | 'alone', work: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((enter) => {
      this.#waiting.push({ kind, enter });
      this.#admit();
    });
    try {
      return await work();
    } finally {
      if (kind === 'alone') this.#alone = false;
      else this.#shared -= 1;
      this.#admit();
    }
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#alone || (next.kind === 'alone' && this.#shared > 0)) return;
      this.#waiting.shift();
      if (next.kind === 'alone') this.#alone = true;
      else this.#shared += 1;
      next.enter();
    }
  }
}
