import { caseThresholds, thresholdText } from '../../model/judge/case-thresholds.ts';
import type { CheckReport } from '../../model/reports/check-report.ts';
import type { CaseComparison } from '../../model/judge/comparison.ts';
import { VERDICT } from '../../model/judge/verdict.ts';
import { COMPARISON_COLUMNS, levelText } from '../comparison-columns.ts';
import { comparisonNotices, isClockChange, nextSteps, ratchetNotes } from '../text/comparison-notices.ts';
import { caseFigures, overviewFigure } from '../svg/comparison-pictures.ts';
import type { ComparedSamples } from '../comparison-samples.ts';
import type { Sections } from '../text/comparison-sections.ts';
import {
  casesByUrgency,
  comparisonSections,
  lookOf,
  SECTION,
  SECTION_IDS,
} from '../text/comparison-sections.ts';
import { COMPARISON_STYLE } from './comparison-style.ts';
import type { CaseNames } from '../text/comparison-text.ts';
import { caseNames, headCommitText, kernelsText, variantsText } from '../text/comparison-text.ts';
import { moneyText } from '../text/cost-text.ts';
import { hostFacts } from '../environment-facts.ts';
import { FaultDetails } from './fault-details.tsx';
import { htmlPage } from './html-page.tsx';
import { DataTable, Facts, FactsLine, Items, pairs } from './page-parts.tsx';
import { InlineFigure } from '../svg/figure.tsx';
import { formatDuration } from '../text/units.ts';
import { verdictSentence } from '../text/verdict-sentence.ts';

/** The report as one file: no scripts, nothing fetched. With the samples it also shows what they looked like. */
export function renderComparisonHtml(report: CheckReport, samples?: ComparedSamples): string {
  const names = caseNames(report.comparison.cases);
  const kind = report.baseline === undefined ? 'Comparison' : 'Ratchet';
  const shown = { report, sections: comparisonSections(report), names };
  return htmlPage({
    title: [kind, report.verdict, names.shared].filter((part) => part !== '').join(' · '),
    style: COMPARISON_STYLE,
    body: (
      <>
        <Banner {...shown} />
        <Notices {...shown} />
        <Counts {...shown} />
        <Reasons {...shown} />
        {report.comparison.cases.length > 0 && <Overview {...shown} />}
        {samples !== undefined && <Samples {...shown} samples={samples} />}
        <Steps {...shown} />
        <Environment {...shown} />
        <Reading {...shown} />
      </>
    ),
  });
}

interface Shown {
  readonly report: CheckReport;
  readonly sections: Sections;
  readonly names: CaseNames;
}

function Banner({ report, sections, names: { shared } }: Shown) {
  const { verdict, hardware, base_commit, cost, variants, comparison } = report;
  return (
    <header>
      <div class={`banner tone-${VERDICT[verdict].tone}`}>
        <h1>
          {VERDICT[verdict].mark} {verdict}
        </h1>
        <p>{verdictSentence(report, sections)}</p>
      </div>
      <FactsLine
        facts={[
          ['on', hardware],
          ['measured', shared],
          ['kernels', comparison.kernels && kernelsText(comparison.kernels)],
          ['variants', variants && variantsText(variants)],
          ['base', base_commit?.slice(0, 12)],
          ['commit', headCommitText(report)],
          ['took', cost && formatDuration(1000 * cost.wall_s)],
          ['device time', cost?.device_s === undefined ? undefined : formatDuration(1000 * cost.device_s)],
          ['cost', cost?.money && moneyText(cost.money)],
        ]}
      />
    </header>
  );
}

function Notices({ report, names }: Shown) {
  const items = comparisonNotices(report, names).map(({ tone, text }) => <li class={tone}>{text}</li>);
  return <Items class="notices" label="notices" items={items} />;
}

function Counts({ sections }: Shown) {
  const counted = SECTION_IDS.filter((id) => sections[id].length > 0);
  if (counted.length === 0) return null;
  return (
    <ul class="counts">
      {counted.map((id) => (
        <li class={`tone-${SECTION[id].tone}`}>
          <b>{sections[id].length}</b>
          {SECTION[id].counted}
        </li>
      ))}
    </ul>
  );
}

