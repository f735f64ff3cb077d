import type { Study } from '../../model/tune/study-report.ts';
import { measuredTrials } from '../../model/tune/measured-trials.ts';
import { variantText, type Variant } from '../../model/problem/variant.ts';

const DISPATCH_SCHEMA = 'pawl.dispatch/1';

interface DispatchRow {
  readonly case: string;
  readonly dims: Readonly<Record<string, number>>;
  readonly variant: Variant;
  readonly time_ms: number | undefined;
  /** Confirmed, or the default because nothing was. */
  readonly result: Study['result'];
  readonly study: string;
}

/** Which variant to use for which shape. */
export interface DispatchTable {
  readonly schema: typeof DISPATCH_SCHEMA;
  readonly kernel: string;
  readonly device: string;
  readonly rows: readonly DispatchRow[];
  /** One variant that is nearly the best for every shape: use it, and no table is needed. */
  readonly one: { readonly variant: Variant; readonly worst_loss_pct: number } | undefined;
  readonly advice: string;
}

/** A loss that is smaller than what a second binary and a branch are worth. */
const CLOSE_PCT = 2;

export function dispatchTable(studies: readonly Study[]): DispatchTable {
  const [first] = studies;
  if (first === undefined) throw new Error('a dispatch table of no studies');
  const rows = studies.map((study): DispatchRow => {
    const isWinner = study.result === 'improved' && study.best !== undefined;
    return {
      case: study.case,
      dims: study.dims,
      variant: isWinner ? study.best!.variant : study.default,
      time_ms: isWinner ? study.best!.time_ms : study.default_ms,
      result: study.result,
      study: study.id,
    };
  });
  const one = closeToAll(studies, rows);
  return {
    schema: DISPATCH_SCHEMA,
    kernel: first.kernel,
    device: first.device.name,
    rows,
    one,
    advice: adviceOf(rows, one),
  };
}

/** The variant with the smallest worst loss against each shape's own choice, where that is small. */
function closeToAll(studies: readonly Study[], rows: readonly DispatchRow[]): DispatchTable['one'] {
  const tables = studies.map(
    ({ trials }) =>
      new Map(
        measuredTrials(trials)
          .filter(({ outcome }) => !outcome.stopped_early)
          .map(({ trial, outcome }) => [variantText(trial.variant), { ...trial, ...outcome }] as const),
      ),
  );
  const best = [...(tables[0]?.keys() ?? [])]
    .flatMap((text) => {
      const losses = tables.map((table, index) => {
        // Times of the search against times of the search: a confirmation's would be measured otherwise.
        const own = table.get(variantText(rows[index]!.variant))?.time_ms;
        const here = table.get(text)?.time_ms;
        return own === undefined || here === undefined ? Infinity : 100 * (here / own - 1);
      });
      const worst = Math.max(0, ...losses);
      return worst <= CLOSE_PCT ? [{ variant: tables[0]!.get(text)!.variant, worst_loss_pct: worst }] : [];
    })
    .toSorted((one, other) => one.worst_loss_pct - other.worst_loss_pct);
  return best[0];
}

function adviceOf(rows: readonly DispatchRow[], one: DispatchTable['one']): string {
  const variants = new Set(rows.map(({ variant }) => variantText(variant)));
  if (variants.size === 1) return 'The same variant is best for every shape: no table is needed.';
  if (one === undefined)
    return `${variants.size} variants are best for ${rows.length} shapes: dispatch by shape.`;
  return `${variantText(one.variant)} is within ${CLOSE_PCT} % of the best for every shape: use it alone.`;
}

/** The table as C++: a function from dimensions to the number of a variant. */
export function dispatchHeader(table: DispatchTable): string {
  const dims = Object.keys(table.rows[0]?.dims ?? {});
  const variants = [...new Map(table.rows.map(({ variant }) => [variantText(variant), variant])).entries()];
  const names = Object.keys(table.rows[0]?.variant ?? {});
  const fields = names.map((name) => `  ${cppType(variants.map(([, variant]) => variant[name]!))} ${name};`);
  const values = variants.map(
    ([text, variant]) => `    {${names.map((name) => cppValue(variant[name]!)).join(', ')}},  // ${text};`,
  );
  const branches = table.rows.map(({ dims: shape, variant, case: name }) => {
    const index = variants.findIndex(([text]) => text === variantText(variant));
    const test = dims.map((dim) => `${dim} == ${shape[dim]}`).join(' && ');
    return `  if (${test === '' ? 'true' : test}) return ${index};  // ${name}`;
  });
  const kernel = table.kernel.replaceAll(/\W/g, '_');
  return `// Which variant of ${table.kernel} to use for which shape, as measured on ${table.device} by pawl tune.
// ${table.advice}
#pragma once

namespace pawl_dispatch_${kernel} {

struct variant {
${fields.join('\n')}
};

inline constexpr variant variants[] = {
${values.join('\n')}
};

/// The index in \`variants\` for a shape that was tuned; ${DEFAULT_INDEX} for any other.
constexpr int choose(${dims.map((dim) => `long long ${dim}`).join(', ')}) {
${branches.join('\n')}
  return ${DEFAULT_INDEX};
}

}  // namespace pawl_dispatch_${kernel}
`;
}

/** No variant of the table: the caller's default. */
const DEFAULT_INDEX = -1;

function cppType(values: readonly Variant[string][]): string {
  if (values.every((value) => typeof value === 'boolean')) return 'bool';
  if (values.every((value) => Number.isInteger(value))) return 'long long';
  return values.every((value) => typeof value === 'number') ? 'double' : 'const char *';
}

function cppValue(value: Variant[string]): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
