import { TRY_OUTCOME } from '../../../src/model/learn/try-outcome.ts';
import { FLAG_TEXT, variableText } from '../../../src/report/text/session-text.ts';
import { changeText, timeText, variantText } from '../common/format.ts';
import { adjust } from '../common/router.ts';
import type { Try } from '../source/shapes.ts';
import { Change } from './change.tsx';
import { Diff } from './diff.tsx';
import { Table } from './table.tsx';

/** What was tried: expected against measured. The one that is open is in the address as `try`. */
export function TriesTable({
  tries,
  opened,
}: {
  readonly tries: readonly Try[];
  readonly opened: string | undefined;
}) {
  return (
    <Table
      caption="Tries, in order"
      rows={tries}
      idOf={({ number }) => String(number)}
      detailOf={(row) => (String(row.number) === opened ? <TryDetail of={row} /> : undefined)}
      columns={[
        {
          name: 'hypothesis',
          side: 'left',
          cell: ({ number, hypothesis }) => (
            <button
              type="button"
              class="row-button"
              aria-expanded={String(number) === opened}
              onClick={() => adjust({ try: String(number) === opened ? undefined : String(number) })}
            >
              <span class="quiet">{number}</span> {hypothesis}
            </button>
          ),
        },
        { name: 'changed', side: 'left', cell: ({ change }) => <Variables change={change} /> },
        { name: 'flags', side: 'left', cell: ({ flags }) => <Flags flags={flags} /> },
        {
          name: 'predicted',
          cell: ({ predicted_change_pct: predicted }) =>
            predicted === undefined ? <span class="quiet">–</span> : changeText(predicted),
        },
        {
          name: 'measured',
          cell: ({ measured }) => <Change change_pct={measured?.change_pct} ci_pct={measured?.ci_pct} />,
        },
        { name: 'outcome', side: 'left', cell: (row) => <Outcome of={row} /> },
      ]}
    />
  );
}

function Variables({ change: { variables, files } }: { readonly change: Try['change'] }) {
  const texts = variables.map(variableText);
  const shown = texts.length === 0 ? files : texts;
  return shown.length === 0 ? (
    <span class="quiet">–</span>
  ) : (
    <ul class="plain">
      {shown.map((text, index) => (
        <li key={index}>
          <code>{text}</code>
        </li>
      ))}
    </ul>
  );
}

function Flags({ flags }: { readonly flags: Try['flags'] }) {
  if (flags.length === 0) return <span class="quiet">–</span>;
  return (
    <span class="tags">
      {flags.map((flag) => (
        <span key={flag} class="tag tag-flag" title={FLAG_TEXT[flag]}>
          {flagName(flag)}
        </span>
      ))}
    </span>
  );
}

function flagName(flag: Try['flags'][number]): string {
  return flag.replaceAll('-', ' ');
}

function Outcome({ of: { outcome, kept, share_of_predicted: share } }: { readonly of: Try }) {
  if (outcome === undefined) return <span class="quiet">not measured</span>;
  const { tone, mark, text } = TRY_OUTCOME[outcome];
  const notes = [
    ...(kept === undefined ? [] : [kept ? 'kept' : 'not kept']),
    ...(share === undefined ? [] : [`${(100 * share).toFixed(0)} % of the predicted`]),
  ];
  return (
    <span class="stack">
      <span class={`chip tone-${tone}`}>
        <span aria-hidden="true">{mark}</span> {text}
      </span>
      {notes.length === 0 ? null : <small>{notes.join(', ')}</small>}
    </span>
  );
}

function TryDetail({ of }: { readonly of: Try }) {
  const { change, flags, warnings, override, measured, learnt, rule, idea } = of;
  return (
    <div class="try-detail">
      <p class="quiet">
        Idea: {idea}
        {rule === undefined ? '' : `; follows the finding ${rule}`}
        {change.variant === undefined ? '' : `; variant ${variantText(change.variant)}`}
      </p>
      {measured === undefined ? null : (
        <p>
          {measured.reason}
          {measured.before_ms === undefined || measured.after_ms === undefined
            ? ''
            : ` ${timeText(measured.before_ms)} → ${timeText(measured.after_ms)} at ${measured.case}.`}
        </p>
      )}
      {flags.length === 0 ? null : (
        <ul class="lines">
          {flags.map((flag) => (
            <li key={flag}>
              {flagName(flag)}: {FLAG_TEXT[flag]}.
            </li>
          ))}
        </ul>
      )}
      {warnings.map(({ id, text, matched, fix }, index) => (
        <p key={index} class="warning">
          <b>Warned:</b> {text}{' '}
          <span class="quiet">
            ({matched}; {id})
          </span>
          {fix === undefined ? null : <> {fix}</>}
        </p>
      ))}
      {override === undefined ? null : (
        <p>
          <b>Measured anyway:</b> {override}
        </p>
      )}
      {learnt === undefined ? null : (
        <p>
          <b>Learnt:</b> {learnt}
        </p>
      )}
      {change.diff === '' ? (
        <p class="quiet">No source file changed.</p>
      ) : (
        <Diff text={change.diff} truncated={change.truncated} />
      )}
    </div>
  );
}
