/** The queue behind `pawl judge`: what is submitted, what becomes of it, who may do what, and the leaderboard. */
import { z } from 'zod';

import { candidateNameSchema, judgementErrorSchema, judgementSchema } from './judgement.ts';
import { speedupSchema } from '../judge/race.ts';
import { verdictSchema } from '../judge/comparison.ts';

/** What a token lets its holder do. `work`: lease submissions over HTTP and answer them. `admin`: all of it, for every tenant. */
export const QUEUE_ROLES = ['submit', 'read', 'work', 'admin'] as const;
export type QueueRole = (typeof QUEUE_ROLES)[number];

/** Names of tenants, and ids that clients choose. */
export const tenantNameSchema = z.string().regex(/^[A-Za-z0-9][\w.-]{0,63}$/, {
  error: 'up to 64 letters, digits, points, dashes and underscores',
});
const clientIdSchema = z.string().regex(/^[\w.:~-]{1,200}$/, {
  error: 'up to 200 letters, digits, points, colons, dashes and underscores',
});
/** For people: printable, one line. */
const labelSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: 'one line of printable characters' });

/** No candidate that comes over a network is larger; the server's limit on bodies is above it. */
const MOST_FILES = 200;
const MOST_SOURCE_BYTES = 4 * 2 ** 20;

const filesSchema = z.record(candidateNameSchema, z.string()).superRefine((files, context) => {
  const names = Object.keys(files);
  if (names.length === 0) context.addIssue({ code: 'custom', message: 'the candidate has no files' });
  if (names.length > MOST_FILES) {
    context.addIssue({ code: 'custom', message: `more than ${MOST_FILES} files` });
  }
  const bytes = Object.values(files).reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0);
  if (bytes > MOST_SOURCE_BYTES) {
    context.addIssue({ code: 'custom', message: `more than ${MOST_SOURCE_BYTES} bytes of sources` });
  }
});

/** What is sent to `POST /api/judge`. */
export const submissionRequestSchema = z.strictObject({
  /** The name of a problem that this server offers. */
  problem: z.string().min(1).max(200),
  /** Texts by their names. */
  files: filesSchema,
  /** The client's own name for it: the same id sent twice is one submission, also where the first answer was lost. */
  id: clientIdSchema.optional(),
  /** Who wrote it, for the leaderboard. */
  author: labelSchema.optional(),
  /** Within the tenant: higher ones first. */
  priority: z.int().min(-10).max(10).default(0),
  /** Judge it although the same sources have a judgement. */
  fresh: z.boolean().default(false),
  /** Only on devices of this class, as the leaderboard names them. */
  device_class: z.string().min(1).max(300).optional(),
});
export type SubmissionRequest = z.output<typeof submissionRequestSchema>;

const SUBMISSION_STATES = ['queued', 'leased', 'judged', 'failed', 'cancelled'] as const;
export type SubmissionState = (typeof SUBMISSION_STATES)[number];

export const SUBMISSION_SCHEMA = 'pawl.submission/1';

/** A submission that has no answer yet, or was cancelled. */
export const submissionSchema = z.object({
  schema: z.literal(SUBMISSION_SCHEMA),
  id: z.string(),
  state: z.enum(SUBMISSION_STATES),
  problem: z.string(),
  tenant: z.string(),
  author: z.string().optional(),
  /** As the client named it. */
  client_id: z.string().optional(),
  priority: z.int(),
  device_class: z.string().optional(),
  submitted_at: z.string(),
  /** Leases that ended without an answer. */
  lost: z.int().nonnegative(),
  sources_sha256: z.string(),
});

/** What the server answers about a submission: told apart by `schema`. */
export const submissionAnswerSchema = z.discriminatedUnion('schema', [
  judgementSchema,
  judgementErrorSchema,
  submissionSchema,
]);
export type SubmissionAnswer = z.infer<typeof submissionAnswerSchema>;

export const sourcesSchema = z.object({ id: z.string(), files: z.record(z.string(), z.string()) });

