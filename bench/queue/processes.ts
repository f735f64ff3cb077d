import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A program whose lines are heard, which may be killed and started again. */
export class Restarted {
  readonly #start: (generation: number) => readonly [program: string, args: readonly string[]];
  readonly #onLine: (line: string) => void;
  #child: ChildProcess | undefined;
  #generation = 0;
  kills = 0;
  /** It has said something, and lives. */
  isUp = false;

  constructor(
    start: (generation: number) => readonly [program: string, args: readonly string[]],
    onLine: (line: string) => void,
  ) {
    this.#start = start;
    this.#onLine = onLine;
  }

  /** Resolves with its first line. */
  up(): Promise<string> {
    this.#generation += 1;
    const [program, args] = this.#start(this.#generation);
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#child = child;
    return new Promise((resolve) => {
      let rest = '';
      let isFirst = true;
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop()!;
        for (const line of lines) {
          if (isFirst) {
            this.isUp = true;
            resolve(line);
          } else this.#onLine(line);
          isFirst = false;
        }
      });
      child.once('exit', () => resolve(''));
    });
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    this.isUp = false;
    child.kill(signal);
    if (signal === 'SIGKILL') this.kills += 1;
    await ended;
  }
}
