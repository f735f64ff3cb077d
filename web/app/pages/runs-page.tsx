import { useContext, useEffect, useState } from 'preact/hooks';

import type { HistoryRun } from '../../../src/model/history/history.ts';
import { VERDICTS_BY_URGENCY } from '../../../src/model/judge/verdict.ts';
import { MEASURE } from '../common/commands.ts';
import { Choice } from '../parts/choice.tsx';
import { FilterBox, matches } from '../parts/filter-box.tsx';
import { RunsTable } from '../parts/runs-table.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import type { Place } from '../common/router.ts';
import type { Page } from '../source/shapes.ts';
import { SourceContext, useAnswer } from '../source/use-answer.ts';

const KINDS = ['bench', 'check', 'compare', 'import', 'profile', 'fuzz', 'tune', 'session'] as const;

export function RunsPage({ query }: { readonly query: Place['query'] }) {
  const { q, kind, verdict } = query;
  const search = useSettled(q ?? '');
  return (
    <>
      <h1>Runs</h1>
      <div class="tools-line">
        <FilterBox value={q} label="Search runs" />
        <Choice label="Kind" name="kind" value={kind} options={choices(KINDS)} />
        <Choice label="Verdict" name="verdict" value={verdict} options={choices(VERDICTS_BY_URGENCY)} />
      </div>
      <Pages key={`${kind} ${verdict} ${search}`} query={{ ...query, q: search }} />
    </>
  );
}

/** Pages one below the other. A server searches the whole store; a file holds all that it can be searched for. */
function Pages({ query }: { readonly query: Place['query'] }) {
  const { q, kind, verdict } = query;
  const isFile = useContext(SourceContext)?.source.kind === 'file';
  const [cursor, setCursor] = useState<string>();
  const [before, setBefore] = useState<readonly HistoryRun[]>([]);
  const asked = new URLSearchParams(
    Object.entries({ limit: '50', kinds: kind, verdicts: verdict, search: q?.trim(), cursor }).flatMap(
      ([name, value]) => (value ? [[name, value]] : []),
    ),
  );
  const loaded = useAnswer<Page<HistoryRun>>(`runs?${asked.toString()}`);
  return (
    <>
      {before.length === 0 ? null : <RunsTable runs={before} />}
      <Shown loaded={loaded} height={600}>
        {({ items, next }) => {
          if (items.length === 0 && before.length === 0)
            return q ? <Empty title="No run has all of these words.">Use fewer words.</Empty> : <NoRuns />;
          const shown = isFile ? items.filter((run) => isShown(run, query)) : items;
          return (
            <>
              {shown.length === 0 ? (
                <Empty title="None of these runs matches." />
              ) : (
                <RunsTable runs={shown} />
              )}
              {next === undefined ? null : (
                <button
                  type="button"
                  class="more"
                  onClick={() => {
                    setBefore([...before, ...items]);
                    setCursor(next);
                  }}
                >
                  Older runs
                </button>
              )}
            </>
          );
        }}
      </Shown>
    </>
  );
}

function NoRuns() {
  return (
    <Empty title="No such run was recorded." command={MEASURE}>
      Every command that measures records its run here, except with --no-history.
    </Empty>
  );
}

function isShown(run: HistoryRun, { q, kind, verdict }: Place['query']): boolean {
  const { id, commit, subject, author, base_commit, branch, host, device, pull_request } = run;
  return (
    (kind === undefined || run.kind === kind) &&
    (verdict === undefined || run.verdict === verdict) &&
    matches(q, [
      id,
      run.kind,
      commit,
      subject,
      author,
      base_commit,
      branch,
      host,
      device,
      run.verdict,
      pull_request === undefined ? '' : `#${pull_request}`,
    ])
  );
}

const SETTLED_MS = 250;

/** What was typed, once its typist pauses: a server is not asked for every letter. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function choices(values: readonly string[]): readonly (readonly [string, string])[] {
  return [['', 'all'], ...values.map((value) => [value, value] as const)];
}
