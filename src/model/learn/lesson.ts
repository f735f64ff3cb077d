/**
 * `pawl.lessons/1`: patterns of what goes wrong and how to fix it. `method/lessons.yaml` has Pawl's own; a
 * project's grow in `lessons.yaml` beside pawl.yaml (`method.lessons`), which is committed and shared.
 */
import { z } from 'zod';

import { RULE_IDS } from '../profile/diagnosis-words.ts';
import { LESSONS_SCHEMA } from './lessons-schema-name.ts';

/** What a lesson is recognised by; any one that is given and seen is a match. */
const symptomSchema = z.strictObject({
  /** Findings of a profile. */
  rules: z.array(z.enum(RULE_IDS)).optional(),
  /** A formula over facts of the session: `speedup < 0.1`. */
  facts: z.string().optional(),
  /** Regular expressions on lines that a change adds, on the kernel's sources, and on what failed builds and runs say. */
  change: z.array(z.string()).optional(),
  code: z.array(z.string()).optional(),
  error: z.array(z.string()).optional(),
  /** Tunables and constants that a change moves, and in which direction: `BLOCK_N: up`; `*` stands for any text. */
  tunables: z.record(z.string(), z.enum(['up', 'down', 'any'])).optional(),
  /** A formula over facts that must hold as well: it is not a symptom on its own. It does not hold for unknown facts. */
  when: z.string().optional(),
});

/** Where it holds. What is left out holds everywhere. */
const scopeSchema = z.strictObject({
  /** Names of devices, `*` for any text: `NVIDIA L4`, `NVIDIA H*`. */
  devices: z.array(z.string()).optional(),
  /** Kinds of kernels: the name of the problem in pawl.yaml. */
  kinds: z.array(z.string()).optional(),
  languages: z.array(z.string()).optional(),
  /** Kinds of devices: a lesson about warps says nothing about a CPU. */
  hardware: z.array(z.enum(['cpu', 'cuda'])).optional(),
});

export const lessonEvidenceSchema = z.strictObject({
  date: z.string().optional(),
  device: z.string().optional(),
  kernel: z.string().optional(),
  session: z.string().optional(),
  /** After the change, over what was before it. */
  speedup: z.number().positive().optional(),
  note: z.string().optional(),
});

export const lessonSchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  title: z.string(),
  symptom: symptomSchema,
  cause: z.string(),
  fix: z.string(),
  scope: scopeSchema.default({}),
  evidence: z.array(lessonEvidenceSchema).default([]),
  /** Who says so: shipped with Pawl, learnt in a session, or corrected by an expert. */
  source: z.enum(['method', 'session', 'expert']),
  by: z.string().optional(),
  /** Later found wrong: kept, not preached. */
  withdrawn: z.string().optional(),
});
/** A known mistake: its symptom, cause and fix, the kernels and devices it applies to, and the evidence. */
export type Lesson = z.infer<typeof lessonSchema>;

export const lessonsSchema = z.strictObject({
  schema: z.literal(LESSONS_SCHEMA),
  lessons: z.array(lessonSchema),
});
/** A file of lessons (`pawl.lessons/1`). */
export type Lessons = z.infer<typeof lessonsSchema>;

/** How near something was seen, nearest first: the same device and kind of kernel; the kind, on another device; another kind. */
export const NEARNESS = ['same-device', 'same-kind', 'other-kind'] as const;
/** Documents have it from before it was said what it means. */
const OTHER_KIND_BEFORE = 'other-device';
const nearnessSchema = z
  .enum([...NEARNESS, OTHER_KIND_BEFORE])
  .transform((nearness) => (nearness === OTHER_KIND_BEFORE ? 'other-kind' : nearness))
  .pipe(z.enum(NEARNESS));

/** For `JSON.parse` of what no schema reads: warnings as they are written now. */
export function reviveWarnings(key: string, value: unknown): unknown {
  return key === 'nearness' && value === OTHER_KIND_BEFORE ? nearnessSchema.parse(value) : value;
}

/** What a lesson is recognised by, surest first: what a failure said, what the change does, what was known before it. */
export const SYMPTOMS = ['error', 'tunables', 'change', 'facts', 'rules', 'code'] as const;
export type Symptom = (typeof SYMPTOMS)[number];

const WARNING_KINDS = ['lesson', 'earlier-try'] as const;

/** A lesson, or an earlier try, that what is about to be tried resembles. */
export const warningSchema = z.object({
  kind: z.enum(WARNING_KINDS),
  /** Of the lesson, or of the session and try: `20261103-101500-attention/try-2`. */
  id: z.string(),
  /** One sentence: "tried on 3 Nov on NVIDIA L4, 0.75×, because …". */
  text: z.string(),
  /** What matched: the rule, the line, the tunable. */
  matched: z.string(),
  /** What of a lesson's symptoms that is, or what an earlier try has in common; absent in documents of earlier versions. */
  matched_by: z.enum([...SYMPTOMS, 'idea', 'kernel']).optional(),
  fix: z.string().optional(),
  /** How alike this session's kernel kind and device are to where it was seen. */
  nearness: nearnessSchema,
});
/** A lesson or an earlier try that fits what is being done, and what it was matched by. */
export type Warning = z.infer<typeof warningSchema>;
