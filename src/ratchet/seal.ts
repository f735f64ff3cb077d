import { createHmac, timingSafeEqual } from 'node:crypto';

import { BASELINE_SCHEMA, type Baseline, type BaselineDocument } from '../model/judge/baseline.ts';
import { hashOf } from '../os/canonical-json.ts';
import { GENESIS } from './log.ts';

/** Ties the entries to the log: neither can be exchanged without the other. */
export function integrityOf({ entries, log }: Baseline): string {
  return hashOf({ entries, head: log.at(-1)?.hash ?? GENESIS });
}

function signatureOf(integrity: string, key: string): string {
  return createHmac('sha256', key).update(integrity).digest('hex');
}

export function isSignedBy(document: BaselineDocument, key: string): boolean {
  if (document.signature === undefined) return false;
  const expected = Buffer.from(signatureOf(document.integrity, key), 'hex');
  const actual = Buffer.from(document.signature, 'hex');
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

export function sealBaseline({ entries, log }: Baseline, key: string | undefined): BaselineDocument {
  const integrity = integrityOf({ entries, log });
  return {
    schema: BASELINE_SCHEMA,
    entries: [...entries],
    log: [...log],
    integrity,
    ...(key === undefined ? {} : { signature: signatureOf(integrity, key) }),
  };
}

/** As it stands in the file: indented, with a series on a line, so that a diff shows what changed. */
export function baselineText(document: BaselineDocument): string {
  return `${indented(document, '')}\n`;
}

function indented(value: unknown, margin: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${margin}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((each) => indented(each, inner))
    : Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .map(([name, each]) => `${JSON.stringify(name)}: ${indented(each, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return `${open}${close}`;
  if (isList && value.every((each) => typeof each === 'number')) return `[${parts.join(', ')}]`;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${margin}${close}`;
}
