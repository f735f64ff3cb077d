/** What the stand-in remembers, in the words of GitHub's API; the rest of an answer comes from its examples. */

export interface User {
  readonly login: string;
  readonly type: 'User' | 'Bot';
}

export interface Comment {
  readonly id: number;
  readonly issue: number;
  readonly user: User;
  body: string;
  readonly created_at: string;
}

export interface CheckRun {
  readonly id: number;
  name: string;
  readonly head_sha: string;
  status: string;
  conclusion: string | null;
  details_url: string | null;
  external_id: string;
  output: { title: string | null; summary: string | null; text: string | null };
  /** Of the app that made it. */
  readonly slug: string;
}

export interface Repository {
  readonly id: number;
  readonly full_name: string;
  readonly fork?: boolean;
}

export interface Pull {
  readonly number: number;
  state: 'open' | 'closed';
  draft: boolean;
  title: string;
  body: string | null;
  readonly user: User;
  head: { ref: string; sha: string; repo: Repository | null };
  base: { ref: string; sha: string };
}

export interface WorkflowRun {
  readonly id: number;
  /** With or without `@ref`, as GitHub gives it for reusable workflows. */
  path: string;
  event: string;
  status: string;
  conclusion: string | null;
  head_sha: string;
  head_branch: string | null;
  head_repository: Repository;
  /** Of another repository than the stand-in's own; for tests of confusion. */
  repository?: Repository;
  run_attempt?: number;
  run_started_at?: string;
}

export interface Artifact {
  readonly id: number;
  readonly run: number;
  name: string;
  /** What the API claims; default: what it is. */
  size_in_bytes?: number;
  expired?: boolean;
  /** Default: that of what it is. */
  digest?: string;
  created_at?: string;
  /** The run that the API says it is of; for tests of confusion. */
  claimed_run?: number;
  zip: Uint8Array;
}

export interface GitHubState {
  repository: Repository & { readonly default_branch: string };
  comments: Comment[];
  checkRuns: CheckRun[];
  pulls: Pull[];
  runs: WorkflowRun[];
  artifacts: Artifact[];
  labels: { readonly issue: number; readonly name: string }[];
  /** `heads/main` → SHA. */
  refs: Map<string, string>;
  /** Path → text, the same at every ref. */
  files: Map<string, string>;
}
