/**
 * Numbers, exactly, in few bytes. Timings are decimal: a clock has a resolution, and 0.053216 ms is 53,216 of its
 * nanoseconds. So numbers become integers by the smallest decimal scale that gives each of them back, or by their
 * single-precision bits where they are such, and what is left of each after a prediction takes one or two bytes
 * instead of eight. What is neither stays as it is.
 */
const DELTA = 0;
const CENTRE = 1;
/** Up to here a scale; these two are not scales. */
const LARGEST_SCALE = 17;
const SINGLE = 30;
const DOUBLE = 31;

export class ByteWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** A whole number from 0 to 2⁵³, seven bits a byte, lowest first. */
  varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  bytes(values: Uint8Array): void {
    this.#reserve(values.length);
    this.#bytes.set(values, this.#length);
    this.#length += values.length;
  }

  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + count));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Reads what `ByteWriter` wrote; throws a RangeError where the bytes end too early. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  byte(): number {
    if (this.#at >= this.#bytes.length) throw new RangeError('the bytes end too early');
    return this.#bytes[this.#at++]!;
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; factor <= 2 ** 49; factor *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw new RangeError('a number is longer than any that is written');
  }

  bytes(count: number): Uint8Array {
    if (this.#at + count > this.#bytes.length) throw new RangeError('the bytes end too early');
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }
}

export function writeNumbers(writer: ByteWriter, values: ArrayLike<number>): void {
  writer.varint(values.length);
  if (values.length === 0) return;
  const scale = decimalScale(values);
  if (scale !== undefined) {
    const factor = 10 ** scale;
    writeIntegers(
      writer,
      scale,
      Float64Array.from(values, (value) => Math.round(value * factor)),
    );
    return;
  }
  if (isSingle(values)) {
    const bits = new Uint32Array(Float32Array.from(values).buffer);
    writeIntegers(writer, SINGLE, Float64Array.from(bits));
    return;
  }
  writer.byte(DOUBLE);
  const doubles = new DataView(new ArrayBuffer(8 * values.length));
  for (let i = 0; i < values.length; i++) doubles.setFloat64(8 * i, values[i]!, true);
  writer.bytes(new Uint8Array(doubles.buffer));
}

export function readNumbers(reader: ByteReader): number[] {
  const count = reader.varint();
  if (count === 0) return [];
  const head = reader.byte();
  const form = head & 0x1f;
  if (form === DOUBLE) {
    const bytes = reader.bytes(8 * count);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    return Array.from({ length: count }, (_, i) => view.getFloat64(8 * i, true));
  }
  const integers = readIntegers(reader, count, head >> 5);
  if (form === SINGLE) return Array.from(new Float32Array(Uint32Array.from(integers).buffer));
  const factor = 10 ** form;
  return integers.map((integer) => integer / factor);
}

/** Dividing by a power of ten that a double holds exactly rounds right, so the test below is the reader's result. */
function decimalScale(values: ArrayLike<number>): number | undefined {
  let scale = 0;
  let factor = 1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Object.is(value, -0)) return undefined;
    while (!(Math.abs(value * factor) < 2 ** 51 && Math.round(value * factor) / factor === value)) {
      if (++scale > LARGEST_SCALE || Math.abs(value * factor) >= 2 ** 51) return undefined;
      factor = 10 ** scale;
    }
  }
  // A later value may have raised the scale beyond what an earlier one's integer can hold.
  for (let i = 0; i < values.length; i++) {
    const integer = values[i]! * factor;
    if (!(Math.abs(integer) < 2 ** 51 && Math.round(integer) / factor === values[i])) return undefined;
  }
  return scale;
}

function isSingle(values: ArrayLike<number>): boolean {
  for (let i = 0; i < values.length; i++) {
    if (Math.fround(values[i]!) !== values[i] || Object.is(values[i], -0) || values[i]! < 0) return false;
  }
  return true;
}

/** Samples of a steady kernel lie around their centre; ramps and clocks lie near the one before. */
function writeIntegers(writer: ByteWriter, form: number, integers: Float64Array): void {
  const centre = integers.toSorted()[integers.length >> 1]!;
  let deltaBytes = 0;
  let centreBytes = 0;
  for (let i = 0; i < integers.length; i++) {
    deltaBytes += varintLength(zigzag(i === 0 ? integers[0]! : integers[i]! - integers[i - 1]!));
    centreBytes += varintLength(zigzag(integers[i]! - centre));
  }
  if (deltaBytes <= centreBytes) {
    writer.byte(form | (DELTA << 5));
    let before = 0;
    for (const integer of integers) {
      writer.varint(zigzag(integer - before));
      before = integer;
    }
  } else {
    writer.byte(form | (CENTRE << 5));
    writer.varint(zigzag(centre));
    for (const integer of integers) writer.varint(zigzag(integer - centre));
  }
}

function readIntegers(reader: ByteReader, count: number, prediction: number): number[] {
  const integers: number[] = [];
  if (prediction === DELTA) {
    let before = 0;
    for (let i = 0; i < count; i++) {
      before += unzigzag(reader.varint());
      integers.push(before);
    }
    return integers;
  }
  const centre = unzigzag(reader.varint());
  for (let i = 0; i < count; i++) integers.push(centre + unzigzag(reader.varint()));
  return integers;
}

/** Small numbers of either sign become small numbers without one. */
function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function unzigzag(value: number): number {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++;
  return length;
}
