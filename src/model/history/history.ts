/**
 * What history answers: one set of shapes for the store's queries, `pawl history --json`, the HTTP API and the
 * dashboard. Times are ISO 8601 in UTC; levels are milliseconds; positive change is faster.
 */
import { z } from 'zod';

import { caseKeySchema, intervalSchema, verdictSchema } from '../judge/comparison.ts';
import { ATTENTION_ORDER } from '../judge/attention.ts';
import { RUN_KINDS } from './run-kinds.ts';
import { variantSchema } from '../problem/variant.ts';

/** Which trend a measurement belongs to: by kernel, case, mode and device. */
export const historyKeySchema = caseKeySchema.extend({
  /** Stable, safe in an address; the same on every store. */
  id: z.string(),
  kernel: z.string(),
  mode: z.string(),
  /** GPU or CPU model. */
  device: z.string(),
  /**
   * GPU model, driver, CUDA and clock policy, or CPU model: as in the baseline. Of a trend, this and the variant are
   * those of its latest point.
   */
  device_class: z.string(),
});
export type HistoryKey = z.infer<typeof historyKeySchema>;

export const historyRunSchema = z.object({
  /** The hash of what was stored: the same run twice is one run. */
  id: z.string(),
  kind: z.enum(RUN_KINDS),
  started_at: z.string(),
  finished_at: z.string().optional(),
  commit: z.string().optional(),
  /** Of the commit: its first line, and who made it. */
  subject: z.string().optional(),
  author: z.string().optional(),
  /** The files that were measured are not those of `commit`: there were changes that no commit holds. */
  dirty: z.boolean().optional(),
  base_commit: z.string().optional(),
  branch: z.string().optional(),
  pull_request: z.int().positive().optional(),
  host: z.string().optional(),
  device: z.string().optional(),
  verdict: verdictSchema.optional(),
  cases: z.int().nonnegative(),
  device_s: z.number().nonnegative().optional(),
  money: z.object({ amount: z.number().nonnegative(), currency: z.string() }).optional(),
});
/** A stored run in a list: its time, commit, device and verdict. */
export type HistoryRun = z.infer<typeof historyRunSchema>;

/** What points were measured under, and what may change along a trend. What is not known is left out. */
const trendSettingSchema = z.object({
  variant: variantSchema.optional(),
  driver: z.string().optional(),
  cuda: z.string().optional(),
  /** The clock policy, and the clock where it was locked. */
  clocks: z.string().optional(),
  /** The compiler, or the versions of Python packages. */
  compiler: z.string().optional(),
});
export type TrendSetting = z.infer<typeof trendSettingSchema>;

/** One setting that is another than at the point before. */
const settingChangeSchema = z.object({
  what: z.enum(['variant', 'driver', 'cuda', 'clocks', 'compiler']),
  before: z.string(),
  after: z.string(),
});
export type SettingChange = z.infer<typeof settingChangeSchema>;

/** A key at one commit: the level of its processes, and how sure it is. */
export const trendPointSchema = z.object({
  commit: z.string(),
  /** Of the commit where it is known, else of the run. */
  time: z.string(),
  run: z.string(),
  /** Where it was measured. */
  host: z.string().optional(),
  level_ms: z.number().positive(),
  ci_ms: z.tuple([z.number().positive(), z.number().positive()]),
  processes: z.int().positive(),
  samples: z.int().nonnegative(),
  verdict: verdictSchema.optional(),
  /** Not timed: the binary is the baseline's, and so are the level and its processes. */
  carried: z.boolean().optional(),
  /** Its place in the trend's `settings`. */
  setting: z.int().nonnegative().optional(),
});
export type TrendPoint = z.infer<typeof trendPointSchema>;

/** A step between two neighbouring points, or a drift over many that no single commit shows. */
const CHANGE_KINDS = ['step', 'creep'] as const;

