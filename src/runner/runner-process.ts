import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import { candidateEnvironment } from '../device/candidate-environment.ts';
import {
  PROTOCOL_VERSION,
  resultSchemas,
  type Answer,
  type OpenResult,
  type Request,
  type ResultOf,
} from '../model/protocol.ts';
import { AnswerReader } from './answer-reader.ts';
import { OutputTail } from './output-tail.ts';
import { PosedAnswers } from './posed-answers.ts';
import { RunnerFailure } from './runner-failure.ts';

/** How a runner is started. */
export interface RunnerCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** On top of what candidates see of our environment (candidate-environment.ts). */
  readonly env?: Readonly<Record<string, string>>;
  /** Names of variables that the project lets its kernels see as well. */
  readonly environment?: readonly string[];
  readonly cwd?: string;
}

export type OpenOptions = Omit<Extract<Request, { op: 'open' }>, 'op' | 'protocol' | 'key'>;

interface Waiting {
  readonly op: Request['op'];
  readonly resolve: (result: unknown) => void;
  readonly reject: (failure: RunnerFailure) => void;
  readonly timer: NodeJS.Timeout;
}

/** How long a runner may take to end after `quit` before it is killed. */
const QUIT_GRACE_MS = 2000;

/** One runner process, from start to end. It has its own process group, and the whole group is killed. */
export class RunnerProcess {
  readonly #child: ChildProcess;
  readonly #key = randomBytes(32);
  readonly #reader = new AnswerReader(this.#key);
  readonly #output = new OutputTail();
  /** Of descriptors 1 and 2. */
  readonly #posed = [new PosedAnswers(), new PosedAnswers()] as const;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: Promise<void>;
  #failure: RunnerFailure | undefined;
  #lastId = 0;

  constructor(runner: RunnerCommand) {
    this.#child = spawn(runner.command, runner.args, {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      detached: true,
      cwd: runner.cwd,
      // nvidia-smi numbers devices by bus; CUDA must count them the same way.
      env: {
        ...candidateEnvironment(process.env, runner.environment),
        CUDA_DEVICE_ORDER: 'PCI_BUS_ID',
        ...runner.env,
      },
    });
    for (const [index, stream] of [this.#child.stdout, this.#child.stderr].entries()) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output.push(chunk);
        this.#posed[index]?.push(chunk);
      });
    }
    // A runner that died breaks the pipe; its end is reported by 'close'.
    this.#requests.on('error', () => undefined);
    this.#results.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#ended = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        this.#fail(new RunnerFailure('not-started', `the runner could not be started: ${error.message}`));
        resolve();
      });
      this.#child.once('close', (code, signal) => {
        this.#fail(endOf(code, signal));
        resolve();
      });
    });
  }

  /** What the kernel printed last. */
  get output(): string {
    return this.#output.text;
  }

  /** The process as the system knows it. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /**
   * The beginning of a printed line that poses as an answer, or undefined. What was printed before an answer lies
   * in its pipe when the answer arrives; two turns of the event loop read it.
   */
  async posedAnswer(): Promise<string | undefined> {
    await setImmediate();
    await setImmediate();
    return this.#posed[0].found ?? this.#posed[1].found;
  }

  /** False once the process ended or was given up. */
  get usable(): boolean {
    return this.#failure === undefined;
  }

  open(options: OpenOptions, timeout_ms: number): Promise<OpenResult> {
    return this.request(
      { op: 'open', protocol: PROTOCOL_VERSION, key: this.#key.toString('hex'), ...options },
      timeout_ms,
    );
  }

  /** Asks once. Rejects with a `RunnerFailure`, and kills the process when it can no longer be trusted. */
  request<Asked extends Request>(request: Asked, timeout_ms: number): Promise<ResultOf<Asked['op']>> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const id = ++this.#lastId;
    const answered = new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#fail(new RunnerFailure('hung', `no answer to «${request.op}» within ${timeout_ms / 1000} s`));
      }, timeout_ms);
      this.#waiting.set(id, { op: request.op, resolve, reject, timer });
    });
    this.#requests.write(`${JSON.stringify({ id, ...request })}\n`);
    return answered as Promise<ResultOf<Asked['op']>>;
  }

  /**
   * Ends the process in good order where it is willing, and by force where it is not. A profiler around it may
   * need longer than the runner: it writes its results when the runner has ended.
   */
  async close(grace_ms: number = QUIT_GRACE_MS): Promise<void> {
    if (this.usable) {
      await this.request({ op: 'quit' }, grace_ms).catch(() => undefined);
      this.#requests.end();
      const forced = setTimeout(() => this.kill(), grace_ms);
      await this.#ended;
      clearTimeout(forced);
    }
    this.kill();
    await this.#ended;
  }

  /** Kills the whole process group, now. */
  kill(): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  get #requests(): Writable {
    return this.#child.stdio[3] as Writable;
  }

  get #results(): Readable {
    return this.#child.stdio[4] as Readable;
  }

  #receive(chunk: Buffer): void {
    if (this.#failure !== undefined) return;
    try {
      for (const answer of this.#reader.push(chunk)) this.#settle(answer);
    } catch (error) {
      if (error instanceof RunnerFailure) this.#fail(error);
      else
        this.#fail(new RunnerFailure('internal', `an answer of the runner makes no sense: ${String(error)}`));
    }
  }

  #settle(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    if (waiting === undefined)
      throw new RunnerFailure('forged', `an answer to request ${answer.id}, never asked`);
    this.#waiting.delete(answer.id);
    clearTimeout(waiting.timer);
    if (answer.ok) {
      const result = resultSchemas[waiting.op].safeParse(answer.result);
      if (result.success) waiting.resolve(result.data);
      else
        this.#reject(waiting, new RunnerFailure('internal', `the answer to «${waiting.op}» makes no sense`));
    } else {
      this.#reject(waiting, new RunnerFailure(answer.error.code, answer.error.message));
    }
  }

  #reject(waiting: Waiting, failure: RunnerFailure): void {
    waiting.reject(failure);
    if (failure.fatal) this.#fail(failure);
  }

  #fail(failure: RunnerFailure): void {
    this.#failure ??= failure;
    for (const waiting of this.#waiting.values()) {
      clearTimeout(waiting.timer);
      waiting.reject(failure);
    }
    this.#waiting.clear();
    this.kill();
  }
}

function endOf(code: number | null, signal: NodeJS.Signals | null): RunnerFailure {
  if (signal !== null) return new RunnerFailure('crashed', `the runner was ended by ${signal}`);
  return new RunnerFailure('exited', `the runner ended by itself with code ${code ?? 'unknown'}`);
}
