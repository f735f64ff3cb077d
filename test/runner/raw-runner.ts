import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';

import { answerSchema, resultSchemas, type Answer, type ResultOf } from '../../src/model/measure/protocol.ts';
import { untilIdle } from '../contract/until-idle.ts';

const LINE = /^\{"mac":"([0-9a-f]{64})","body":(.*)\}$/;

export class RefusedRequest extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** Speaks to a runner line by line, so that tests can also say what Pawl never would. */
export class RawRunner {
  readonly key = randomBytes(32);
  readonly child: ChildProcess;
  readonly ended: Promise<number | string>;
  /** Lines that were not signed with the key. */
  readonly unsigned: string[] = [];
  printed = '';
  readonly #answers: Answer[] = [];
  #wake: () => void = () => undefined;
  #rest = '';
  #id = 0;

  constructor(executable: string) {
    this.child = spawn(executable, [], { stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.printed += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.printed += chunk.toString()));
    this.#requests.on('error', () => undefined);
    this.#results.on('data', (chunk: Buffer) => this.#receive(chunk.toString()));
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code, signal) => {
        resolve(code ?? signal ?? 'unknown');
        this.#wake();
      });
    });
  }

  get #requests(): Writable {
    return this.child.stdio[3] as Writable;
  }

  get #results(): Readable {
    return this.child.stdio[4] as Readable;
  }

  #receive(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, mac, body] = LINE.exec(line) ?? [];
      const signed = body !== undefined && mac === createHmac('sha256', this.key).update(body).digest('hex');
      if (signed) this.#answers.push(answerSchema.parse(JSON.parse(body)));
      else this.unsigned.push(line);
    }
    this.#wake();
  }

  /** The next signed answer, whatever it answers. Rejects when the process ends first. */
  async nextAnswer(): Promise<Answer> {
    let running = true;
    void this.ended.then(() => (running = false));
    while (this.#answers.length === 0) {
      if (!running) throw new Error(`the runner ended: ${this.printed}`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.#answers.shift() as Answer;
  }

  /** Sends one line as it is. */
  say(line: string): void {
    this.#requests.write(`${line}\n`);
  }

  ask(request: Readonly<Record<string, unknown>>): Promise<Answer> {
    this.say(JSON.stringify({ id: ++this.#id, ...request }));
    return this.nextAnswer();
  }

  /** Asks, and reads the result with the schema that Pawl itself uses. A machine too busy to measure is asked again. */
  async result<Op extends keyof typeof resultSchemas>(
    op: Op,
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<ResultOf<Op>> {
    const answer = await untilIdle(() => this.ask({ op, ...fields }));
    if (!answer.ok) throw new RefusedRequest(answer.error.code, answer.error.message);
    return resultSchemas[op].parse(answer.result) as ResultOf<Op>;
  }

  open(library: string, fields: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    return this.ask({
      op: 'open',
      protocol: 2,
      key: this.key.toString('hex'),
      device: 'cpu',
      device_index: 0,
      threads: 1,
      kernel: { library },
      ...fields,
    });
  }

  /** Lets go of the runner as an orchestrator does that was killed. */
  hangUp(): void {
    this.#requests.destroy();
    this.#results.destroy();
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }
}
