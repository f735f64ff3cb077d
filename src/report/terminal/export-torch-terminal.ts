import type { TorchExportReport } from '../../model/reports/torch-export.ts';
import { variantText } from '../../model/problem/variant.ts';
import { painter } from './paint.ts';
import { padEnd, plainText } from '../text/plain-text.ts';

export function renderTorchExport(
  report: TorchExportReport,
  options: { readonly color?: boolean } = {},
): string {
  const paint = painter(options.color ?? false);
  const { dispatch, proof } = report;
  const { rows, variants, operator } = dispatch;
  const shapes = rows.map((row) =>
    Object.entries({ ...row.dims, ...row.scalars })
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
  );
  const width = Math.max(...shapes.map((shape) => shape.length));
  const table = rows.map((row, at) => {
    const { kernel, variant } = variants[row.variant]!;
    const [low, high] = row.time.ci_ms ?? [];
    const interval = low === undefined ? '' : ` (${micros(low)} to ${micros(high!)})`;
    const settings = variantText(variant);
    return `${padEnd(shapes[at]!, width)}  ${micros(row.time.median_ms)} µs${interval}  ${kernel}${settings === '' ? '' : ` ${settings}`}`;
  });
  const cases = (proof.fuzz ?? []).reduce((sum, { passed }) => sum + passed, 0);
  const isSameCode = variants.every(({ same_code }) => same_code === 'machine-code');
  const facts = [
    `${rows.length} ${rows.length === 1 ? 'shape' : 'shapes'} on ${operator.device_name}, ${variants.length} ${variants.length === 1 ? 'variant' : 'variants'}; other shapes ${dispatch.fallback === undefined ? 'are refused' : `go to ${dispatch.fallback}`}`,
    proof.fuzz === undefined
      ? 'results as the baseline verified them; no generated cases were run'
      : `${cases} declared and generated cases are right`,
    isSameCode ? 'the measured machine code' : 'the measured sources, built again',
    ...(proof.changed.length === 0
      ? []
      : [`the working tree differs from its commit: ${proof.changed.join(', ')}`]),
  ];
  return `${[
    `${paint('bold', report.operator)}  ${paint('dim', report.folder)}`,
    `  ${operator.schema}`,
    '',
    ...table.map((line) => `  ${plainText(line)}`),
    '',
    ...facts.map((fact) => `  ${plainText(fact)}`),
    ...report.notes.map((note) => `${paint('yellow', '!')} ${plainText(note)}`),
    '',
    `  python -m ${report.package}.selftest    # from ${plainText(parentOf(report.folder))}`,
  ].join('\n')}\n`;
}

function micros(time_ms: number): number {
  return Number((time_ms * 1000).toPrecision(3));
}

function parentOf(folder: string): string {
  return folder.slice(0, folder.lastIndexOf('/')) || '/';
}
