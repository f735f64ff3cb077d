/** Lets those who wait go on at the next change. Ask for the promise before looking at what may have changed. */
export class Turnstile {
  #open: () => void = () => undefined;
  #next = this.#arm();

  next(): Promise<void> {
    return this.#next;
  }

  open(): void {
    const open = this.#open;
    this.#next = this.#arm();
    open();
  }

  #arm(): Promise<void> {
    return new Promise((resolve) => {
      this.#open = resolve;
    });
  }
}
