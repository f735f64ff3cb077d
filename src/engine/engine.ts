/** What runs jobs on other machines. */
export interface JobEngine {
  /** Hands a job over; its tasks have the numbers from 0 up in an environment variable of the engine. */
  submit(job: JobRequest): Promise<string>;
  /** The tasks of every job with this name that the engine still knows, ended ones included while it remembers. */
  tasks(name: string): Promise<readonly JobTask[]>;
  /** Ends every job with this name. */
  cancel(name: string): Promise<void>;
}

export interface JobRequest {
  /** Names the job for good: after a crash, the job is found again by it. */
  readonly name: string;
  readonly tasks: number;
  /** What each task runs; with several, the one of its number. */
  readonly commands: readonly JobCommand[];
  /** Variables that every task has. They are in no script and on no command line: an address may hold a password. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Alone on its machine. */
  readonly exclusive: boolean;
  /** Where the tasks' output goes, a file each. */
  readonly output: string;
  readonly folder: string;
}

export interface JobCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface JobTask {
  /** Of the job and the task. */
  readonly id: string;
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  /** The engine's own word. */
  readonly word: string;
  readonly node: string | undefined;
  /** Why it waits or failed, in the engine's words. */
  readonly reason: string | undefined;
}

export function isLive({ state }: JobTask): boolean {
  return state === 'waiting' || state === 'running';
}
