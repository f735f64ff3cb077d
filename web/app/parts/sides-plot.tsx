import { useRef, useState } from 'preact/hooks';

import type { SideCase, SidesComparison } from '../../../src/model/history/sides-comparison.ts';
import { sidesCsv } from '../../../src/report/sides-csv.ts';
import { sideText } from '../../../src/report/text/sides-text.ts';
import { forestPlot } from '../../../src/report/svg/forest-plot.tsx';
import { compareSides } from '../common/commands.ts';
import { figurePng } from '../common/figure-png.ts';
import { plottedNames } from '../common/plotted-names.ts';
import { saveFile } from '../common/save-file.ts';
import { CopyCommand } from './copy-command.tsx';
import { Drawn } from './drawn.tsx';

/** The changes as a picture, and what is shown as files: a table for a spreadsheet, the picture for a slide. */
export function SidesPlot(props: {
  readonly found: SidesComparison;
  readonly cases: readonly SideCase[];
  readonly lines: readonly string[];
}) {
  const { found, cases, lines } = props;
  const figure = useRef<HTMLElement>(null);
  const [trouble, setTrouble] = useState('');
  const name = `${sideText(found.b)} against ${sideText(found.a)}`
    .replaceAll(/[^\w.-]+/gu, '-')
    .slice(0, 120);
  const estimated = cases.flatMap((one) =>
    one.verdict === undefined || one.change_pct === undefined ? [] : [{ ...one, verdict: one.verdict }],
  );
  const names = plottedNames(estimated.map(({ key }) => key));
  const savePng = async (): Promise<void> => {
    const drawn = figure.current?.querySelector('svg');
    try {
      if (drawn) saveFile(`${name}.png`, await figurePng(drawn, lines));
    } catch (error) {
      setTrouble(`The image could not be created: ${String(error)}`);
    }
  };
  return (
    <>
      <div class="tools-line exports">
        <button
          type="button"
          onClick={() => saveFile(`${name}.csv`, new Blob([sidesCsv(cases)], { type: 'text/csv' }))}
        >
          Save as CSV
        </button>
        {estimated.length === 0 ? null : (
          <button type="button" onClick={() => void savePng()}>
            Save as PNG
          </button>
        )}
        <CopyCommand command={compareSides(found)} />
      </div>
      {trouble === '' ? null : <p role="alert">{trouble}</p>}
      {estimated.length === 0 ? null : (
        <figure class="panel" ref={figure}>
          <Drawn
            name="Changes by case"
            figure={forestPlot(
              estimated.map(({ verdict, reason, change_pct, ci_pct }, index) => ({
                name: names[index]!,
                verdict,
                reason,
                change_pct,
                ci_pct,
              })),
              found.thresholds,
            )}
          />
        </figure>
      )}
    </>
  );
}
