import type { DeviceWait } from '../device/lock-holder.ts';

/** One event of a long run: a start, a step, a note, a wait for a device, or the end. */
export type Progress =
  /**
   * `total` is 0 where the number of steps is not known; with `atMost` there may be far fewer. `work` says what
   * it is where a step of CI is that.
   */
  | {
      readonly type: 'started';
      readonly title: string;
      readonly total: number;
      readonly atMost?: boolean;
      readonly work?: 'check' | 'measure' | 'profile';
    }
  /**
   * `done` steps lie behind; `label` names the one under way and `detail` says how it goes. `left_ms` and `share`
   * stand where steps do not tell how far it is: there is a limit in time.
   */
  | {
      readonly type: 'step';
      readonly done: number;
      readonly label: string;
      readonly detail?: string;
      readonly left_ms?: number;
      readonly share?: number;
    }
  | { readonly type: 'note'; readonly level: 'info' | 'warning'; readonly text: string }
  /** Nothing goes on before a device is free; told again where somebody else has taken it. */
  | ({ readonly type: 'waiting' } & DeviceWait)
  | { readonly type: 'finished' };

/** Receives the progress of a run. Workflows never print: pass this to show what they do. */
export type OnProgress = (progress: Progress) => void;
