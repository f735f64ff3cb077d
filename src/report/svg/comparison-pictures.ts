import type { CheckReport } from '../../model/reports/check-report.ts';
import type { CaseComparison } from '../../model/judge/comparison.ts';
import type { ComparedSamples } from '../comparison-samples.ts';
import { seriesOfCase } from '../comparison-samples.ts';
import { casesByUrgency, comparisonSections } from '../text/comparison-sections.ts';
import { caseNames } from '../text/comparison-text.ts';
import { distributionPlot } from './distribution-plot.tsx';
import { driftPlot } from './drift-plot.tsx';
import type { Figure } from './figure.tsx';
import { figureFile } from './figure-file.tsx';
import { forestPlot } from './forest-plot.tsx';

/** A file beside a report. */
export interface Picture {
  /** File name: letters, digits and hyphens, whatever the case is called. */
  readonly name: string;
  readonly title: string;
  readonly svg: string;
}

/** The pictures of one case. */
export interface CaseFigures {
  readonly compared: CaseComparison;
  readonly distribution: Figure;
  readonly drift: Figure;
}

/** Cases that get pictures of their own, most urgent first: enough for a person to look at. */
const MOST_CASES = 12;

/** All pictures of a comparison as files; those of samples only where the samples are at hand. */
export function comparisonPictures(report: CheckReport, samples?: ComparedSamples): Picture[] {
  const { nameOf } = caseNames(report.comparison.cases);
  const forest = {
    name: 'forest.svg',
    title: 'Change of each case with its interval',
    svg: figureFile(overviewFigure(report)),
  };
  const each = samples === undefined ? [] : caseFigures(report, samples);
  return [
    forest,
    ...each.flatMap(({ compared, distribution, drift }, index) => {
      const name = nameOf(compared);
      const stem = `${String(index + 1).padStart(2, '0')}-${fileStem(name)}`;
      return [
        { name: `${stem}-samples.svg`, title: `Samples of ${name}`, svg: figureFile(distribution) },
        { name: `${stem}-drift.svg`, title: `Drift of ${name}`, svg: figureFile(drift) },
      ];
    }),
  ];
}

export function overviewFigure(report: CheckReport): Figure {
  const { nameOf } = caseNames(report.comparison.cases);
  const cases = casesByUrgency(comparisonSections(report));
  return forestPlot(
    cases.map((one) => Object.assign({ name: nameOf(one) }, one)),
    report.comparison.thresholds,
  );
}

export function caseFigures(report: CheckReport, samples: ComparedSamples): CaseFigures[] {
  const { nameOf } = caseNames(report.comparison.cases);
  const figures: CaseFigures[] = [];
  for (const one of casesByUrgency(comparisonSections(report))) {
    if (figures.length === MOST_CASES) break;
    const series = seriesOfCase(samples, one);
    if (one.state !== 'estimated' || series.base.length === 0 || series.head.length === 0) continue;
    const name = nameOf(one);
    figures.push({
      compared: one,
      distribution: distributionPlot(name, series, [one.baseline_ms, one.candidate_ms]),
      drift: driftPlot(name, series),
    });
  }
  return figures;
}

function fileStem(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-|-$/gu, '');
  return plain === '' ? 'case' : plain.slice(0, 60);
}