export const trendChangeSchema = z.object({
  kind: z.enum(CHANGE_KINDS),
  /** First point after it; of a creep, its last. */
  commit: z.string(),
  previous_commit: z.string(),
  time: z.string(),
  change_pct: z.number(),
  ci_pct: intervalSchema,
  p: z.number().min(0).max(1),
  /** Of the points before and after it, where they differ: the machine may be what changed. */
  hosts: z.object({ before: z.string(), after: z.string() }).optional(),
  /** What else is another between the points before and after it: it may be what changed the level. */
  settings: z.array(settingChangeSchema).optional(),
});
export type TrendChange = z.infer<typeof trendChangeSchema>;

/** The newest point, where it is far off the level before it. One point is not a change yet. */
export const newestPointSchema = z.object({
  commit: z.string(),
  previous_commit: z.string(),
  time: z.string(),
  change_pct: z.number(),
  ci_pct: intervalSchema,
  p: z.number().min(0).max(1),
  /** What its check says of it. */
  verdict: verdictSchema.optional(),
  hosts: z.object({ before: z.string(), after: z.string() }).optional(),
  settings: z.array(settingChangeSchema).optional(),
});
export type NewestPoint = z.infer<typeof newestPointSchema>;

/** Something that happened at a commit of a trend. */
const trendMarkSchema = z.object({
  kind: z.enum(['setting', 'release', 'waiver', 'verdict']),
  /** The first point that it holds for. */
  commit: z.string(),
  time: z.string(),
  /** Of a `setting`: what changed, a new default among it. */
  settings: z.array(settingChangeSchema).optional(),
  /** Of a `release`: its tag. */
  name: z.string().optional(),
  /** Of a `verdict`: a change that a check confirmed. */
  verdict: verdictSchema.optional(),
  change_pct: z.number().optional(),
});
export type TrendMark = z.infer<typeof trendMarkSchema>;

/** Levels to hold a trend against. */
const trendLinesSchema = z.object({
  /** What the last check compared with. */
  baseline_ms: z.number().positive().optional(),
  /** The least time that the hardware needs. */
  floor_ms: z.number().positive().optional(),
  /** The least time at the ceilings that were measured on the device, where the newest point's run knew them. */
  ceiling_ms: z.number().positive().optional(),
  /** What a call does, as its case declares it. */
  operations: z.number().nonnegative().optional(),
  bytes: z.number().nonnegative().optional(),
  /** The fastest other kernel of the same problem, as the run of the newest point measured it. */
  reference: z.object({ kernel: z.string(), level_ms: z.number().positive() }).optional(),
  /** What a call does by the problem's formulas, and what the device does at the very most. */
  roofline: z
    .object({
      operations: z.number().positive(),
      bytes: z.number().positive(),
      operations_per_s: z.number().positive(),
      bytes_per_s: z.number().positive(),
    })
    .optional(),
});
export type TrendLines = z.infer<typeof trendLinesSchema>;

export const trendSchema = z.object({
  schema: z.literal('pawl.trend/1'),
  key: historyKeySchema,
  points: z.array(trendPointSchema),
  changes: z.array(trendChangeSchema),
  /** Where the points alternate between two levels, which is not a change: how much longer the slower one takes. */
  modes: z
    .object({
      slower_by_pct: z.number().positive(),
      /** Of points in the slower mode. */
      slower_share_pct: z.number().min(0).max(100),
      /** How often the points went from one to the other. */
      flips: z.int().nonnegative(),
    })
    .optional(),
  /** Hosts that took turns, and how much longer each takes than the one with the most points; taken off before. */
  host_offsets: z.array(z.object({ host: z.string(), slower_by_pct: z.number() })).optional(),
  newest: newestPointSchema.optional(),
  /** Those of the points, in the order of their first appearance. */
  settings: z.array(trendSettingSchema).optional(),
  /** In the order of the points. */
  marks: z.array(trendMarkSchema).optional(),
  lines: trendLinesSchema.optional(),
  /** Points are thinned to this many where there are more; changes are found on all of them. */
  thinned_from: z.int().positive().optional(),
});
/** The times of one case over commits on one device: points, levels, and the commits at which the level changed. */
export type Trend = z.infer<typeof trendSchema>;

