import { CI_STEPS, type CiRun, type CiStep } from '../../model/reports/ci-run.ts';
import { defined } from '../../model/defined.ts';
import type { DeviceWait } from '../../model/device/lock-holder.ts';
import type { OnProgress } from '../../model/measure/progress.ts';

type DeviceWaited = NonNullable<CiRun['waits']>[number];
type StepName = CiStep['name'];
type StepEnd = Pick<CiStep, 'status'> & { readonly detail: string };

const NOT_REACHED: StepEnd = { status: 'skipped', detail: 'not reached' };

/** The step that long work belongs to. */
const STEP_OF_WORK = { check: 'correctness', measure: 'benchmark', profile: 'profile' } as const;

/** Keeps what became of each step and how long it took. */
export class StepLog {
  readonly #now: () => Date;
  readonly #ends = new Map<StepName, StepEnd>();
  readonly #seconds = new Map<StepName, number>();
  readonly #waits: DeviceWaited[] = [];
  #waiting: { readonly wait: DeviceWait; readonly since_ms: number } | undefined;
  #phase: { readonly name: StepName; readonly since_ms: number } | undefined;
  /** The step that was last under way: where a failure belongs. */
  current: StepName | undefined;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Runs one step and takes its time. What it throws is its caller's to end it with. */
  async time<Result>(name: StepName, work: () => Promise<Result>): Promise<Result> {
    this.current = name;
    const started_ms = this.#now().getTime();
    try {
      return await work();
    } finally {
      this.#add(name, this.#now().getTime() - started_ms);
    }
  }

  end(name: StepName, status: CiStep['status'], detail: string): void {
    this.#ends.set(name, { status, detail });
  }

  /** Progress of work that several steps share tells whose turn it is. */
  listening(onProgress: OnProgress): OnProgress {
    return (progress) => {
      if (progress.type === 'waiting') this.#wait(progress);
      if (progress.type === 'started' || progress.type === 'finished') this.endPhase();
      const work = progress.type === 'started' ? progress.work : undefined;
      if (work !== undefined) {
        const name = STEP_OF_WORK[work];
        this.#phase = { name, since_ms: this.#now().getTime() };
        this.current = name;
      }
      onProgress(progress);
    };
  }

  endPhase(): void {
    this.#endWait();
    if (this.#phase === undefined) return;
    this.#add(this.#phase.name, this.#now().getTime() - this.#phase.since_ms);
    this.#phase = undefined;
  }

  /** Devices that were waited for, one after the other. */
  get waits(): readonly DeviceWaited[] {
    return this.#waits;
  }

  #wait({ device, holder }: DeviceWait): void {
    this.#endWait();
    this.#waiting = { wait: { device, ...defined({ holder }) }, since_ms: this.#now().getTime() };
  }

  #endWait(): void {
    if (this.#waiting === undefined) return;
    const { wait, since_ms } = this.#waiting;
    this.#waits.push({ ...wait, seconds: (this.#now().getTime() - since_ms) / 1000 });
    this.#waiting = undefined;
  }

  /** All steps in their order; those that nothing was said about were not reached. */
  steps(): CiStep[] {
    return CI_STEPS.map((name) => {
      const { status, detail } = this.#ends.get(name) ?? NOT_REACHED;
      const seconds = this.#seconds.get(name);
      return seconds === undefined ? { name, status, detail } : { name, status, detail, seconds };
    });
  }

  #add(name: StepName, duration_ms: number): void {
    this.#seconds.set(name, (this.#seconds.get(name) ?? 0) + duration_ms / 1000);
  }
}
