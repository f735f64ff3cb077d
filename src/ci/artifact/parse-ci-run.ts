import { isRecord } from '../../model/is-record.ts';
import { CI_SCHEMA, ciRunSchema, type CiRun } from '../../model/reports/ci-run.ts';
import { PawlError } from '../../model/pawl-error.ts';
import { contradictionIn } from './contradiction.ts';
import { parseBoundedJson } from './bounded-json.ts';

/** What a compiler or a kernel printed may be long; a report shows this much of it. */
const STRING_CHARACTERS = 4000;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/u;
const VERSION = /^\w[\w.+-]{0,40}$/u;

/**
 * The report of a run whose code a stranger wrote: bounded, of the right form, and without numbers that contradict
 * each other. Messages hold nothing of the report itself, for they end up in a log that a runner reads commands from.
 */
export function parseCiRun(bytes: Uint8Array): CiRun {
  const value = parseBoundedJson(bytes);
  const schema = isRecord(value) ? value['schema'] : undefined;
  if (schema !== CI_SCHEMA) {
    throw new PawlError(
      'bad-data',
      typeof schema === 'string' && /^pawl\.ci\/\d{1,4}$/u.test(schema)
        ? `the report has the format ${schema}; this version of Pawl reads ${CI_SCHEMA}`
        : `the report does not have the format ${CI_SCHEMA}`,
      'Run the same version of Pawl in both workflows.',
    );
  }
  const result = ciRunSchema.safeParse(clipStrings(value));
  if (!result.success) throw unfit(result.error.issues[0]?.path ?? []);
  const run = result.data;
  if (!TIME.test(run.started_at)) throw unfit(['started_at']);
  if (!VERSION.test(run.pawl_version)) throw unfit(['pawl_version']);
  if (new Set(run.steps.map(({ name }) => name)).size !== run.steps.length) throw unfit(['steps']);
  const contradiction = contradictionIn(run);
  if (contradiction !== undefined) {
    throw new PawlError('bad-data', `the report contradicts itself: ${contradiction}`);
  }
  return run;
}

/** Names of fields are shown where they are words of the schema; others come from the report. */
function unfit(path: readonly PropertyKey[]): PawlError {
  const shown = path
    .slice(0, 12)
    .map((part) => (typeof part === 'number' || /^[a-z_]{1,24}$/u.test(String(part)) ? String(part) : '…'));
  return new PawlError('bad-data', `the report does not match its schema at ${shown.join('.') || 'its top'}`);
}

function clipStrings(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, STRING_CHARACTERS);
  if (Array.isArray(value)) return value.map(clipStrings);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, clipStrings(member)]));
}
