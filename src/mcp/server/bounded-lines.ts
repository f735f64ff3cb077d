import { Transform, type TransformCallback } from 'node:stream';

/** What is wrong with a line that is not passed on. */
export type LineFault = 'too-long' | 'not-json';

const NEWLINE = 10;

/**
 * Passes lines of JSON on and nothing else. A line that is too long or no JSON costs itself: the connection goes on,
 * and no more than the limit is ever held.
 */
export class BoundedLines extends Transform {
  readonly #limit_bytes: number;
  readonly #onFault: (fault: LineFault) => void;
  #parts: Buffer[] = [];
  #bytes = 0;
  #isTooLong = false;

  constructor(limit_bytes: number, onFault: (fault: LineFault) => void) {
    super();
    this.#limit_bytes = limit_bytes;
    this.#onFault = onFault;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#take(chunk.subarray(from, at));
      this.#endLine();
      from = at + 1;
    }
    this.#take(chunk.subarray(from));
    done();
  }

  #take(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#limit_bytes) {
      this.#isTooLong = true;
      this.#parts = [];
    } else if (part.length > 0) this.#parts.push(part);
  }

  #endLine(): void {
    const line = Buffer.concat(this.#parts);
    const isTooLong = this.#isTooLong;
    this.#parts = [];
    this.#bytes = 0;
    this.#isTooLong = false;
    if (isTooLong) this.#onFault('too-long');
    else if (line.length === 0 || isBlank(line)) return;
    else if (isJson(line)) this.push(Buffer.concat([line, Buffer.from('\n')]));
    else this.#onFault('not-json');
  }
}

function isBlank(line: Buffer): boolean {
  return line.toString('latin1').trim() === '';
}

function isJson(line: Buffer): boolean {
  try {
    JSON.parse(line.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}
