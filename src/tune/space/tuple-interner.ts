/** Numbers tuples of integers in the order in which they are first seen: an open-addressing table over one flat array. */
export class TupleInterner {
  /** Filled in by the caller before `intern`. */
  readonly tuple: Int32Array;
  #tuples: Int32Array;
  /** Numbers of tuples, one more each; 0 is free. */
  #slots = new Int32Array(1024);
  #size = 0;

  constructor(length: number) {
    this.tuple = new Int32Array(length);
    this.#tuples = new Int32Array(Math.max(1, length) * 256);
  }

  get size(): number {
    return this.#size;
  }

  intern(): number {
    const mask = this.#slots.length - 1;
    let slot = this.#hash(this.tuple, 0) & mask;
    for (;;) {
      const id = this.#slots[slot]! - 1;
      if (id === -1) break;
      if (this.#isTuple(id)) return id;
      slot = (slot + 1) & mask;
    }
    this.#slots[slot] = this.#size + 1;
    this.#append();
    if (this.#size * 2 > this.#slots.length) this.#grow();
    return this.#size - 1;
  }

  /** All of them, one after the other. */
  tuples(): Int32Array {
    return this.#tuples.subarray(0, this.#size * this.tuple.length);
  }

  /** The position in which they differ most. */
  widestPosition(): number {
    const seen = Array.from(this.tuple, () => new Set<number>());
    for (const [index, value] of this.tuples().entries()) seen[index % this.tuple.length]!.add(value);
    const sizes = seen.map(({ size }) => size);
    return sizes.indexOf(Math.max(...sizes));
  }

  #isTuple(id: number): boolean {
    const start = id * this.tuple.length;
    for (let position = 0; position < this.tuple.length; position++) {
      if (this.#tuples[start + position] !== this.tuple[position]) return false;
    }
    return true;
  }

  #append(): void {
    const { length } = this.tuple;
    const end = (this.#size + 1) * length;
    if (end > this.#tuples.length) {
      const grown = new Int32Array(this.#tuples.length * 2);
      grown.set(this.#tuples);
      this.#tuples = grown;
    }
    this.#tuples.set(this.tuple, end - length);
    this.#size++;
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let id = 0; id < this.#size; id++) {
      let slot = this.#hash(this.#tuples, id * this.tuple.length) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = id + 1;
    }
  }

  /** Multiply and mix, with the finaliser of MurmurHash3 (Appleby, public domain). */
  #hash(values: Int32Array, start: number): number {
    let hash = 0;
    for (let position = 0; position < this.tuple.length; position++) {
      hash = Math.imul(hash ^ values[start + position]!, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return hash ^ (hash >>> 16);
  }
}
