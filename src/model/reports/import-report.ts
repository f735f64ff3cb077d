/** `pawl.import/1`: what `pawl import` made of other tools' files, and what it did not. */
import { z } from 'zod';

export const IMPORT_SCHEMA = 'pawl.import/1';

/** The formats that can be read, in the order in which help shows them. */
export const IMPORT_FORMATS = [
  'nvbench',
  'google-benchmark',
  'pytest-benchmark',
  'hyperfine',
  'criterion',
  'triton',
  'tritonbench',
  'torch-profiler',
  'nsys',
  'bencher',
  'kernelbench',
  'seed-current',
  'seed-comprehensive',
  'pawl',
] as const;
const importFormatSchema = z.enum(IMPORT_FORMATS);
export type ImportFormat = z.infer<typeof importFormatSchema>;

/** The formats that can be written. */
export const EXPORT_FORMATS = ['junit', 'bencher', 'google-benchmark', 'markdown', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** `unit`: how numbers became milliseconds; `dropped`: what was left out; `doubt`: what was taken and may be wrong. */
const importNoteSchema = z.object({ kind: z.enum(['unit', 'dropped', 'doubt']), text: z.string() });
export type ImportNote = z.infer<typeof importNoteSchema>;

export const importReportSchema = z.object({
  schema: z.literal(IMPORT_SCHEMA),
  /** One for each file or folder that was named. */
  files: z.array(
    z.object({
      file: z.string(),
      format: importFormatSchema,
      /** Which processes of the result it gave. */
      processes: z.array(z.int().positive()),
      measurements: z.int().nonnegative(),
      samples: z.int().nonnegative(),
      notes: z.array(importNoteSchema),
    }),
  ),
  measurements: z.int().nonnegative(),
  series: z.int().nonnegative(),
  samples: z.int().nonnegative(),
  /** Processes of which only a summary is known. */
  summaries: z.int().nonnegative(),
  /** What cannot be concluded from the result, and what would change that. */
  limits: z.array(z.string()),
  /** Where the samples were written. */
  out: z.string().optional(),
});
export type ImportReport = z.infer<typeof importReportSchema>;
