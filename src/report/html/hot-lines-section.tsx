import type { HotInstruction, HotLine, HotLines } from '../../model/profile/hot-lines.ts';
import { stallWords } from '../../model/profile/stall-reasons.ts';
import { chainText, loopTexts, mixTexts, placeText, resourceTexts } from '../text/line-text.ts';
import { plainText } from '../text/plain-text.ts';

/** Lines that cost less are left out of the page. */
const LEAST_PCT = 0.5;
const MOST_LINES = 60;

const TITLES: Readonly<Record<HotLines['basis'], string>> = {
  'hardware-samples': 'Where the time goes, by line',
  'timer-samples': 'Where the time goes, by line (sampled by a timer)',
  static: 'What the compiled code says, by line (static: nothing was measured at lines)',
};

/** Every line that matters with its source, why it takes the time, and its instructions below it. */
export function HotLinesSection({
  hot,
  named = false,
}: {
  readonly hot: HotLines;
  readonly named?: boolean;
}) {
  const shown = hot.lines
    .filter(({ share_pct }) => hot.basis === 'static' || share_pct >= LEAST_PCT)
    .slice(0, MOST_LINES);
  if (shown.length === 0) return null;
  return (
    <section class="lines">
      <h2>
        {TITLES[hot.basis]}{' '}
        <small>{hot.samples > 0 && `${hot.samples.toLocaleString('en-US')} samples`}</small>
      </h2>
      {named && (
        <p class="quiet">
          <code>{plainText(hot.kernel)}</code>
        </p>
      )}
      {[...resourceTexts(hot), ...loopTexts(hot)].map((text) => (
        <p>{plainText(text)}</p>
      ))}
      <div class="table">
        <table>
          <thead>
            <tr>
              <th>{hot.basis === 'static' ? 'of the code' : 'share'}</th>
              <th class="left">line</th>
              <th class="left">source and why</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((line) => (
              <LineRow line={line} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function LineRow({ line }: { readonly line: HotLine }) {
  const reasons = Object.entries(line.stalls)
    .filter(([reason, pct]) => pct >= LEAST_PCT && reason !== 'misc')
    .slice(0, 4)
    .map(([reason, pct]) => `${stallWords(reason)} ${pct.toFixed(1)} %`);
  return (
    <tr>
      <td>{line.share_pct.toFixed(1)} %</td>
      <td class="left">
        <code>{line.line === 0 ? 'no line' : placeText(line)}</code>
      </td>
      <td class="left">
        {line.source !== undefined && <code class="code">{plainText(line.source)}</code>}
        <span class="why quiet">{[...mixTexts(line), ...reasons, ...countWords(line)].join(' · ')}</span>
        {chainText(line) !== '' && <span class="why quiet">inlined into {chainText(line)}</span>}
        {line.instructions.length > 0 && (
          <details>
            <summary>{line.instructions.length} instructions</summary>
            <table class="code">
              <tbody>
                {line.instructions.map((one) => (
                  <InstructionRow one={one} />
                ))}
              </tbody>
            </table>
          </details>
        )}
      </td>
    </tr>
  );
}

function InstructionRow({ one }: { readonly one: HotInstruction }) {
  const why = Object.keys(one.stalls)[0];
  return (
    <tr>
      <td>{one.share_pct.toFixed(1)} %</td>
      <td class="left">
        <code>{one.address}</code>
      </td>
      <td class="left">
        <code>{plainText(one.text)}</code>
      </td>
      <td class="left quiet">
        {[...(why === undefined ? [] : [stallWords(why)]), ...countWords(one)].join(' · ')}
      </td>
    </tr>
  );
}

function countWords(work: HotLine | HotInstruction): string[] {
  const count = (value: number | undefined, words: string): string[] =>
    value === undefined || value === 0
      ? []
      : [`${value.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${words}`];
  return [
    ...count(work.samples, 'samples here'),
    ...count(work.executed, 'executed'),
    ...count(work.excess_wavefronts, 'passes over shared memory too many'),
    ...count(work.excess_sectors, 'sectors too many'),
    ...count(work.registers, 'registers live'),
  ];
}
