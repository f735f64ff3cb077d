import { defined } from '../../model/defined.ts';
import type { Kernel } from '../../config/kernel-schema.ts';
import type { Variable } from '../../model/learn/session.ts';
import type { TunableValue, Variant } from '../../model/problem/variant.ts';
import type { ChangedPart } from './changed-part.ts';

const NONE: ReadonlySet<string> = new Set();
const CONFIG = 'pawl.yaml';

/** What a change of pawl.yaml touches of one kernel: defaults of tunables, compiler flags, and settings that follow. */
export function configParts(before: Kernel, after: Kernel): ChangedPart[] {
  return [
    ...tunableParts(before, after),
    ...flagParts([...before.flags, ...before.links], [...after.flags, ...after.links]),
    ...settingParts(before, after),
  ];
}

/** Tunables that a try sets beside the defaults. */
export function variantParts(kept: Variant, wanted: Variant): ChangedPart[] {
  return Object.entries(wanted).flatMap(([name, to]) => {
    const from = kept[name];
    return String(from) === String(to) ? [] : [part(tunable(name, from, to), false)];
  });
}

function tunableParts(before: Kernel, after: Kernel): ChangedPart[] {
  const names = new Set([...Object.keys(before.tunables), ...Object.keys(after.tunables)]);
  return [...names].flatMap((name) => {
    const [from, to] = [before.tunables[name]?.default, after.tunables[name]?.default];
    if (String(from) === String(to)) return [];
    return [part(tunable(name, from, to), from === undefined || to === undefined)];
  });
}

function tunable(name: string, from: TunableValue | undefined, to: TunableValue | undefined): Variable {
  return {
    kind: 'tunable',
    name,
    ...(from === undefined ? {} : { from: String(from) }),
    ...(to === undefined ? {} : { to: String(to) }),
  };
}

/** `-O2` that becomes `-O3` is one flag with another value. */
function flagParts(before: readonly string[], after: readonly string[]): ChangedPart[] {
  const gone = before.filter((flag) => !after.includes(flag));
  const come = after.filter((flag) => !before.includes(flag));
  const stems = new Set([...gone, ...come].map(stemOf));
  return [...stems].map((stem) => {
    const from = gone.filter((flag) => stemOf(flag) === stem).join(' ');
    const to = come.filter((flag) => stemOf(flag) === stem).join(' ');
    return part(
      { kind: 'flag', name: stem, ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) },
      false,
    );
  });
}

function stemOf(flag: string): string {
  return flag.replace(/=.*$/su, '').replace(/(?<=^-O).*$/su, '');
}

/** Formulas and lists that describe the code: alone they are a change, beside one they follow from it. */
function settingParts(before: Kernel, after: Kernel): ChangedPart[] {
  const settings = new Set([...Object.keys(before), ...Object.keys(after)] as (keyof Kernel)[]);
  for (const known of ['tunables', 'flags', 'links', 'description', 'cases', 'fuzz', 'gates'] as const) {
    settings.delete(known);
  }
  return [...settings].flatMap((name) => {
    const [from, to] = [before[name], after[name]].map(textOf);
    if (from === to) return [];
    return [
      part(
        {
          kind: 'file',
          name: `${CONFIG}: ${name}`,
          ...defined({ from, to }),
        },
        true,
      ),
    ];
  });
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const source = (value as { readonly source?: unknown }).source;
  return (typeof source === 'string' ? source : JSON.stringify(value)).slice(0, 200);
}

function part(variable: Variable, isDependent: boolean): ChangedPart {
  return { variable, file: CONFIG, isDependent, mentions: NONE };
}