const tenantSchema = z.object({
  name: tenantNameSchema,
  /** Its share of the workers, beside those of the others. */
  weight: z.number().positive(),
  /** Submissions that may wait at a time. */
  most_queued: z.int().nonnegative(),
  /** Submissions that are queued on one day (UTC). */
  most_per_day: z.int().nonnegative(),
  /** Submissions per second, over time, and at once. */
  rate_per_s: z.number().positive(),
  burst: z.int().positive(),
  suspended: z.boolean(),
});
export type Tenant = z.infer<typeof tenantSchema>;

const tenantStatusSchema = z.object({
  ...tenantSchema.shape,
  queued: z.int(),
  leased: z.int(),
  judged: z.int(),
  failed: z.int(),
  /** Since when the oldest one waits. */
  oldest_queued_at: z.string().optional(),
  tokens: z.array(
    z.object({
      id: z.string(),
      roles: z.array(z.enum(QUEUE_ROLES)),
      label: z.string().optional(),
      created_at: z.string(),
      expires_at: z.string().optional(),
      revoked_at: z.string().optional(),
    }),
  ),
});

const offeredProblemSchema = z.object({
  problem: z.string(),
  /** By class of device: what judges it now. */
  judges: z.array(
    z.object({
      device_class: z.string(),
      /** Of oracle, tolerance, cases, reference and device: judgements of another identity do not answer for this one. */
      identity: z.string(),
      reference: z.string(),
      since: z.string(),
    }),
  ),
});

export const QUEUE_STATUS_SCHEMA = 'pawl.queue/1';
/** `pawl queue status --json`. */
export const queueStatusSchema = z.object({
  schema: z.literal(QUEUE_STATUS_SCHEMA),
  tenants: z.array(tenantStatusSchema),
  problems: z.array(offeredProblemSchema),
  workers: z.array(
    z.object({
      worker: z.string(),
      device_class: z.string(),
      began_at: z.string(),
      seen_at: z.string(),
      holds: z.int(),
    }),
  ),
});
export type QueueStatus = z.infer<typeof queueStatusSchema>;

const rankedCandidateSchema = z.object({
  /** Of the first submission of these sources. */
  id: z.string(),
  tenant: z.string(),
  author: z.string().optional(),
  verdict: verdictSchema,
  speedup: speedupSchema,
  reward: z.number().nonnegative(),
  /** The places that the intervals leave open: `[2, 2]` is shown, `[1, 3]` is not told apart from two others. */
  rank: z.tuple([z.int().positive(), z.int().positive()]),
  sources_sha256: z.string(),
  submitted_at: z.string(),
  judged_at: z.string(),
  /** How often these sources were judged; the row is the lower median of them. */
  judgements: z.int().positive(),
});
export type RankedCandidate = z.infer<typeof rankedCandidateSchema>;

export const LEADERBOARD_SCHEMA = 'pawl.leaderboard/1';
export const leaderboardSchema = z.object({
  schema: z.literal(LEADERBOARD_SCHEMA),
  problem: z.string(),
  reference: z.string().optional(),
  device_class: z.string().optional(),
  identity: z.string().optional(),
  /** Classes of devices that have a leaderboard of this problem. */
  device_classes: z.array(z.string()),
  /** Right, clean and timed; the highest reward first. */
  candidates: z.array(rankedCandidateSchema),
  /** Judged in all, whatever came of it. */
  judged: z.int().nonnegative(),
  authors: z.array(
    z.object({
      author: z.string(),
      candidates: z.int().positive(),
      best_reward: z.number(),
      rank: z.tuple([z.int().positive(), z.int().positive()]),
    }),
  ),
  /** Each candidate that had the highest reward when it was judged. */
  records: z.array(
    z.object({
      at: z.string(),
      id: z.string(),
      author: z.string().optional(),
      speedup: speedupSchema,
      reward: z.number(),
    }),
  ),
});
export type Leaderboard = z.infer<typeof leaderboardSchema>;

export const problemsPageSchema = z.object({ items: z.array(offeredProblemSchema) });
