import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import type { z } from 'zod';

import { candidateEnvironment } from '../device/candidate-environment.ts';
import {
  PROTOCOL_VERSION,
  resultSchemas,
  type Answer,
  type OpenResult,
  type Request,
  type ResultOf,
} from '../model/measure/protocol.ts';
import { AnswerReader } from './answer-reader.ts';
import { killLeftovers, startedRunner, type StartedRunner } from './leftover-processes.ts';
import { OutputTail } from './output-tail.ts';
import { PosedAnswers } from './posed-answers.ts';
import { RunnerFailure } from './runner-failure.ts';
import { traced } from './trace-requests.ts';

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

/** By which the judge ends itself when what makes inputs has not answered in time (runner/src/input_generator.cpp). */
const GENERATOR_HANGS: NodeJS.Signals = 'SIGXCPU';
/** The same of what judges outputs (runner/src/checker.cpp). */
const CHECKER_HANGS: NodeJS.Signals = 'SIGVTALRM';
/** How long a runner may take to end after `quit` before it is killed. */
const QUIT_GRACE_MS = 2000;
/** How long a candidate may take to end. The judge kills it before. */
const CANDIDATE_GRACE_MS = 5000;
/** How long what it printed may take to arrive after its end: longer means that something it left holds the pipes. */
const DRAIN_MS = 200;
/** How long a killed process may take to end. One that is stuck in a driver never does, and nothing waits for it. */
const KILLED_MS = 700;

/**
 * One runner process, from start to end. It has its own process group and a mark in its environment: the whole
 * group is killed, and whatever has left the group.
 */
export class RunnerProcess {
  readonly #child: ChildProcess;
  readonly #key = randomBytes(32);
  readonly #started: StartedRunner | undefined;
  readonly #reader = new AnswerReader(this.#key);
  /** What the present candidate printed, on descriptors 1 and 2. */
  #output = new OutputTail();
  #posed = [new PosedAnswers(), new PosedAnswers()] as const;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: Promise<void>;
  #failure: RunnerFailure | undefined;
  #lastId = 0;
  #hasExited = false;

