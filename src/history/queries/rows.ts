import { defined } from '../../model/defined.ts';
import type { HistoryKey, HistoryRun } from '../../model/history/history.ts';
import type { CommitFacts } from '../../model/history/stored-run.ts';
import type { Variant } from '../../model/problem/variant.ts';
import type { Verdict } from '../../model/judge/verdict.ts';

export function iso(time_ms: number): string {
  return new Date(time_ms).toISOString();
}

/** Of `keys` and the `lines` that they belong to. */
export const KEY_COLUMNS = [
  'lines.id as key_id',
  'keys.kernel as kernel',
  'keys.case_name as case_name',
  'keys.variant as variant',
  'keys.mode as mode',
  'keys.device_class as device_class',
  'lines.device as device',
] as const;

export interface KeyRow {
  readonly key_id: string;
  readonly kernel: string;
  readonly case_name: string;
  readonly variant: string;
  readonly mode: string;
  readonly device_class: string;
  readonly device: string;
}

export function keyOfRow(row: KeyRow): HistoryKey {
  const { key_id, kernel, case_name, variant, mode, device, device_class } = row;
  const settings = JSON.parse(variant) as Variant;
  return { id: key_id, kernel, case: case_name, variant: settings, mode, device, device_class };
}

export const RUN_COLUMNS = [
  'runs.id as id',
  'runs.kind as kind',
  'runs.started_ms as started_ms',
  'runs.finished_ms as finished_ms',
  'commits.sha as commit',
  'commits.subject as subject',
  'commits.author as author',
  'bases.sha as base_commit',
  'runs.branch as branch',
  'runs.pull_request as pull_request',
  'runs.host as host',
  'devices.name as device',
  'runs.verdict as verdict',
  'runs.cases as cases',
  'runs.device_s as device_s',
  'runs.money as money',
  'runs.currency as currency',
  'runs.dirty as dirty',
] as const;

export interface RunRow {
  readonly id: string;
  readonly kind: string;
  readonly started_ms: number;
  readonly finished_ms: number | null;
  readonly commit: string | null;
  readonly subject: string | null;
  readonly author: string | null;
  readonly base_commit: string | null;
  readonly branch: string | null;
  readonly pull_request: number | null;
  readonly host: string | null;
  readonly device: string | null;
  readonly verdict: string | null;
  readonly cases: number;
  readonly device_s: number | null;
  readonly money: number | null;
  readonly currency: string | null;
  readonly dirty: number;
}

export function runOfRow(row: RunRow): HistoryRun {
  const { id, started_ms, finished_ms, money, currency, cases, kind, verdict, ...rest } = row;
  const { commit, subject, author, base_commit, branch, pull_request, host, device, device_s } = rest;
  return {
    id,
    kind: kind as HistoryRun['kind'],
    started_at: iso(started_ms),
    ...(finished_ms === null ? {} : { finished_at: iso(finished_ms) }),
    ...defined({ commit, subject, author, base_commit, branch, pull_request, host, device }),
    ...(rest.dirty === 1 ? { dirty: true } : {}),
    ...(verdict === null ? {} : { verdict: verdict as Verdict }),
    cases,
    ...defined({ device_s }),
    ...(money === null || currency === null ? {} : { money: { amount: money, currency } }),
  };
}

export function commitOfRow(row: {
  readonly sha: string;
  readonly parent: string | null;
  readonly time_ms: number | null;
  readonly subject: string | null;
  readonly author: string | null;
}): CommitFacts {
  const { sha, parent, time_ms, subject, author } = row;
  return {
    sha,
    ...defined({ parent, subject, author }),
    ...(time_ms === null ? {} : { time: iso(time_ms) }),
  };
}
