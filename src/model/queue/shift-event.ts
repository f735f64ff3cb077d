import type { Judgement } from './judgement.ts';

export type ShiftEvent =
  | { readonly event: 'leased'; readonly id: string; readonly problem: string; readonly alone: boolean }
  | {
      readonly event: 'judged';
      readonly id: string;
      readonly problem: string;
      readonly judgement: Judgement;
      /** False: the lease was over, and another worker's answer counts. */
      readonly counts: boolean;
    }
  | { readonly event: 'failed' | 'lost' | 'returned'; readonly id: string; readonly message: string }
  | { readonly event: 'trouble'; readonly message: string };