  constructor(runner: RunnerCommand) {
    const mark = randomBytes(16).toString('hex');
    this.#child = spawn(runner.command, runner.args, {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      detached: true,
      cwd: runner.cwd,
      // nvidia-smi numbers devices by bus; CUDA must count them the same way.
      env: {
        ...candidateEnvironment(process.env, runner.environment),
        CUDA_DEVICE_ORDER: 'PCI_BUS_ID',
        ...runner.env,
        PAWL_RUNNER: mark,
      },
    });
    const { pid } = this.#child;
    if (pid !== undefined) this.#started = startedRunner(pid, `PAWL_RUNNER=${mark}`);
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
      let drain: NodeJS.Timeout | undefined;
      this.#child.once('exit', () => {
        this.kill();
        this.#hasExited = true;
        // 'close' waits until no process holds the other ends.
        drain = setTimeout(() => this.#letGo(), DRAIN_MS);
      });
      this.#child.once('close', (code, signal) => {
        clearTimeout(drain);
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

  /** The beginning of a printed line that poses as an answer, or undefined. */
  async posedAnswer(): Promise<string | undefined> {
    await readPipes();
    return this.#posed[0].found ?? this.#posed[1].found;
  }

  /** Ends the candidate, so that another one can be opened. False where the judge has to end as well. */
  async endCandidate(): Promise<boolean> {
    if (!this.usable) return false;
    await this.request({ op: 'close' }, CANDIDATE_GRACE_MS).catch(() => undefined);
    await readPipes();
    this.#output = new OutputTail();
    this.#posed = [new PosedAnswers(), new PosedAnswers()];
    return this.usable;
  }

  /** False once the process ended or was given up. */
  get usable(): boolean {
    return this.#failure === undefined;
  }

  open(options: OpenOptions, timeout_ms: number, late?: () => RunnerFailure): Promise<OpenResult> {
    return this.request(
      { op: 'open', protocol: PROTOCOL_VERSION, key: this.#key.toString('hex'), ...options },
      timeout_ms,
      late,
    );
  }

  /**
   * Asks once. Rejects with a `RunnerFailure`, and kills the process when it can no longer be trusted. `late` is what
   * it means where no answer comes in time; by default that the kernel hangs.
   */
  async request<Asked extends Request>(
    request: Asked,
    timeout_ms: number,
    late: () => RunnerFailure = () =>
      new RunnerFailure('hung', `no answer to "${request.op}" within ${timeout_ms / 1000} s`),
  ): Promise<ResultOf<Asked['op']>> {
    return traced(request.op, () => this.#ask(request, timeout_ms, late));
  }

  async #ask<Asked extends Request>(
    request: Asked,
    timeout_ms: number,
    late: () => RunnerFailure,
  ): Promise<ResultOf<Asked['op']>> {
    if (this.#failure !== undefined) throw this.#failure;
    const id = ++this.#lastId;
    const answered = new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => this.#fail(late()), timeout_ms);
      this.#waiting.set(id, { op: request.op, resolve, reject, timer });
    });
    const limit = callsOthers(request) ? { timeout_ms } : {};
    this.#requests.write(`${JSON.stringify({ id, ...request, ...limit })}\n`);
    try {
      return (await answered) as ResultOf<Asked['op']>;
    } catch (error) {
      // What a kernel printed before it failed explains the failure.
      await readPipes();
      throw error;
    }
  }

  /**
   * Ends the process in good order where it is willing, and by force where it is not. A profiler around it may
   * need longer than the runner: it writes its results when the runner has ended.
   */
  async close(grace_ms: number = QUIT_GRACE_MS): Promise<void> {
    if (this.usable) {
      await this.request({ op: 'quit' }, grace_ms).catch(() => undefined);
      this.#requests.end();
      await Promise.race([this.#ended, sleep(grace_ms)]);
    }
    this.kill();
    await Promise.race([this.#ended, sleep(KILLED_MS)]);
    this.#letGo();
  }

  /** Kills the whole process group and what has left it, now. Its number may be somebody else's after its end. */
  kill(): void {
    if (this.#started === undefined || this.#hasExited) return;
    try {
      process.kill(-this.#started.pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    killLeftovers(this.#started);
  }

  /** Lets go of the pipes and of the process: neither keeps Pawl from ending. */
  #letGo(): void {
    for (const stream of this.#child.stdio) stream?.destroy();
    this.#child.unref();
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
      else this.#reject(waiting, new RunnerFailure('internal', nonsense(waiting.op, result.error)));
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

/** So that the judge can tell an oracle, a checker or a generator that hangs from a kernel that does. */
function callsOthers(request: Request): boolean {
  if (request.op === 'prepare') return request.generator !== undefined;
  return request.op === 'check' || (request.op === 'sample' && request.verify?.checker !== undefined);
}

/** What was printed before an answer lies in its pipe when the answer arrives; two turns of the event loop read it. */
async function readPipes(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/** Does not keep Pawl from ending. */
function sleep(duration_ms: number): Promise<void> {
  return wait(duration_ms, undefined, { ref: false });
}

function endOf(code: number | null, signal: NodeJS.Signals | null): RunnerFailure {
  if (signal === GENERATOR_HANGS)
    return new RunnerFailure(
      'generator-failed',
      'what makes the inputs hangs: it was still at work near the time-out',
    );
  if (signal === CHECKER_HANGS)
    return new RunnerFailure('checker-failed', 'the checker hangs: it was still at work near the time-out');
  if (signal !== null)
    return new RunnerFailure('crashed', `the runner was ended by ${signal}`, undefined, signal);
  return new RunnerFailure('exited', `the runner ended by itself with code ${code ?? 'unknown'}`);
}

function nonsense(op: string, { issues }: z.ZodError): string {
  const [first] = issues;
  const where = first === undefined ? '' : `: ${[...first.path].join('.')}: ${first.message}`;
  return `the judge's answer to \`${op}\` is not valid${where}`;
}
