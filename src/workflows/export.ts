import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';

import { bencherJson } from '../adapters/exports/bencher.ts';
import { csvTable } from '../adapters/exports/csv.ts';
import { exportRows, type ExportDocument } from '../adapters/exports/export-row.ts';
import { googleBenchmarkJson } from '../adapters/exports/google-benchmark.ts';
import { junitXml } from '../adapters/exports/junit.ts';
import { writeDurably } from '../os/write-durably.ts';
import { CHECK_SCHEMA, checkReportSchema, type CheckReport } from '../model/reports/check-report.ts';
import { COMPARISON_SCHEMA, comparisonSchema } from '../model/judge/comparison.ts';
import type { ExportFormat } from '../model/reports/import-report.ts';
import { jsonFault } from '../model/json-fault.ts';
import { PawlError } from '../model/pawl-error.ts';
import { parseSamples } from '../model/measure/parse-samples.ts';
import { SAMPLES_SCHEMA } from '../model/measure/samples.ts';
import { PAWL_VERSION } from '../model/version.ts';
import { renderComparisonMarkdown } from '../report/markdown/comparison-markdown.ts';
import { renderSamplesMarkdown } from '../report/markdown/samples-markdown.ts';

/** JavaScript's strings end at 512 Mi characters. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The document to convert, and the format. */
export interface ExportOptions {
  /** Samples, a comparison, or the report of a check. */
  readonly file: string;
  readonly to: ExportFormat;
  /** Also write the text to this file. */
  readonly out?: string | undefined;
}

/**
 * Converts samples, a comparison or the report of a check into the format of another tool, and returns the text.
 *
 * @throws {PawlError} of kind `usage` if the file does not exist; `bad-data` if it is none of those documents
 */
export async function exportFile({ file, to, out }: ExportOptions): Promise<string> {
  const document = await readDocument(file);
  const text = written(document, to);
  if (out !== undefined) await writeDurably(resolve(out), text);
  return text;
}

interface Document {
  readonly content: ExportDocument;
  readonly report: CheckReport | undefined;
}

function written({ content, report }: Document, to: ExportFormat): string {
  const rows = exportRows(content);
  switch (to) {
    case 'junit':
      return content.kind === 'comparison'
        ? junitXml(rows, content.comparison.missing)
        : junitXml(rows, [], content.samples.skipped);
    case 'bencher':
      return bencherJson(rows);
    case 'google-benchmark':
      return googleBenchmarkJson(rows, PAWL_VERSION);
    case 'csv':
      return csvTable(rows);
    case 'markdown':
      return report === undefined ? renderSamplesMarkdown(rows) : renderComparisonMarkdown(report);
  }
}

async function readDocument(file: string): Promise<Document> {
  const value = await readJson(file);
  const schema = typeof value === 'object' && value !== null && 'schema' in value ? value.schema : undefined;
  if (schema === SAMPLES_SCHEMA) {
    const parsed = parseSamples(value);
    if (parsed.success) return { content: { kind: 'samples', samples: parsed.data }, report: undefined };
  } else if (schema === CHECK_SCHEMA) {
    const parsed = checkReportSchema.safeParse(value);
    if (parsed.success) return compared(parsed.data);
  } else if (schema === COMPARISON_SCHEMA) {
    const parsed = comparisonSchema.safeParse(value);
    if (parsed.success) {
      const { verdict, cases } = parsed.data;
      const new_cases = cases.filter((one) => one.verdict === 'new');
      const nothing = { notes: [], waived: [], advanced: [], files: {} };
      return compared({ schema: CHECK_SCHEMA, verdict, comparison: parsed.data, new_cases, ...nothing });
    }
  } else {
    throw new PawlError(
      'bad-data',
      `${basename(file)} is not a samples file, a comparison or a check report.`,
      'pawl bench --out, pawl import -o, pawl compare --json and pawl check --json write such files.',
    );
  }
  throw new PawlError(
    'bad-data',
    `${basename(file)} does not match the schema ${schema}.`,
    'docs/schemas describes the formats.',
  );
}

function compared(report: CheckReport): Document {
  const { comparison, waived } = report;
  return { content: { kind: 'comparison', comparison, waived }, report };
}

async function readJson(file: string): Promise<unknown> {
  let text;
  try {
    if ((await stat(file)).size > MAX_BYTES) {
      throw new PawlError(
        'bad-data',
        `${basename(file)} has more than ${MAX_BYTES >> 20} MiB.`,
        'Export it in parts.',
      );
    }
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EISDIR') throw error;
    throw new PawlError('usage', `There is no file ${file}.`, 'Give a file that Pawl wrote.');
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PawlError(
      'bad-data',
      `${basename(file)} is not JSON: ${jsonFault(error, text)}.`,
      'Create it again.',
    );
  }
}
