/** What long work says about itself while it runs. Doors render it; workflows only tell. */
export type Progress =
  | { readonly type: 'started'; readonly title: string; readonly total: number }
  /** `done` steps lie behind; `label` names the one under way and `detail` says how it goes. */
  | { readonly type: 'step'; readonly done: number; readonly label: string; readonly detail?: string }
  | { readonly type: 'note'; readonly level: 'info' | 'warning'; readonly text: string }
  | { readonly type: 'finished' };

export type OnProgress = (progress: Progress) => void;
