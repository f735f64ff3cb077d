import { BASELINE_SCHEMA, baselineSchema, type BaselineDocument } from '../model/judge/baseline.ts';
import { jsonFault } from '../model/json-fault.ts';
import { PawlError } from '../model/pawl-error.ts';

const VERSION = Number(BASELINE_SCHEMA.split('/')[1]);

/**
 * Reads the text of a baseline file. What cannot be understood is refused with a remedy: a baseline that is guessed
 * at, or written over, is lost.
 *
 * @param label how the file is called in messages
 */
export function parseBaseline(text: string, label: string): BaselineDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw notJson(text, label, jsonFault(error, text));
  }
  const schema = typeof value === 'object' && value !== null && 'schema' in value ? value.schema : undefined;
  if (schema !== BASELINE_SCHEMA) throw otherSchema(schema, label);
  const parsed = baselineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
  throw new PawlError(
    'bad-data',
    `${label} is not a valid ${BASELINE_SCHEMA} file${where}: ${issue?.message ?? 'it does not fit the schema'}`,
    restoreHint(label),
  );
}

function notJson(text: string, label: string, message: string): PawlError {
  if (text.trim() === '') {
    return new PawlError('bad-data', `${label} is empty`, restoreHint(label));
  }
  if (/^<{7} /m.test(text)) {
    return new PawlError(
      'bad-data',
      `${label} has merge conflict markers`,
      `Take one side completely (git checkout --ours or --theirs -- ${label}) and repeat what the other side changed; a log cannot be merged by hand.`,
    );
  }
  const isCutShort = !text.trimEnd().endsWith('}');
  const what = isCutShort ? 'is truncated' : `is not JSON (${message})`;
  return new PawlError('bad-data', `${label} ${what}`, restoreHint(label));
}

function otherSchema(schema: unknown, label: string): PawlError {
  const version = typeof schema === 'string' ? /^pawl\.baseline\/(\d{1,9})$/.exec(schema)?.[1] : undefined;
  if (version !== undefined && Number(version) > VERSION) {
    return new PawlError(
      'bad-data',
      `${label} was written by a newer Pawl: its schema is ${String(schema)}, this one reads ${BASELINE_SCHEMA}`,
      'Update Pawl; the file was not changed.',
    );
  }
  const found =
    typeof schema === 'string' ? `its schema is ${JSON.stringify(schema.slice(0, 60))}` : 'it has no schema';
  return new PawlError(
    'bad-data',
    `${label} is not a baseline: ${found}, expected ${BASELINE_SCHEMA}`,
    'Check the file name; this file was not changed.',
  );
}

function restoreHint(label: string): string {
  return `Restore the last good version (git restore -- ${label}); the file was not changed.`;
}
