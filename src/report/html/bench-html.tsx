import type { BenchMeasurement, BenchReport, MeasuredBench } from '../../model/reports/bench-report.ts';
import { faultText, lostText } from '../../model/measure/fault.ts';
import type { Samples } from '../../model/measure/samples.ts';
import { withThousands } from '../../model/text/number-text.ts';
import type { Column } from '../bench-columns.ts';
import { benchColumns } from '../bench-columns.ts';
import type { BenchGroup } from '../bench-groups.ts';
import { benchGroups, gatheredWarnings, subjectText, unmeasuredText } from '../bench-groups.ts';
import { BENCH_STYLE } from './bench-style.ts';
import { deviceFacts, hostFacts } from '../environment-facts.ts';
import { FaultDetails } from './fault-details.tsx';
import { htmlPage } from './html-page.tsx';
import { type CellProps, DataTable, Facts, FactsLine, Items, pairs } from './page-parts.tsx';
import { plainLines } from '../text/plain-text.ts';
import { skippedViews } from '../skipped-view.ts';
import { miniHistogram } from '../svg/mini-histogram.tsx';
import { stripPlot } from '../svg/strip-plot.tsx';

const CHECK_WORDS: Readonly<Record<BenchMeasurement['check'], string>> = {
  passed: '✓ right',
  failed: '✗ wrong',
  'not-checked': 'not checked',
};

/** The report as one file: no scripts, nothing fetched. `samples` are those that the report was made of. */
export function renderBenchHtml(report: BenchReport, samples: Samples): string {
  const groups = benchGroups(report);
  const device = deviceFacts(report);
  const headline = [
    ...device.slice(1).filter(({ name }) => name !== 'UUID'),
    ...hostFacts(report).filter(({ name }) => HEADLINE.has(name)),
  ];
  return htmlPage({
    title: ['Benchmark', ...new Set(groups.map(({ kernel }) => kernel))].join(' · '),
    style: BENCH_STYLE,
    body: (
      <>
        <header>
          <h1>{device[0]?.value ?? 'Benchmark'}</h1>
          <FactsLine facts={pairs(headline)} />
        </header>
        <Warnings report={report} />
        {groups.length === 0 && <p>Nothing was measured.</p>}
        {groups.map((group) => (
          <Group group={group} report={report} samples={samples} />
        ))}
        <Skipped report={report} />
        <Faults report={report} />
        <LostSeries report={report} />
        <Environment report={report} />
        <Reading report={report} />
      </>
    ),
  });
}

const HEADLINE = new Set(['commit', 'host', 'started', 'took']);

interface Reported {
  readonly report: BenchReport;
}

function Warnings({ report }: Reported) {
  const warnings = gatheredWarnings(report);
  const items = warnings.map(({ kind, message, remedy, subjects }, index) => (
    <li class={kind === 'incorrect' || kind === 'lost-series' ? 'bad' : undefined}>
      {subjects.length > 0 && (
        <>
          <b>{subjects.join(', ')}</b>:{' '}
        </>
      )}
      {message}
      {/* One remedy serves all the warnings that ask for it. */}
      {remedy !== undefined && warnings[index + 1]?.remedy !== remedy && (
        <>
          <br />
          <span class="quiet">→ {remedy}</span>
        </>
      )}
    </li>
  ));
  return <Items class="notices" label="warnings" items={items} />;
}

interface GroupProps extends Reported {
  readonly group: BenchGroup;
  readonly samples: Samples;
}

function Group({ group, report, samples }: GroupProps) {
  const words = [group.mode, group.device].filter((word) => word !== undefined);
  return (
    <section>
      <h2>
        {group.kernel} {words.length > 0 && <small>{words.join(' · ')}</small>}
      </h2>
      {group.variant !== '' && (
        <p>
          <code>{group.variant.replaceAll(',', '  ')}</code>
        </p>
      )}
      <GroupTable group={group} report={report} />
      {group.measurements.map(
        (one) =>
          one.state === 'measured' && (
            <SamplesFigure one={one} group={group} report={report} samples={samples} />
          ),
      )}
      <BuiltFrom group={group} />
    </section>
  );
}

function GroupTable({ group, report }: Omit<GroupProps, 'samples'>) {
  const [first, ...rest] = benchColumns(group, report).filter(
    ({ id }) => id !== 'plus-minus' && (id !== 'mode' || group.mode === undefined),
  );
  const headOf = ({ header, align }: Column) =>
    align === 'left' ? ([header, align] as const) : ([header] as const);
  return (
    <DataTable columns={[headOf(first!), ['result', 'left'], ['distribution', 'left'], ...rest.map(headOf)]}>
      {group.measurements.map((one) => (
        <tr>
          <Cell one={one} column={first!} report={report} />
          <td class={`left ${one.state === 'unmeasured' ? 'failed' : one.check}`}>
            {one.state === 'unmeasured' ? unmeasuredText(one) : CHECK_WORDS[one.check]}
          </td>
          <td class="left">{one.state === 'measured' && miniHistogram(one)}</td>
          {rest.map((column) => (
            <Cell one={one} column={column} report={report} />
          ))}
        </tr>
      ))}
    </DataTable>
  );
}

