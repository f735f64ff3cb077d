/** Answers of the HTTP API that `history.ts` does not have. Every list is `items`, with `next` where there are more. */
import { z } from 'zod';

import { predictionSchema } from '../learn/advice.ts';
import { comparisonSchema, intervalSchema, verdictSchema } from '../judge/comparison.ts';
import { historyKeySchema, historyRunSchema, judgedDeviceSchema } from './history.ts';
import { RUN_KINDS } from './run-kinds.ts';
import { profileReportSchema } from '../profile/profile-report.ts';
import { measurementSchema, samplesSchema, seriesSchema } from '../measure/samples.ts';
import { goalSchema, sessionSummarySchema } from '../learn/session.ts';
import { commitFactsSchema, SIDES, storedRunSchema } from './stored-run.ts';
import { STUDY_RESULTS } from '../tune/study-report.ts';
import { trialSchema } from '../tune/study.ts';

function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    /** `cursor` of the next page; absent on the last one. */
    next: z.string().optional(),
  });
}

/** A measurement without its samples. */
export const measurementSummarySchema = measurementSchema.omit({ series: true }).extend({
  /** `<run>-<h|b|c><position>`: safe in an address, the same on every store. */
  id: z.string(),
  run: z.string(),
  side: z.enum(SIDES),
  key: historyKeySchema,
  level_ms: z.number().positive().optional(),
  ci_ms: z.tuple([z.number().positive(), z.number().positive()]).optional(),
  verdict: verdictSchema.optional(),
  /** What is wrong with its kernel, in words. */
  fault: z.string().optional(),
  processes: z.int().nonnegative(),
  samples: z.int().nonnegative(),
});
export type MeasurementSummary = z.infer<typeof measurementSummarySchema>;

/** A series as far as retention has left it. */
const storedSeriesSchema = seriesSchema.extend({
  /** Empty where retention took the samples. */
  samples_ms: z.array(z.number().positive()),
  /** There were this many; those left are their order statistics, evenly spaced. */
  thinned_from: z.int().positive().optional(),
});
export type StoredSeries = z.infer<typeof storedSeriesSchema>;

export const storedMeasurementSchema = measurementSummarySchema
  .omit({ processes: true, samples: true })
  .extend({ series: z.array(storedSeriesSchema) });
export type StoredMeasurement = z.infer<typeof storedMeasurementSchema>;

/** A verdict of a run about one key. */
const storedVerdictSchema = z.object({
  key: historyKeySchema,
  verdict: verdictSchema,
  change_pct: z.number().optional(),
  ci_pct: intervalSchema.optional(),
  baseline_ms: z.number().positive().optional(),
  candidate_ms: z.number().positive().optional(),
  waived: z.boolean(),
  /** Why, in words. */
  reason: z.string().optional(),
});
export type StoredVerdict = z.infer<typeof storedVerdictSchema>;

const sideDocumentSchema = samplesSchema.extend({
  measurements: z.array(measurementSchema.omit({ series: true })),
});

/** A run as it was stored, without its series. */
const runDocumentSchema = storedRunSchema.extend({
  sides: z.object({
    head: sideDocumentSchema,
    base: sideDocumentSchema.optional(),
    control: sideDocumentSchema.optional(),
  }),
});
export type RunDocument = z.infer<typeof runDocumentSchema>;

export const runDetailSchema = z.object({
  run: historyRunSchema,
  document: runDocumentSchema,
  measurements: z.array(measurementSummarySchema),
  /** Measurements that a report in one file has no room for. */
  left_out: z.int().positive().optional(),
  verdicts: z.array(storedVerdictSchema),
  commits: z.array(commitFactsSchema),
});
/** A stored run with its measurements, verdicts and commits. */
export type RunDetail = z.infer<typeof runDetailSchema>;

/** Two measurements of any two runs, judged on what was stored of them. */
export const pointComparisonSchema = z.object({
  schema: z.literal('pawl.point-comparison/1'),
  a: measurementSummarySchema,
  /** What is judged; `a` is what it is judged against. */
  b: measurementSummarySchema,
  comparison: comparisonSchema,
  /** Of at least one of them retention has left only a part of the samples: the estimate is rougher. */
  thinned: z.boolean(),
});
export type PointComparison = z.infer<typeof pointComparisonSchema>;

