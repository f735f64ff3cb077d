import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

import {
  answerSchema,
  resultSchemas,
  type Answer,
  type Request,
  type ResultOf,
} from '../../src/model/measure/protocol.ts';
import { untilIdle } from './until-idle.ts';

export interface RunnerCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** How the judge starts a process for Python. */
  readonly candidate?: { readonly command: readonly string[] };
}

export interface RunnerEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const LINE = /^\{"mac":"([0-9a-f]{64})","body":(.*)\}$/s;

/** A client of the protocol that shares no code with `src/measure`: evidence of its own that a runner speaks it. */
export class RawClient {
  readonly key = randomBytes(32);
  readonly candidate: RunnerCommand['candidate'];
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly ended: Promise<RunnerEnd>;
  #printed = '';
  #seq = 0;
  #id = 0;

  constructor(runner: RunnerCommand) {
    this.candidate = runner.candidate;
    this.#child = spawn(runner.command, runner.args, { stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.#printed += chunk.toString('utf8')));
    }
    this.#requests.on('error', () => undefined);
    this.#lines = createInterface({ input: this.#child.stdio[4] as Readable })[Symbol.asyncIterator]();
    this.ended = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', (code, signal) => resolve({ code, signal }));
    });
  }

  /** What the process printed so far. */
  get printed(): string {
    return this.#printed;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(line: string): void {
    this.#requests.write(`${line}\n`);
  }

  endRequests(): void {
    this.#requests.end();
  }

  /** The next answer, after its form, signature and number were verified; undefined at the end of the channel. */
  async receive(): Promise<Answer | undefined> {
    const { value, done } = await this.#lines.next();
    if (done === true) return undefined;
    const [, mac, body] = LINE.exec(value) ?? [];
    if (mac === undefined || body === undefined) throw new Error(`not an answer: ${value}`);
    if (createHmac('sha256', this.key).update(body).digest('hex') !== mac)
      throw new Error(`forged: ${value}`);
    const answer = answerSchema.parse(JSON.parse(body));
    if (answer.seq !== ++this.#seq) throw new Error(`answer ${answer.seq} where ${this.#seq} was due`);
    return answer;
  }

  /** Sends one request, sound or not, and returns its answer. */
  async ask(request: object): Promise<Answer> {
    const id = ++this.#id;
    this.send(JSON.stringify({ id, ...request }));
    const answer = await this.receive();
    if (answer === undefined) {
      const end = await this.ended;
      throw new Error(
        `the runner ended (${JSON.stringify(end)}) without an answer and printed: ${this.#printed}`,
      );
    }
    if (answer.id !== id) throw new Error(`an answer to ${answer.id} where ${id} was asked`);
    return answer;
  }

  /** Asks, again while the machine is busy, and expects success; the result is as `src/model/measure/protocol.ts` says. */
  async result<Op extends Request['op']>(request: {
    readonly op: Op;
    readonly [field: string]: unknown;
  }): Promise<ResultOf<Op>> {
    const answer = await untilIdle(() => this.ask(request));
    if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
    return resultSchemas[request.op].parse(answer.result) as ResultOf<Op>;
  }

  /** Asks and expects failure. */
  async failure(request: object): Promise<{ code: string; message: string }> {
    const answer = await this.ask(request);
    if (answer.ok) throw new Error(`no failure: ${JSON.stringify(answer.result)}`);
    return answer.error;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  get #requests(): Writable {
    return this.#child.stdio[3] as Writable;
  }
}
