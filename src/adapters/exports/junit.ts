import { caseText } from '../../model/judge/case-key.ts';
import type { CaseKey } from '../../model/judge/comparison.ts';
import { isBroken, type SkippedKernel } from '../../model/measure/skipped-kernel.ts';
import { VERDICT } from '../../model/judge/verdict.ts';
import type { ExportRow } from './export-row.ts';

type Outcome =
  | { readonly state: 'passed' }
  | { readonly state: 'failed' | 'skipped'; readonly type: string; readonly message: string };

/**
 * JUnit's XML, as CI systems read it: a case is a testcase and a kernel is a suite. Regressed and incorrect fail,
 * undecided and what has no time is skipped, and the rest passes; `time` is the candidate's, in seconds.
 */
export function junitXml(
  rows: readonly ExportRow[],
  missing: readonly CaseKey[],
  kernels: readonly SkippedKernel[] = [],
): string {
  const suites = new Map<string, Testcase[]>();
  const add = (kernel: string | undefined, testcase: Testcase): void => {
    const suite = kernel ?? 'pawl';
    const known = suites.get(suite);
    if (known === undefined) suites.set(suite, [testcase]);
    else known.push(testcase);
  };
  for (const row of rows) add(row.kernel, testcaseOf(row));
  for (const key of missing) {
    const message = 'the baseline has this case and the candidate does not';
    add(key.kernel, {
      name: caseText(key),
      outcome: { state: 'skipped', type: 'missing', message },
      properties: [],
    });
  }
  // A kernel without a measurement has no case to fail: its build is the test.
  for (const one of kernels) {
    const { kernel, reason, message } = one;
    const state = isBroken(one) ? 'failed' : 'skipped';
    add(kernel, { name: `${kernel} build`, outcome: { state, type: reason, message }, properties: [] });
  }
  const all = [...suites.values()].flat();
  const body = [...suites].map(([name, cases]) => suiteXml(name, cases));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="pawl" ${countsXml(all)}>`,
    ...body,
    '</testsuites>',
    '',
  ].join('\n');
}

interface Testcase {
  readonly name: string;
  readonly seconds?: number;
  readonly outcome: Outcome;
  readonly properties: readonly (readonly [name: string, value: string])[];
}

function testcaseOf(row: ExportRow): Testcase {
  const { compared } = row;
  const change = compared?.case.state === 'estimated' ? compared.case.change_pct : undefined;
  return {
    name: row.name,
    ...(row.median_ms === undefined ? {} : { seconds: row.median_ms / 1000 }),
    outcome: outcomeOf(row),
    properties: [
      ...(compared === undefined ? [] : [['verdict', compared.verdict] as const]),
      ...(change === undefined ? [] : [['change_pct', change.toFixed(3)] as const]),
      ...(compared?.waived === undefined ? [] : [['waived', compared.waived] as const]),
    ],
  };
}

function outcomeOf({ compared, measured, median_ms, reason = '' }: ExportRow): Outcome {
  if (compared !== undefined) {
    const { verdict, waived } = compared;
    const { result, isWaivable } = VERDICT[verdict];
    if (result === 'undecided') return { state: 'skipped', type: verdict, message: reason };
    const isAccepted = isWaivable && waived !== undefined;
    return result === 'good' || isAccepted
      ? { state: 'passed' }
      : { state: 'failed', type: verdict, message: reason };
  }
  if (measured?.check === 'failed') return { state: 'failed', type: 'incorrect', message: reason };
  return median_ms === undefined
    ? { state: 'skipped', type: 'not-measured', message: reason }
    : { state: 'passed' };
}

function suiteXml(name: string, cases: readonly Testcase[]): string {
  return [
    `  <testsuite name="${xmlText(name)}" ${countsXml(cases)}>`,
    ...cases.map((testcase) => testcaseXml(testcase, name)),
    '  </testsuite>',
  ].join('\n');
}

function testcaseXml({ name, seconds, outcome, properties }: Testcase, suite: string): string {
  const time = seconds === undefined ? '' : ` time="${secondsText(seconds)}"`;
  const open = `    <testcase name="${xmlText(name)}" classname="${xmlText(suite)}"${time}`;
  const inside = [
    ...(properties.length === 0
      ? []
      : [
          '      <properties>',
          ...properties.map(
            ([key, value]) => `        <property name="${xmlText(key)}" value="${xmlText(value)}"/>`,
          ),
          '      </properties>',
        ]),
    ...(outcome.state === 'passed'
      ? []
      : outcome.state === 'failed'
        ? [`      <failure type="${xmlText(outcome.type)}" message="${xmlText(outcome.message)}"/>`]
        : [`      <skipped message="${xmlText(`${outcome.type}: ${outcome.message}`)}"/>`]),
  ];
  return inside.length === 0 ? `${open}/>` : [`${open}>`, ...inside, '    </testcase>'].join('\n');
}

function countsXml(cases: readonly Testcase[]): string {
  const count = (state: Outcome['state']): number =>
    cases.filter(({ outcome }) => outcome.state === state).length;
  const seconds = cases.reduce((sum, testcase) => sum + (testcase.seconds ?? 0), 0);
  return `tests="${cases.length}" failures="${count('failed')}" errors="0" skipped="${count('skipped')}" time="${secondsText(seconds)}"`;
}

/** Kernels take microseconds; readers of JUnit do not all know exponents. */
function secondsText(seconds: number): string {
  return seconds.toFixed(12).replace(/\.?0+$/u, '');
}

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Text for an attribute. XML 1.0 has no place for most control characters, escaped or not; line breaks become spaces. */
function xmlText(text: string): string {
  return text
    .replaceAll(/[\t\n\r\u2028\u2029]+/gu, ' ')
    .replaceAll(/\p{C}|[\uFFFE\uFFFF]/gu, '')
    .replaceAll(/[&<>"']/gu, (character) => REFERENCES[character]!);
}