const ratesSchema = z.object({
  throughput_gflop_s: z.number().nonnegative().optional(),
  bandwidth_gb_s: z.number().nonnegative().optional(),
  /** How many times the physical floor it takes. */
  times_floor: z.number().nonnegative().optional(),
  /** The share of the ceiling that was measured on the device. */
  of_ceiling_pct: z.number().nonnegative().optional(),
});

export const overviewSchema = z.object({
  schema: z.literal('pawl.overview/1'),
  since: z.string(),
  until: z.string(),
  totals: z.object({ runs: z.int(), keys: z.int(), samples: z.int(), device_s: z.number() }),
  /** Keys with what happened to them in the window, worst first. */
  keys: z.array(
    z.object({
      key: historyKeySchema,
      level_ms: z.number().positive(),
      ci_ms: z.tuple([z.number().positive(), z.number().positive()]),
      /** Of the level, as far as its case declares operations and bytes; a case without them has none. */
      rates: ratesSchema.optional(),
      last_commit: z.string(),
      last_time: z.string(),
      /** Over the window, and its last step or creep. */
      change_pct: z.number().optional(),
      last_change: trendChangeSchema.optional(),
      /** Where its newest point is far off the level before it. */
      newest: newestPointSchema.optional(),
      verdict: verdictSchema.optional(),
      /** Levels for a small picture, oldest first; at most 40. */
      spark_ms: z.array(z.number().positive()),
      attention: z.array(z.enum(ATTENTION_ORDER)),
      /** Its newest points were not looked at for changes yet: that nothing is said of it means nothing. */
      trend_pending: z.boolean().optional(),
    }),
  ),
  runs: z.array(historyRunSchema),
  /** So many keys have points that were not looked at for changes yet: what is said of those may be old. */
  trends_pending: z.int().positive().optional(),
});
export type Overview = z.infer<typeof overviewSchema>;

/** How a device behaved: noise between processes, and whether it tells no difference where there is none. */
const deviceHealthSchema = z.object({
  device: z.string(),
  host: z.string().optional(),
  points: z.array(
    z.object({ time: z.string(), runs: z.int(), between_process_cv_pct: z.number().nonnegative() }),
  ),
  /** A/A controls that were measured along: of how many, how many read as a change. */
  controls: z.object({ total: z.int(), alarms: z.int() }),
});
export type DeviceHealth = z.infer<typeof deviceHealthSchema>;

/** `unknown`: no control was measured. */
const DEVICE_HEALTH = ['sound', 'alarming', 'unknown'] as const;

/** A device's health, judged: `alarming` where its controls alarm more often than the verdicts' error rate allows. */
export const judgedDeviceSchema = deviceHealthSchema.extend({
  typical_cv_pct: z.number().nonnegative().optional(),
  /** The chance of so many alarms if the promised rate holds. */
  alarm_p: z.number().min(0).max(1),
  health: z.enum(DEVICE_HEALTH),
  /** When the noise became another: its factor, above 1 for noisier. */
  noise_changes: z.array(
    z.object({
      kind: z.enum(CHANGE_KINDS),
      time: z.string(),
      factor: z.number().positive(),
      p: z.number().min(0).max(1),
    }),
  ),
});
export type JudgedDevice = z.infer<typeof judgedDeviceSchema>;

/** A commit that a trend names. */
export const trendCommitSchema = z.object({
  sha: z.string(),
  time: z.string().optional(),
  subject: z.string().optional(),
  author: z.string().optional(),
});

/** `pawl trend --json`. */
export const trendReportSchema = z.object({
  schema: z.literal('pawl.trend-report/1'),
  /** Where the history is. */
  store: z.string(),
  since: z.string().optional(),
  trends: z.array(trendSchema),
  /** Those that a change names, as far as they are known. */
  commits: z.array(trendCommitSchema),
  devices: z.array(judgedDeviceSchema),
  files: z.record(z.string(), z.string()),
});
/**
 * What `trend` returns: the trends, the commits that their changes name, and the health of the devices
 * (`pawl.trend-report/1`).
 */
export type TrendReport = z.infer<typeof trendReportSchema>;