const profileSummarySchema = z.object({
  id: z.string(),
  time: z.string(),
  kernel: z.string(),
  case: z.string(),
  mode: z.string(),
  commit: z.string().optional(),
  summary: z.string().optional(),
});
export type ProfileSummary = z.infer<typeof profileSummarySchema>;

export const storedProfileSchema = profileSummarySchema.extend({
  report: profileReportSchema,
  /** The one-pager and the like, by name: text, to be shown as text or in a sandbox. */
  files: z.record(z.string(), z.string()),
});
export type StoredProfile = z.infer<typeof storedProfileSchema>;

const studySummarySchema = z.object({
  id: z.string(),
  kernel: z.string(),
  started_at: z.string(),
  finished_at: z.string().optional(),
  trials: z.int().nonnegative(),
  measured: z.int().nonnegative(),
  /** Of the fastest trial, which is partly luck: what counts is `confirmed`. */
  best_ms: z.number().positive().optional(),
  case: z.string().optional(),
  /** The device's name. */
  device: z.string().optional(),
  result: z.enum(STUDY_RESULTS).optional(),
  /** The winner beside the default, in fresh processes; absent where nothing was shown to be faster. */
  confirmed: z
    .object({
      trial: z.int().positive(),
      speedup: z.number().positive().optional(),
      speedup_ci: z.tuple([z.number().positive(), z.number().positive()]).optional(),
    })
    .optional(),
});
export type StudySummary = z.infer<typeof studySummarySchema>;

export const storedStudySchema = studySummarySchema.extend({
  /** As the study describes itself. */
  document: z.unknown(),
  trials_list: z.array(trialSchema),
});
export type StoredStudy = z.infer<typeof storedStudySchema>;

const costRowSchema = z.object({
  /** `2026-11-15`, in UTC. */
  day: z.string(),
  kind: z.enum(RUN_KINDS),
  runs: z.int().nonnegative(),
  device_s: z.number().nonnegative(),
  currency: z.string().optional(),
  amount: z.number().nonnegative(),
});
export type CostRow = z.infer<typeof costRowSchema>;

export const keysPageSchema = pageOf(historyKeySchema);
export const runsPageSchema = pageOf(historyRunSchema);
export const profilesPageSchema = pageOf(profileSummarySchema);
export const studiesPageSchema = pageOf(studySummarySchema);
export const devicesPageSchema = pageOf(judgedDeviceSchema);
/** A commit as pages show it. */
export const toldCommitSchema = commitFactsSchema.extend({
  /** That it was measured for, or merged by. */
  pull_request: z.int().positive().optional(),
  /** Their pages, where the repository's host is known. */
  url: z.string().optional(),
  pull_request_url: z.string().optional(),
});
export type ToldCommit = z.infer<typeof toldCommitSchema>;
export const commitsPageSchema = pageOf(toldCommitSchema);
export const costsPageSchema = pageOf(costRowSchema);

/** An optimisation session, with what was aimed at and predicted beside its outcome. */
const listedSessionSchema = sessionSummarySchema.extend({
  revision: z.int().nonnegative(),
  by: z.string().optional(),
  goal: goalSchema,
  /** Absent while it goes on. */
  reached: z.boolean().optional(),
  prediction: predictionSchema,
});
export type ListedSession = z.infer<typeof listedSessionSchema>;
export const sessionsPageSchema = pageOf(listedSessionSchema);

export const uploadSchema = z.object({
  run: storedRunSchema,
  /** What is known of the commits that it names. */
  commits: z.array(commitFactsSchema).max(10_000).optional(),
});
export type Upload = z.infer<typeof uploadSchema>;

export const uploadedSchema = z.object({
  id: z.string(),
  /** False: it was there already. */
  stored: z.boolean(),
});

/** RFC 9457. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  /** What to do about it. */
  hint: z.string().optional(),
});
export type Problem = z.infer<typeof problemSchema>;

export const healthSchema = z.object({
  status: z.enum(['ok', 'unavailable', 'stopping']),
  version: z.string(),
});
