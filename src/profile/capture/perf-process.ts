import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** perf answers within milliseconds once it has attached; a loaded machine takes seconds. */
const ANSWER_TIMEOUT_MS = 30_000;

/** `perf stat` attached to a process, counting only between `enable` and `disable`. */
export class PerfProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #stderr = '';
  #acknowledged = 0;
  #expected = 0;
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor(perf: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn(perf, args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'], env });
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString('utf8')));
    (this.#child.stdio[3] as Writable).on('error', () => undefined);
    (this.#child.stdio[4] as Readable).on('data', (chunk: Buffer) => {
      this.#acknowledged += chunk.toString('latin1').split('ack').length - 1;
      this.#wake();
    });
    this.#ended = new Promise((resolve) => {
      const end = (): void => {
        this.#isOver = true;
        this.#wake();
        resolve();
      };
      this.#child.once('error', (error) => {
        this.#stderr += error.message;
        end();
      });
      this.#child.once('close', end);
    });
  }

  /** False where perf did not obey: it ended, or does not know control descriptors (before Linux 5.10). */
  async tell(command: 'enable' | 'disable'): Promise<boolean> {
    this.#expected += 1;
    (this.#child.stdio[3] as Writable).write(`${command}\n`);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ANSWER_TIMEOUT_MS);
      const look = (): void => {
        if (this.#acknowledged < this.#expected && !this.#isOver) return;
        clearTimeout(timer);
        resolve();
      };
      this.#wake = look;
      look();
    });
    return this.#acknowledged >= this.#expected;
  }

  /** Ends perf and returns what it printed. */
  async end(): Promise<string> {
    // perf prints its counts on SIGINT.
    this.#child.kill('SIGINT');
    const forced = setTimeout(() => this.#child.kill('SIGKILL'), ANSWER_TIMEOUT_MS);
    await this.#ended;
    clearTimeout(forced);
    return this.#stderr;
  }
}
