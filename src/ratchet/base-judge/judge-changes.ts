/** What a change alters about the judge of its base. Files are compared in file-changes.ts. */
import { kernelCases } from '../../config/kernel-cases.ts';
import type { Kernel } from '../../config/kernel-schema.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { dimsText, matchCases } from '../../config/match-cases.ts';
import { problemSchema, type Problem, type Tensor } from '../../config/problem-schema.ts';
import { Expression } from '../../config/expression/expression.ts';
import type { Config } from '../../config/schema.ts';
import { own } from '../../config/under-judge.ts';
import type { JudgeChange } from '../../model/judge/judge-change.ts';
import { omit } from '../../model/omit.ts';
import { canonicalJson } from '../../os/canonical-json.ts';

type Kind = JudgeChange['kind'];

/** What pawl.yaml says differently of some kernels, and of all that concerns the one they are measured against. */
export function judgeChanges(
  base: LoadedConfig,
  change: LoadedConfig,
  { kernels, reference }: { readonly kernels: readonly string[]; readonly reference?: string | undefined },
): JudgeChange[] {
  const [before, after] = [base.config, change.config];
  const problems = [
    ...new Set(
      kernels.flatMap(
        (name) => own(before.kernels, name)?.problem ?? own(after.kernels, name)?.problem ?? [],
      ),
    ),
  ];
  return [
    ...settings(
      'thresholds',
      'thresholds.',
      omit(before.thresholds, 'cases'),
      omit(after.thresholds, 'cases'),
    ),
    ...settings(
      'thresholds',
      'thresholds.cases.',
      ofKnownCases(before.thresholds, before),
      ofKnownCases(after.thresholds, before),
    ),
    ...settings('measure', 'measure.', before.measure, after.measure),
    ...problems.flatMap((name) =>
      problemChanges(name, own(before.problems, name), own(after.problems, name)),
    ),
    ...kernels.flatMap((name) => kernelChanges(name, before, after)),
    ...(reference === undefined ? [] : referenceSettings(reference, before, after)),
  ];
}

/** What is new has nothing to be compared with, so its threshold loosens nothing. */
function ofKnownCases({ cases }: Config['thresholds'], base: Config): Config['thresholds']['cases'] {
  const known = new Set(
    Object.entries(base.kernels).flatMap(([name, kernel]) =>
      [...kernelCases(kernel, own(base.problems, kernel.problem)!).keys()].map((each) => `${name}/${each}`),
    ),
  );
  return Object.fromEntries(Object.entries(cases).filter(([name]) => known.has(name)));
}

function settings(kind: Kind, prefix: string, before: object, after: object): JudgeChange[] {
  return differences(before, after).map(([name, one, other]) =>
    altered(kind, `${prefix}${name}`, one, other),
  );
}

/** `thresholds.regression_pct: 3 → 50`. */
function altered(kind: Kind, subject: string, before: unknown, after: unknown): JudgeChange {
  return {
    kind,
    subject,
    ...(before === undefined ? {} : { base: shown(before) }),
    ...(after === undefined ? {} : { change: shown(after) }),
    text: `${subject}: ${shown(before)} → ${shown(after)}`,
  };
}

/** All that pawl.yaml says of a problem, but words for people and what is told of by itself: a new key is among them. */
const TOLD_APART: readonly string[] = ['description', 'tolerance', 'oracle', 'cases', 'fuzz'];
const PROBLEM_PARTS = (Object.keys(problemSchema.shape) as (keyof Problem)[]).filter(
  (part) => !TOLD_APART.includes(part),
);

/** What is new answers to nothing yet. */
function problemChanges(
  name: string,
  before: Problem | undefined,
  after: Problem | undefined,
): JudgeChange[] {
  if (before === undefined) return [];
  if (after === undefined)
    return [{ kind: 'problem-removed', subject: name, text: `the problem ${name} was removed` }];
  const partOf = (problem: Problem, part: keyof Problem) =>
    part === 'tensors' ? withoutTolerances(problem.tensors) : problem[part];
  return [
    ...settings('tolerance', `tolerance of ${name}: `, before.tolerance, after.tolerance),
    ...Object.entries(after.tensors).flatMap(([tensor, { tolerance = {} }]) =>
      settings(
        'tolerance',
        `tolerance of ${tensor} of ${name}: `,
        own(before.tensors, tensor)?.tolerance ?? {},
        tolerance,
      ),
    ),
    ...PROBLEM_PARTS.flatMap((part) =>
      isSameInOrder(partOf(before, part), partOf(after, part))
        ? []
        : [altered('problem', `${part} of the problem ${name}`, partOf(before, part), partOf(after, part))],
    ),
    ...oracleSettings(name, before.oracle, after.oracle),
    ...fuzzChanges(`the problem ${name}`, before.fuzz, after.fuzz),
  ];
}

/** They are told of as tolerances. */
function withoutTolerances(tensors: Problem['tensors']): object {
  const entries = Object.entries(tensors).map(([name, tensor]) => [
    name,
    { ...tensor, fill: withoutFound(tensor.fill), tolerance: undefined },
  ]);
  return Object.fromEntries(entries);
}

/** What files hold is compared as files. */
function withoutFound(fill: Tensor['fill']): Tensor['fill'] {
  if (fill?.kind !== 'recorded') return fill;
  const { found: _, ...written } = fill;
  return written;
}

