/** Numbers that were seen in several cases, as formulas over the cases' dimensions. */

type Sizes = Readonly<Record<string, number>>;

/** A factor that is the same in all cases. */
function ratio(values: readonly number[], others: readonly number[]): number | undefined {
  const [first] = values.map((value, at) => value / others[at]!);
  return first !== undefined && values.every((value, at) => value === first * others[at]!)
    ? first
    : undefined;
}

/**
 * An extent as a dimension, a multiple or a part of one, a product of two, or one that is larger or smaller by a
 * constant; undefined where it is none of these.
 */
export function extentFormula(values: readonly number[], cases: readonly Sizes[]): string | undefined {
  const [first] = values;
  if (first === undefined) return undefined;
  if (values.every((value) => value === first)) return String(first);
  const names = Object.keys(cases[0] ?? {});
  const of = (name: string) => cases.map((sizes) => sizes[name]!);
  // A dimension that is the same in all cases says nothing.
  const moving = names.filter((name) => new Set(of(name)).size > 1);
  for (const name of moving) {
    const factor = ratio(values, of(name));
    if (factor === 1) return name;
    if (factor !== undefined && Number.isInteger(factor)) return `${factor} * ${name}`;
    if (factor !== undefined && Number.isInteger(1 / factor)) return `${name} // ${1 / factor}`;
  }
  for (const [at, one] of moving.entries()) {
    for (const other of moving.slice(at)) {
      const factor = ratio(
        values,
        cases.map((sizes) => sizes[one]! * sizes[other]!),
      );
      if (factor !== undefined && Number.isInteger(factor))
        return factor === 1 ? `${one} * ${other}` : `${factor} * ${one} * ${other}`;
    }
  }
  for (const one of moving) {
    for (const other of [undefined, ...moving]) {
      const rest = values.map(
        (value, at) => value - cases[at]![one]! + (other === undefined ? 0 : cases[at]![other]!),
      );
      if (rest.every((value) => value === rest[0])) return sumText(one, other, rest[0]!);
      const parts = values.map((value, at) => (other === undefined ? 0 : value * cases[at]![other]!));
      if (other !== undefined && parts.every((value, at) => value === cases[at]![one]!))
        return `${one} // ${other}`;
    }
  }
  return undefined;
}

function sumText(one: string, other: string | undefined, rest: number): string {
  const minus = other === undefined ? '' : ` - ${other}`;
  return `${one}${minus}${rest === 0 ? '' : rest > 0 ? ` + ${rest}` : ` - ${-rest}`}`;
}

/** A tolerance that is a constant, or grows with a dimension or its root; the widest where it does something else. */
export function toleranceFormula(values: readonly number[], cases: readonly Sizes[]): string {
  const widest = Math.max(...values);
  if (values.every((value) => value === widest)) return numberText(widest);
  for (const name of Object.keys(cases[0] ?? {})) {
    for (const [text, grow] of [
      [`sqrt(${name})`, Math.sqrt],
      [name, Number],
    ] as const) {
      const factors = values.map((value, at) => value / grow(cases[at]![name]!));
      const [first = 0] = factors;
      if (first > 0 && factors.every((factor) => Math.abs(factor / first - 1) < 1e-9))
        return `${numberText(first)} * ${text}`;
    }
  }
  return numberText(widest);
}

function numberText(value: number): string {
  const short = Number(value.toPrecision(6));
  return short !== 0 && short < 0.1 ? short.toExponential() : String(short);
}
