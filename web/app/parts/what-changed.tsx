import { changeWords } from '../../../src/model/text/change-text.ts';
import type { StoredChange } from '../../../src/model/profile/compare-diagnoses.ts';
import type { LineChange } from '../../../src/model/profile/hot-lines.ts';
import { movedSense, movedText } from '../../../src/report/text/moved-text.ts';
import { signalLabel, signalValue } from '../../../src/report/text/signal-text.ts';
import { Table } from './table.tsx';

/** The largest moves come first; the others are for those who look for one. */
const SHOWN = 14;

/** What two profiles of a case differ in, launch by launch: time, signals, findings and lines. */
export function WhatChanged({
  changes,
}: {
  readonly changes: readonly (StoredChange & { readonly summary?: string })[];
}) {
  return (
    <section class="what-changed" aria-label="What changed">
      <h2>What changed</h2>
      {changes.length === 0 ? (
        <p class="quiet">The two profiles have no kernel in common.</p>
      ) : (
        changes.map((change, index) => <Launch key={index} change={change} />)
      )}
    </section>
  );
}

function Launch({ change }: { readonly change: StoredChange & { readonly summary?: string } }) {
  const { kernel, summary, before_us, after_us, change_pct, moved, lines = [], appeared, vanished } = change;
  return (
    <>
      <h3>
        <code>{kernel}</code>
      </h3>
      {summary === undefined ? null : <p class="sentence">{summary}</p>}
      {before_us === undefined || after_us === undefined ? null : (
        <p>
          {before_us.toPrecision(4)} µs → {after_us.toPrecision(4)} µs{' '}
          {change_pct === undefined ? null : (
            <span class={change_pct < 0 ? TONES.worse : TONES.better}>{changeWords(change_pct)}</span>
          )}
        </p>
      )}
      <Rules title="New findings" rules={appeared} />
      <Rules title="No longer found" rules={vanished} />
      {moved.length === 0 ? (
        <p class="quiet">No signal that both profiles have moved by more than noise.</p>
      ) : (
        <Moved moved={moved} />
      )}
      {lines.length === 0 ? null : <Lines lines={lines} />}
    </>
  );
}

function Rules({ title, rules }: { readonly title: string; readonly rules: readonly string[] }) {
  if (rules.length === 0) return null;
  return (
    <p>
      <b>{title}:</b> {rules.join(', ')}
    </p>
  );
}

function Moved({ moved }: { readonly moved: StoredChange['moved'] }) {
  const rest = moved.slice(SHOWN);
  return (
    <>
      <MovedTable caption="Signals that moved, the largest first" moved={moved.slice(0, SHOWN)} />
      {rest.length === 0 ? null : (
        <details>
          <summary>and {rest.length} more signals</summary>
          <MovedTable caption="The other signals that moved" moved={rest} />
        </details>
      )}
    </>
  );
}

function MovedTable({ caption, moved }: { readonly caption: string; readonly moved: StoredChange['moved'] }) {
  return (
    <Table
      caption={caption}
      rows={moved}
      idOf={({ metric }) => metric}
      columns={[
        { name: 'signal', side: 'left', cell: ({ metric }) => signalLabel(metric) },
        { name: 'before', cell: ({ metric, before, unit }) => signalValue(metric, before, unit) },
        { name: 'after', cell: ({ metric, after, unit }) => signalValue(metric, after, unit) },
        {
          name: 'change',
          cell: ({ metric, before, after, unit }) => {
            const sense = movedSense(metric, before, after);
            const text = `${movedText(before, after, unit)}${sense === 'moved' ? '' : `, ${sense}`}`;
            return <span class={TONES[sense]}>{text}</span>;
          },
        },
      ]}
    />
  );
}

const TONES = { better: 'change faster', worse: 'change slower', moved: '' } as const;

function Lines({ lines }: { readonly lines: readonly LineChange[] }) {
  return (
    <Table
      caption="Lines whose cost changed, the largest change first"
      rows={lines}
      idOf={({ file, line, before_line, after_us }) => `${file}:${line}:${before_line ?? ''}:${after_us}`}
      columns={[
        {
          name: 'line',
          side: 'left',
          cell: ({ file, line, source, changed }) => (
            <>
              <code>
                {file}:{line}
              </code>{' '}
              {changed ? <span class="quiet">(changed)</span> : null}
              {source === undefined ? null : (
                <>
                  <br />
                  <code>{source.trim()}</code>
                </>
              )}
            </>
          ),
        },
        { name: 'before', cell: ({ before_us }) => costText(before_us) },
        { name: 'after', cell: ({ after_us }) => costText(after_us) },
        {
          name: 'change',
          cell: ({ before_us, after_us }) => (
            <span class={after_us > before_us ? TONES.worse : TONES.better}>
              {after_us > before_us ? '▲' : '▼'} {costText(Math.abs(after_us - before_us))}
            </span>
          ),
        },
      ]}
    />
  );
}

function costText(cost_us: number): string {
  return cost_us === 0 ? 'none' : `${cost_us.toPrecision(3)} µs`;
}