function oracleSettings(name: string, before: Problem['oracle'], after: Problem['oracle']): JudgeChange[] {
  if (before !== undefined && after === undefined) {
    return [
      {
        kind: 'oracle',
        subject: name,
        text: `the oracle of ${name} was removed: its results would not be checked`,
      },
    ];
  }
  return settings('oracle', `oracle of ${name}: `, before ?? {}, after ?? {});
}

function kernelChanges(name: string, before: Config, after: Config): JudgeChange[] {
  const [one, other] = [own(before.kernels, name), own(after.kernels, name)];
  if (one === undefined) return [];
  if (other === undefined)
    return [{ kind: 'kernel-removed', subject: name, text: `the kernel ${name} was removed` }];
  const parts = ['problem', 'device', 'dtype', 'dtypes', 'deterministic'] as const;
  return [
    ...parts.flatMap((part) =>
      isSame(one[part], other[part])
        ? []
        : [altered('kernel', `${part} of the kernel ${name}`, one[part], other[part])],
    ),
    // What is prepared is not timed: a kernel that prepares more does less in its times.
    ...(isSame(one.prepare?.of, other.prepare?.of)
      ? []
      : [altered('kernel', `prepare.of of the kernel ${name}`, one.prepare?.of, other.prepare?.of)]),
    ...caseChanges(name, { kernel: one, config: before }, { kernel: other, config: after }),
    ...fuzzChanges(`the kernel ${name}`, one.fuzz, other.fuzz),
  ];
}

/** How the reference is built and run; what is asked of it is the judge's anyway. */
function referenceSettings(name: string, before: Config, after: Config): JudgeChange[] {
  const [one, other] = [own(before.kernels, name), own(after.kernels, name)];
  if (one === undefined || other === undefined) return [];
  const asked = new Set([
    'description',
    'problem',
    'device',
    'dtype',
    'dtypes',
    'deterministic',
    'cases',
    'fuzz',
  ]);
  return settings('reference', `reference ${name}: `, one, other).filter(
    ({ subject }) => !asked.has(subject.slice(`reference ${name}: `.length)),
  );
}

function caseChanges(
  name: string,
  before: { readonly kernel: Kernel; readonly config: Config },
  after: { readonly kernel: Kernel; readonly config: Config },
): JudgeChange[] {
  const sideOf = ({ kernel, config }: typeof before) => {
    const problem = own(config.problems, kernel.problem)!;
    return { problem, cases: kernelCases(kernel, problem) };
  };
  const [one, other] = [sideOf(before), sideOf(after)];
  const { renamed, removed, changed } = matchCases(one, other);
  const dims = ({ problem, cases }: typeof one, of: string): string => dimsText(problem, cases.get(of)!);
  return [
    ...removed.map((gone): JudgeChange => ({
      kind: 'case-removed',
      subject: `${name}/${gone}`,
      base: dims(one, gone),
      text: `the case ${gone} of ${name} was removed (${dims(one, gone)})`,
    })),
    ...[...renamed].map(([from, to]): JudgeChange => ({
      kind: 'case-renamed',
      subject: `${name}/${from}`,
      base: from,
      change: to,
      text: `the case ${from} of ${name} is now called ${to}: its dimensions are the same, so it is the same case`,
    })),
    ...changed.map((same): JudgeChange => ({
      kind: 'case-changed',
      subject: `${name}/${same}`,
      base: dims(one, same),
      change: dims(other, same),
      text: `the case ${same} of ${name} has other ${other.problem.scalars.length === 0 ? 'dimensions' : 'dimensions or scalars'}: ${dims(one, same)} → ${dims(other, same)}`,
    })),
  ];
}

function fuzzChanges(where: string, before: Problem['fuzz'], after: Problem['fuzz']): JudgeChange[] {
  if (before === undefined) return [];
  const subject = `fuzz of ${where}`;
  if (after === undefined) return [{ kind: 'fuzz', subject, text: `${subject} is gone` }];
  const names = differences(before, after).map(([name]) => name);
  if (names.length === 0) return [];
  return [{ kind: 'fuzz', subject, text: `${subject} draws from something else: ${names.join(', ')}` }];
}

function differences(before: object, after: object): [name: string, one: unknown, other: unknown][] {
  const [one, other] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = [...new Set([...one.keys(), ...other.keys()])];
  return names.flatMap((name): [string, unknown, unknown][] =>
    isSame(one.get(name), other.get(name)) ? [] : [[name, one.get(name), other.get(name)]],
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(plain(one)) === canonicalJson(plain(other));
}

/** Tensors are handed over in the order in which they are written. */
function isSameInOrder(one: unknown, other: unknown): boolean {
  const namesOf = (value: unknown): string[] => Object.keys(value ?? {});
  return isSame(one, other) && isSame(namesOf(one), namesOf(other));
}

/** Formulas as they are written. */
function plain(value: unknown): unknown {
  if (value instanceof Expression) return value.source;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([name, inner]) => [name, plain(inner)]));
}

/** A table of tensors need not be repeated in full to be found. */
const MOST_SHOWN = 200;

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const flat = plain(value);
  const text = typeof flat === 'string' ? flat : JSON.stringify(flat);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