function Cell({
  one,
  column: { id, align, cell },
  report: { thresholds },
  ...props
}: Reported & CellProps & { readonly one: BenchMeasurement; readonly column: Column }) {
  const noisy = id === 'cv' && one.state === 'measured' && (one.cv_pct ?? 0) > thresholds.cv_pct;
  const classes = [align, ...(id === 'median' ? ['headline'] : []), ...(noisy ? ['noisy'] : [])];
  return (
    <td class={classes.join(' ')} data-name={props['data-name']}>
      {cell(one)}
    </td>
  );
}

function SamplesFigure({ one, group, report, samples }: GroupProps & { readonly one: MeasuredBench }) {
  const { series } = samples.measurements[report.measurements.indexOf(one)]!;
  const dims = Object.entries(one.dims ?? {}).map(([name, value]) => `${name}=${value}`);
  return (
    <figure class="panel">
      <figcaption>
        <h3>
          {one.case}
          {group.mode === undefined && one.mode !== undefined && ` ${one.mode}`}
        </h3>
        <span class="quiet">{dims.join(' ')}</span>
        <span class="quiet">
          {one.ci_method === 'hierarchical'
            ? 'interval over processes and samples'
            : 'interval over the samples of one process'}
        </span>
        {one.throttled > 0 && <span>{`${one.throttled} throttled samples left out`}</span>}
      </figcaption>
      {stripPlot(one, series)}
      {one.notes.map((note) => (
        <p class="quiet">{note}</p>
      ))}
    </figure>
  );
}

/** What was built, from what, with what: the same for all cases of a variant. */
function BuiltFrom({ group: { measurements } }: { readonly group: BenchGroup }) {
  const { binary, versions } = measurements[0]!;
  const facts = Object.entries({
    'SHA-256': binary?.sha256,
    toolchain: binary?.toolchain,
    compiler: binary?.compiler,
    flags: binary?.flags?.join(' '),
    architecture: binary?.arch,
    ...versions,
  }).filter(([, value]) => value !== undefined && value !== '');
  if (facts.length === 0) return null;
  return (
    <details>
      <summary>What was built and loaded</summary>
      <Facts facts={facts} />
    </details>
  );
}

function Faults({ report: { measurements } }: Reported) {
  const items = measurements.flatMap((one) =>
    one.fault === undefined
      ? []
      : [
          <li class="bad">
            <b>{subjectText(one)}</b>: {faultText(one.fault)}
            <FaultDetails fault={one.fault} />
          </li>,
        ],
  );
  return <Items class="notices" title="Incorrect" items={items} />;
}

function Skipped({ report: { skipped } }: Reported) {
  const items = skippedViews(skipped).map(({ kernel, isBroken, what, said, hint }) => (
    <li class={isBroken ? 'bad' : undefined}>
      <b>{kernel}</b>: {what}
      {said.length > 0 && <pre>{said.join('\n')}</pre>}
      {hint !== undefined && (
        <>
          <br />
          <span class="quiet">→ {hint}</span>
        </>
      )}
    </li>
  ));
  return <Items class="notices" title="Not measured" items={items} />;
}

function LostSeries({ report: { measurements } }: Reported) {
  const items = measurements.flatMap((measurement) =>
    measurement.lost.map((lost) => {
      const { process, reason, output } = lost;
      const said = plainLines(output ?? '', 20);
      return (
        <li class="bad">
          <b>{subjectText(measurement)}</b>, process {process}: {reason}: {lostText(lost)}
          {said.length > 0 && <pre>{said.join('\n')}</pre>}
        </li>
      );
    }),
  );
  return <Items class="notices" title="Lost series" items={items} />;
}

function Environment({ report }: Reported) {
  const facts = [...deviceFacts(report), ...hostFacts(report)];
  if (facts.length === 0) return null;
  return (
    <section>
      <h2>Environment</h2>
      <Facts facts={pairs(facts)} />
    </section>
  );
}

function Reading({ report: { interval } }: Reported) {
  return (
    <section>
      <h2>How to read this</h2>
      <p class="quiet">
        A dot is a sample; a row is a fresh process, its first sample at the top. The orange stroke is the
        median of the process, the dashed line the median of those medians, and the band its{' '}
        {Math.round(100 * interval.confidence)} % bootstrap interval ({withThousands(interval.resamples)}{' '}
        resamples, seed {interval.seed}), which draws processes first and then samples within them. Samples
        far outside the picture (beyond three interquartile ranges) are counted at the right, and are part of
        every number in the table. <i>between</i> is the spread of the process medians (Qn) over the median.
      </p>
    </section>
  );
}
