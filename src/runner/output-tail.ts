/** Enough to show what a kernel said last; a kernel that prints without end costs no more memory than this. */
const KEPT_BYTES = 16 * 1024;

/** The last part of what a process printed. */
export class OutputTail {
  #kept = Buffer.alloc(0);
  #dropped = false;

  push(chunk: Buffer): void {
    const all = Buffer.concat([this.#kept, chunk.subarray(-KEPT_BYTES)]);
    this.#dropped ||= chunk.length > KEPT_BYTES || all.length > KEPT_BYTES;
    this.#kept = all.subarray(-KEPT_BYTES);
  }

  get text(): string {
    return (this.#dropped ? '… ' : '') + this.#kept.toString('utf8');
  }
}
