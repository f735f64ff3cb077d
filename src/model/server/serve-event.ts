/** A line of what `pawl serve` says while it runs. */
export interface ServeEvent {
  /** ISO 8601. */
  readonly at: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly event: string;
  readonly message: string;
}
