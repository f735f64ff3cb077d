import { execFileSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { bencherJson } from '../../src/adapters/exports/bencher.ts';
import { csvTable } from '../../src/adapters/exports/csv.ts';
import { exportRows, type ExportDocument } from '../../src/adapters/exports/export-row.ts';
import { googleBenchmarkJson } from '../../src/adapters/exports/google-benchmark.ts';
import { junitXml } from '../../src/adapters/exports/junit.ts';
import { compareSamples } from '../../src/judge/compare-measurements.ts';
import type { Measurement } from '../../src/model/measure/samples.ts';
import { measurementOf, samplesOf } from '../judge/samples-of.ts';
import { HOSTILE, hostileRun } from '../report/hostile.ts';
import { readFixture, readText } from './fixture.ts';

const WRONG = { passed: false, oracle: 'x', tensors: [], tampering: [] };

function side(seed: number, level_ms: number, rest: Partial<Measurement> = {}): Measurement {
  return measurementOf({ processes: 10, level_ms, seed }, { kernel: 'k', ...rest });
}

/** A comparison with every verdict. */
function everyVerdict(): Extract<ExportDocument, { kind: 'comparison' }> {
  const named = (
    name: string,
    base: number | undefined,
    head: number | undefined,
    rest: Partial<Measurement> = {},
  ) => ({
    base: base === undefined ? [] : [side(1, base, { case: name })],
    head: head === undefined ? [] : [side(2, head, { case: name, ...rest })],
  });
  const loud = {
    base: [side(3, 1, { case: 'loud', series: [{ samples_ms: [1, 2] }] })],
    head: [side(4, 1, { case: 'loud', series: [{ samples_ms: [1.1, 2] }] })],
  };
  const cases = [
    named('same', 1, 1),
    named('slower', 1, 1.2),
    named('accepted', 1, 1.2),
    named('faster', 1, 0.8),
    named('wrong', 1, 1, { check: WRONG }),
    named('added', undefined, 1),
    named('gone', 1, undefined),
    loud,
  ];
  const comparison = compareSamples(
    samplesOf(...cases.flatMap(({ base }) => base)),
    samplesOf(...cases.flatMap(({ head }) => head)),
  );
  const key = comparison.cases.find((one) => one.case === 'accepted')!;
  return {
    kind: 'comparison',
    comparison,
    waived: [{ key, waiver: { reason: 'a trade', author: 'me', expires: '2030-01-01' } }],
  };
}

interface Element {
  readonly tag: string;
  readonly attributes: Record<string, string>;
  readonly children: readonly Element[];
}

/** The document as another XML parser reads it. */
function parsedXml(xml: string): Element {
  const script = `
import json, sys, xml.etree.ElementTree as tree
def tell(node):
    return {"tag": node.tag, "attributes": node.attrib, "children": [tell(child) for child in node]}
print(json.dumps(tell(tree.fromstring(sys.stdin.buffer.read()))))`;
  return JSON.parse(execFileSync('python3', ['-c', script], { input: xml, encoding: 'utf8' })) as Element;
}

describe('JUnit', () => {
  const document = everyVerdict();
  const root = parsedXml(junitXml(exportRows(document), document.comparison.missing));
  const cases = root.children.flatMap((suite) => suite.children);
  const stateOf = (name: string) =>
    cases
      .find(({ attributes }) => attributes['name'] === `k/${name}`)!
      .children.filter(({ tag }) => tag !== 'properties')
      .map(({ tag }) => tag);

  it('fails what is regressed or incorrect, skips what is undecided or missing, and passes the rest', () => {
    expect(stateOf('slower')).toEqual(['failure']);
    expect(stateOf('wrong')).toEqual(['failure']);
    expect(stateOf('loud')).toEqual(['skipped']);
    expect(stateOf('gone')).toEqual(['skipped']);
    for (const name of ['same', 'faster', 'added', 'accepted']) expect(stateOf(name), name).toEqual([]);
  });

  it('keeps to what readers of JUnit rely on', () => {
    expect(root.tag).toBe('testsuites');
    for (const suite of [root, ...root.children]) {
      const inside = suite.tag === 'testsuites' ? cases : suite.children;
      const count = (tag: string) =>
        inside.filter(({ children }) => children.some((child) => child.tag === tag)).length;
      const { tests, failures, errors, skipped, time, name } = suite.attributes;
      expect(name).toBeTruthy();
      expect([Number(tests), Number(failures), Number(errors), Number(skipped)]).toEqual([
        inside.length,
        count('failure'),
        0,
        count('skipped'),
      ]);
      expect(time).toMatch(/^\d+(\.\d+)?$/u);
    }
    for (const { tag, attributes, children } of cases) {
      expect(tag).toBe('testcase');
      expect(attributes['name'] && attributes['classname']).toBeTruthy();
      expect(children.map((child) => child.tag).join(' ')).toMatch(/^(properties)? ?(failure|skipped)?$/u);
    }
  });

  it('says the verdict, the change and a waiver as properties', () => {
    const accepted = cases.find(({ attributes }) => attributes['name'] === 'k/accepted')!;
    const properties = Object.fromEntries(
      accepted.children[0]!.children.map(({ attributes }) => [attributes['name'], attributes['value']]),
    );
    expect(properties).toMatchObject({ verdict: 'regressed', waived: 'a trade' });
    expect(Number(properties['change_pct'])).toBeLessThan(-10);
  });

  it('is well formed whatever names and messages hold', () => {
    const run = hostileRun();
    const lost = { ...run.measurements[0]!, case: `${HOSTILE}\u0000\uFFFF\uD800`, series: [] };
    const hostile = parsedXml(
      junitXml(
        exportRows({ kind: 'samples', samples: { ...run, measurements: [...run.measurements, lost] } }),
        [],
      ),
    );
    const text = JSON.stringify(hostile);
    expect(hostile.children[0]!.children).toHaveLength(2);
    expect(text).toContain('<script>');
    expect(JSON.stringify(JSON.parse(text))).not.toMatch(/\\u00[01]|\u202E/u);
  });
});

describe('Bencher', () => {
  it('has the latency in ns with its interval, and leaves out what is wrong', () => {
    const samples = samplesOf(side(1, 0.5, { case: 'a' }), side(1, 1, { case: 'b', check: WRONG }));
    const metrics = JSON.parse(bencherJson(exportRows({ kind: 'samples', samples }))) as Record<
      string,
      { latency: Record<string, number> }
    >;
    expect(Object.keys(metrics)).toEqual(['k/a']);
    const { value, lower_value, upper_value } = metrics['k/a']!.latency;
    expect(value).toBeCloseTo(500_000, -5);
    expect(lower_value).toBeLessThan(value!);
    expect(upper_value).toBeGreaterThan(value!);
  });
});

describe('Google Benchmark', () => {
  it('comes back through the import as it went out, processes and all', () => {
    const samples = samplesOf(side(1, 0.5, { case: 'a' }), side(2, 1, { case: 'b/c' }));
    const { measurements } = readText(googleBenchmarkJson(exportRows({ kind: 'samples', samples }), '1.0'));
    expect(
      measurements.map(({ kernel, case: name, series }) => ({
        kernel,
        name,
        times: series.map((one) => one.samples_ms),
      })),
    ).toEqual(
      samples.measurements.map(({ kernel, case: name, series }) => ({
        kernel,
        name,
        times: series.map((one) => one.samples_ms),
      })),
    );
  });

  it('carries summaries as aggregates and failures as errors', () => {
    const { measurements } = readFixture('kernelbench/eval_results.json');
    const back = readText(
      googleBenchmarkJson(exportRows({ kind: 'samples', samples: samplesOf(...measurements) }), '1.0'),
    );
    expect(back.measurements.map((one) => one.summaries?.[0]?.mean_ms)).toEqual([
      2.31,
      undefined,
      undefined,
      0.0217,
    ]);
    expect(back.measurements.map((one) => one.lost?.length ?? 0)).toEqual([0, 1, 1, 0]);
  });

  it('tells apart what only mode or variant tell apart', () => {
    const samples = samplesOf(side(1, 1, { mode: 'cold' }), side(2, 1, { mode: 'hot' }));
    expect(
      readText(googleBenchmarkJson(exportRows({ kind: 'samples', samples }), '1.0')).measurements,
    ).toHaveLength(2);
  });
});

describe('CSV', () => {
  /** As another reader of RFC 4180 takes it. */
  function rowsOf(csv: string): string[][] {
    const script = 'import csv, json, sys; print(json.dumps(list(csv.reader(sys.stdin, strict=True))))';
    return JSON.parse(
      execFileSync('python3', ['-X', 'utf8', '-c', script], { input: csv, encoding: 'utf8' }),
    ) as string[][];
  }

  it('has a row a case, with numbers that are the document’s', () => {
    const document = everyVerdict();
    const [header, ...rows] = rowsOf(csvTable(exportRows(document)));
    expect(rows).toHaveLength(document.comparison.cases.length);
    const slower = rows.find((row) => row[1] === 'slower')!;
    const one = document.comparison.cases.find((each) => each.case === 'slower')!;
    expect(Number(slower[header!.indexOf('change_pct')])).toBe(
      one.state === 'estimated' ? one.change_pct : undefined,
    );
    expect(slower[header!.indexOf('verdict')]).toBe('regressed');
  });

  it.each(['=1+1', '+1', '-2+3', '@SUM(A1)', '\t=1', '＝1', '=cmd|"/c calc"!A0'])(
    'disarms %j, which a spreadsheet would run',
    (formula) => {
      const rows = rowsOf(
        csvTable(exportRows({ kind: 'samples', samples: samplesOf(side(1, 1, { case: formula })) })),
      );
      expect(rows[1]![1]).toBe(`'${formula}`);
    },
  );

  it('keeps quotes, commas and line breaks inside of their cell', () => {
    const name = 'a "b", c\r\nd';
    const rows = rowsOf(
      csvTable(exportRows({ kind: 'samples', samples: samplesOf(side(1, 1, { case: name })) })),
    );
    expect(rows).toHaveLength(2);
    expect(rows[1]![1]!.replaceAll('\r\n', '\n')).toBe(name.replaceAll('\r\n', '\n'));
  });
});