function Reasons({ report, sections, names: { nameOf } }: Shown) {
  const notesOf = ratchetNotes(report, sections);
  const shown = casesByUrgency({ ...sections, maintained: sections.maintained.filter(isClockChange) });
  const items = shown.map((one) => (
    <li class={`tone-${lookOf(one, sections).tone}`}>
      <b>{nameOf(one)}</b> <Chip one={one} sections={sections} /> {one.reason}
      {notesOf(one).map((note) => (
        <>
          <br />
          <span class="quiet">{note}</span>
        </>
      ))}
      {one.fault !== undefined && <FaultDetails fault={one.fault} />}
    </li>
  ));
  return <Items class="reasons" title="What was found" items={items} />;
}

function Chip({ one, sections }: Pick<Shown, 'sections'> & { readonly one: CaseComparison }) {
  const { mark, tone, word } = lookOf(one, sections);
  return <span class={`chip tone-${tone}`}>{`${mark} ${word}`}</span>;
}

function Overview({ report, sections, names: { nameOf } }: Shown) {
  return (
    <section>
      <h2>Change of each case</h2>
      <figure class="panel">
        <InlineFigure figure={overviewFigure(report)} />
      </figure>
      <DataTable
        columns={[
          ['case', 'left'],
          ['verdict', 'left'],
          ...COMPARISON_COLUMNS.map(({ header }) => [header] as const),
        ]}
      >
        {casesByUrgency(sections).map((one) => (
          <tr>
            <td class="left case">{nameOf(one)}</td>
            <td class="left">
              <Chip one={one} sections={sections} />
            </td>
            {COMPARISON_COLUMNS.map(({ id, cell }) => (
              <td class={id === 'change' ? 'headline' : undefined}>{cell(one)}</td>
            ))}
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

function Samples({
  report,
  samples,
  sections,
  names: { nameOf },
}: Shown & { readonly samples: ComparedSamples }) {
  const figures = caseFigures(report, samples);
  if (figures.length === 0) return null;
  return (
    <section>
      <h2>Samples and drift</h2>
      {figures.map(({ compared, distribution, drift }) => (
        <figure class="panel">
          <figcaption>
            <h3>{nameOf(compared)}</h3>
            <Chip one={compared} sections={sections} />
          </figcaption>
          <InlineFigure figure={distribution} />
          <InlineFigure figure={drift} />
        </figure>
      ))}
    </section>
  );
}

function Steps({ report, sections }: Shown) {
  const steps = nextSteps(report, sections);
  if (steps.length === 0) return null;
  return (
    <section>
      <h2>Next</h2>
      <Facts class="panel steps" facts={steps.map(({ why, command }) => [why, <code>{command}</code>])} />
    </section>
  );
}

function Environment({ report: { environment, baseline } }: Shown) {
  const facts = [
    ...pairs(hostFacts({ environment, measurements: [] })),
    ...(baseline === undefined ? [] : [['baseline', baseline.path] as const]),
  ];
  if (facts.length === 0) return null;
  return (
    <section>
      <h2>Environment</h2>
      <Facts facts={facts} />
    </section>
  );
}

function Reading({ report: { comparison } }: Shown) {
  const { thresholds, error_rates, correction, cases } = comparison;
  const correctionText =
    correction === 'none'
      ? 'not corrected for the number of cases'
      : `corrected for the number of cases (${correction})`;
  return (
    <section>
      <h2>How to read this</h2>
      <p class="quiet">
        Positive is faster. A case is judged by where the interval of its change lies: a slowdown of{' '}
        {thresholdText(thresholds.regression_pct, caseThresholds(cases))} fails, a gain of{' '}
        {thresholds.improvement_pct} % is an improvement, and <i>maintained</i> means that such a slowdown was
        excluded. Unchanged code is called regressed with a chance of at most {100 * error_rates.false_alarm}{' '}
        %, code slower by the threshold maintained with at most {100 * error_rates.miss} %; {correctionText}.{' '}
        {levelText(cases)} In the pictures of samples a row is a process, a dot a sample, the stroke the
        median of the process, and the dashed lines are the times that the verdict compares. In the pictures
        of drift the bars hold the middle 80 % of a process's samples. δ (Cliff) and p are shown beside the
        verdict but do not decide it.
      </p>
    </section>
  );
}
