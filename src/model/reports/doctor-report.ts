/** `pawl.doctor/1`: what `pawl doctor --json` prints. */
import { z } from 'zod';

export const DOCTOR_SCHEMA = 'pawl.doctor/1';

const checkStateSchema = z.enum(['ok', 'warning', 'missing', 'failed', 'skipped']);

const doctorGroupSchema = z.enum(['project', 'host', 'compilers', 'gpu', 'profilers', 'python']);
export type DoctorGroup = z.infer<typeof doctorGroupSchema>;

/** What `--fix` would run, after asking. */
const doctorFixSchema = z.object({ description: z.string(), command: z.array(z.string()).min(1) });
export type DoctorFix = z.infer<typeof doctorFixSchema>;

export const doctorProbeSchema = z.object({
  id: z.string(),
  group: doctorGroupSchema,
  title: z.string(),
  state: checkStateSchema,
  detail: z.string(),
  remedy: z.string().optional(),
  fix: doctorFixSchema.optional(),
  needed_for: z.string(),
  /** Without it the configured kernels cannot be measured; everything else is advice. */
  required: z.boolean(),
});
export type DoctorProbe = z.infer<typeof doctorProbeSchema>;

export const doctorReportSchema = z.object({
  schema: z.literal(DOCTOR_SCHEMA),
  /** Nothing required is missing or failed. */
  ready: z.boolean(),
  /** In a sentence: what stands in the way, or that nothing does. */
  summary: z.string(),
  checks: z.array(doctorProbeSchema),
});
export type DoctorReport = z.infer<typeof doctorReportSchema>;

/** Not in the way, and could be better. */
export function isAdvice(check: DoctorProbe): boolean {
  return !isInTheWay(check) && check.state !== 'ok' && check.state !== 'skipped';
}

export function isInTheWay(check: DoctorProbe): boolean {
  return check.required && (check.state === 'missing' || check.state === 'failed');
}
