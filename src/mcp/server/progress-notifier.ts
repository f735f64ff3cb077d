import { waitText } from '../../model/device/wait-text.ts';
import type { Progress } from '../../model/measure/progress.ts';
import { clip, plainText } from '../../report/text/plain-text.ts';

export interface ProgressUpdate {
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/** A person cannot read faster, and every message costs the machine that is measuring. */
const EVERY_MS = 250;
/** Clients give up on a call from which they hear nothing for a minute. */
const HEARTBEAT_MS = 10_000;
/** The protocol wants every value above the last; what beats adds next to nothing. */
const BEAT = 1e-6;

/** Tells a client how far its call is. Work goes in phases, each of which counts from nought: the sum goes on. */
export class ProgressNotifier {
  readonly #send: (update: ProgressUpdate) => void;
  readonly #now_ms: () => number;
  readonly #heart: NodeJS.Timeout;
  #title = '';
  #label = '';
  #before = 0;
  #done = 0;
  #total = 0;
  #sent = -1;
  #sent_ms = -Infinity;
  #isOver = false;

  constructor(send: (update: ProgressUpdate) => void, now_ms: () => number) {
    this.#send = send;
    this.#now_ms = now_ms;
    this.#heart = setInterval(() => this.#tell(true), HEARTBEAT_MS);
    this.#heart.unref();
  }

  handle(progress: Progress): void {
    if (this.#isOver) return;
    switch (progress.type) {
      case 'started':
        this.#before += this.#done;
        this.#done = 0;
        this.#total = progress.total;
        this.#title = progress.title;
        this.#label = '';
        this.#tell(true);
        break;
      case 'step':
        this.#done = Math.max(this.#done, progress.done);
        this.#label = [progress.label, progress.detail ?? ''].filter((part) => part !== '').join(' · ');
        this.#tell(false);
        break;
      case 'note':
        this.#label = progress.text;
        this.#tell(false);
        break;
      case 'waiting':
        this.#label = waitText(progress);
        this.#tell(true);
        break;
      case 'finished':
        break;
    }
  }

  /** Nothing is said after the answer. */
  stop(): void {
    this.#isOver = true;
    clearInterval(this.#heart);
  }

  #tell(isUrgent: boolean): void {
    const now_ms = this.#now_ms();
    if (this.#isOver || (!isUrgent && now_ms - this.#sent_ms < EVERY_MS)) return;
    this.#sent_ms = now_ms;
    this.#sent = Math.max(this.#before + this.#done, this.#sent + BEAT);
    const words = [this.#title, this.#label].filter((part) => part !== '').join(': ');
    this.#send({
      progress: this.#sent,
      ...(this.#total > 0 ? { total: Math.max(this.#before + this.#total, this.#sent) } : {}),
      message: clip(plainText(words), 200),
    });
  }
}
