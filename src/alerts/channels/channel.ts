import type { Alert } from '../../model/server/alert.ts';

/** What became of one try. An answer that says how long to wait is listened to. */
export type SendOutcome =
  | { readonly isSent: true; readonly note?: string }
  | { readonly isSent: false; readonly error: string; readonly retryAfter_s?: number };

export interface SendContext {
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** After this long a try is lost. */
  readonly timeout_ms: number;
}

/** One place that alerts go to. */
export interface Channel {
  send(alert: Alert, context: SendContext): Promise<SendOutcome>;
}
