import { useState } from 'preact/hooks';

import type { HotInstruction, HotLine, HotLines as Lines } from '../../../src/model/profile/hot-lines.ts';
import { stallWords } from '../../../src/model/profile/stall-reasons.ts';
import { chainText, loopTexts, mixTexts, resourceTexts } from '../../../src/report/text/line-text.ts';

/** More rows than these are searched, not read. */
const SHOWN = 40;

const TITLES: Readonly<Record<Lines['basis'], string>> = {
  'hardware-samples': 'Where the time goes, by line',
  'timer-samples': 'Where the time goes, by line (sampled by a timer)',
  static: 'What the compiled code says, by line (static)',
};

/** Lines with their source, their share and why, instructions below; a search looks through all of it. */
export function HotLines({ hot }: { readonly hot: Lines }) {
  const [asked, ask] = useState('');
  const words = asked.toLowerCase().split(/\s+/u).filter(Boolean);
  const found = hot.lines.filter((line) => words.every((word) => textOf(line).includes(word)));
  return (
    <div class="hot-lines" role="group" aria-label={`Hot lines of ${hot.kernel}`}>
      <h3>{TITLES[hot.basis]}</h3>
      <p class="quiet">
        <code>{hot.kernel}</code>
        {hot.samples > 0 ? ` · ${hot.samples.toLocaleString('en-US')} samples` : null}
      </p>
      {hot.basis === 'static' ? (
        <p class="quiet">Shares are of instructions, not of time: nothing was measured at lines.</p>
      ) : null}
      {[...resourceTexts(hot), ...loopTexts(hot)].map((text) => (
        <p key={text}>{text}</p>
      ))}
      <label class="search">
        Search lines and instructions{' '}
        <input type="search" value={asked} onInput={(event) => ask(event.currentTarget.value)} />
      </label>
      <ol class="plain">
        {found.slice(0, SHOWN).map((line) => (
          <Line key={`${line.file}:${line.line}`} line={line} />
        ))}
      </ol>
      {found.length > SHOWN ? <p class="quiet">And {found.length - SHOWN} more: search for them.</p> : null}
      {found.length === 0 ? <p class="quiet">No line has that.</p> : null}
    </div>
  );
}

function textOf(line: HotLine): string {
  const code = line.instructions.map(({ text }) => text).join(' ');
  const why = Object.keys(line.stalls).map(stallWords).join(' ');
  return `${line.file}:${line.line} ${line.source ?? ''} ${mixTexts(line).join(' ')} ${why} ${code}`.toLowerCase();
}

function Line({ line }: { readonly line: HotLine }) {
  const reasons = Object.entries(line.stalls)
    .filter(([, pct]) => pct >= 0.5)
    .slice(0, 3)
    .map(([reason, pct]) => `${stallWords(reason)} ${pct.toFixed(0)} %`);
  return (
    <li class="hot-line">
      <p>
        <span class="share" aria-hidden="true">
          <span style={{ width: `${Math.min(100, line.share_pct)}%` }} />
        </span>{' '}
        <b>{line.share_pct.toFixed(1)} %</b>{' '}
        <code>{line.line === 0 ? 'no line' : `${line.file}:${line.line}`}</code>
      </p>
      {line.source === undefined ? null : (
        <pre>
          <code>{line.source.trim()}</code>
        </pre>
      )}
      <p class="quiet">{[...mixTexts(line), ...reasons].join(' · ')}</p>
      {chainText(line) === '' ? null : <p class="quiet">inlined into {chainText(line)}</p>}
      {line.instructions.length === 0 ? null : (
        <details>
          <summary>{line.instructions.length} instructions</summary>
          <div class="table">
            <table>
              <tbody>
                {line.instructions.map((one) => (
                  <Instruction key={one.address} one={one} />
                ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
    </li>
  );
}

function Instruction({ one }: { readonly one: HotInstruction }) {
  const why = Object.keys(one.stalls)[0];
  return (
    <tr>
      <td>{one.share_pct.toFixed(1)} %</td>
      <td>
        <code>{one.address}</code>
      </td>
      <td>
        <code>{one.text}</code>
      </td>
      <td class="quiet">{why === undefined ? '' : stallWords(why)}</td>
    </tr>
  );
}
