import { createHmac, timingSafeEqual } from 'node:crypto';

import { answerSchema, type Answer } from '../model/measure/protocol.ts';
import { RunnerFailure } from './runner-failure.ts';

const PREFIX = '{"mac":"';
const MAC_DIGITS = 64;
const BODY_KEY = '","body":';
const BODY_START = PREFIX.length + MAC_DIGITS + BODY_KEY.length;

/** More than any answer needs: a million samples with clocks and throttle masks take 30 MB. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Turns the bytes of the result channel into answers, and refuses whatever the runner did not write. */
export class AnswerReader {
  readonly #key: Buffer;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #seq = 0;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** The answers that end in this piece of the channel. Throws `forged` on the first line that is none. */
  push(chunk: Buffer): Answer[] {
    const answers: Answer[] = [];
    let rest = chunk;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      this.#pending.push(rest.subarray(0, end));
      answers.push(this.#verify(Buffer.concat(this.#pending)));
      this.#pending = [];
      this.#pendingBytes = 0;
      rest = rest.subarray(end + 1);
    }
    this.#pending.push(rest);
    this.#pendingBytes += rest.length;
    if (this.#pendingBytes > MAX_LINE_BYTES) throw forged('an endless line');
    return answers;
  }

  #verify(line: Buffer): Answer {
    const head = line.toString('latin1', 0, BODY_START);
    if (!head.startsWith(PREFIX) || !head.endsWith(BODY_KEY) || line.at(-1) !== 0x7d) {
      throw forged(JSON.stringify(line.toString('utf8', 0, 80)));
    }
    const body = line.subarray(BODY_START, -1);
    const claimed = Buffer.from(head.slice(PREFIX.length, PREFIX.length + MAC_DIGITS), 'hex');
    const actual = createHmac('sha256', this.#key).update(body).digest();
    if (claimed.length !== actual.length || !timingSafeEqual(claimed, actual)) {
      throw forged('an answer with a wrong signature');
    }
    const answer = answerSchema.parse(JSON.parse(body.toString('utf8')));
    this.#seq += 1;
    if (answer.seq !== this.#seq) throw forged(`answer ${answer.seq} where ${this.#seq} was due`);
    return answer;
  }
}

function forged(what: string): RunnerFailure {
  return new RunnerFailure('forged', `kernel code wrote to the result channel: ${what}`);
}
