import { useState } from 'preact/hooks';

import type { HistoryRun } from '../../../src/model/history/history.ts';
import { shortCommit } from '../common/format.ts';
import { adjust, type Place } from '../common/router.ts';

type Query = Place['query'];
type Letter = 'a' | 'b';

const FIELDS = [
  ['', 'commit or branch', 'revisions'],
  ['_device', 'device', 'devices'],
  ['_driver', 'driver', undefined],
] as const;

/** What is compared with what; into the address when it is sent, so that half a hash asks nothing. */
export function SideForm({ query, runs }: { readonly query: Query; readonly runs: readonly HistoryRun[] }) {
  const [said, setSaid] = useState<Readonly<Record<string, string>>>({});
  const valueOf = (name: string): string => said[name] ?? query[name] ?? '';
  const named = (letter: Letter): string[] => FIELDS.map(([end]) => `${letter}${end}`);
  const all = [...named('a'), ...named('b')];
  const swapped = (): void => {
    const pairs = FIELDS.flatMap(([end]) => [
      [`a${end}`, valueOf(`b${end}`)],
      [`b${end}`, valueOf(`a${end}`)],
    ]);
    adjust(Object.fromEntries(pairs));
  };
  return (
    <form
      class="sides-form panel"
      aria-label="What is compared"
      onSubmit={(event) => {
        event.preventDefault();
        adjust(Object.fromEntries(all.map((name) => [name, valueOf(name).trim()])));
      }}
    >
      {(['a', 'b'] as const).map((letter) => (
        <fieldset key={letter} class={`side-${letter}`}>
          <legend>
            <b class="letter">{letter.toUpperCase()}</b> {letter === 'a' ? 'compared with' : 'judged'}
          </legend>
          {FIELDS.map(([end, label, list]) => (
            <label key={end}>
              <span>{label}</span>
              <input
                name={`${letter}${end}`}
                value={valueOf(`${letter}${end}`)}
                list={list}
                autocomplete="off"
                spellcheck={false}
                onInput={({ currentTarget: { value } }) =>
                  setSaid((before) => ({ ...before, [`${letter}${end}`]: value }))
                }
              />
            </label>
          ))}
        </fieldset>
      ))}
      <p class="actions">
        <button type="submit">Compare</button>{' '}
        <button type="button" onClick={swapped}>
          Swap A and B
        </button>{' '}
        <button
          type="button"
          onClick={() => adjust(Object.fromEntries(all.map((name) => [name, undefined])))}
        >
          Choose others
        </button>
      </p>
      <Lists runs={runs} />
    </form>
  );
}

/** What the latest runs were of, to choose from. */
function Lists({ runs }: { readonly runs: readonly HistoryRun[] }) {
  const commits = new Map(
    runs.flatMap(({ commit, subject }) => (commit ? [[commit, subject] as const] : [])),
  );
  const branches = new Set(runs.flatMap(({ branch }) => branch ?? []));
  const devices = new Set(runs.flatMap(({ device }) => device ?? []));
  return (
    <>
      <datalist id="revisions">
        {[...branches].map((name) => (
          <option key={name} value={name}>
            branch
          </option>
        ))}
        {[...commits].map(([sha, subject]) => (
          <option key={sha} value={shortCommit(sha)}>
            {subject ?? ''}
          </option>
        ))}
      </datalist>
      <datalist id="devices">
        {[...devices].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
