import { useEffect, useState } from 'preact/hooks';

import type { HistoryRun } from '../../../src/model/history.ts';
import { VERDICTS_BY_URGENCY } from '../../../src/model/verdict.ts';
import { MEASURE } from '../common/commands.ts';
import { Choice } from '../parts/choice.tsx';
import { FilterBox, matches } from '../parts/filter-box.tsx';
import { RunsTable } from '../parts/runs-table.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import type { Place } from '../common/router.ts';
import type { Page } from '../source/shapes.ts';
import { useAnswer } from '../source/use-answer.ts';

const KINDS = ['bench', 'check', 'compare', 'import', 'profile', 'fuzz', 'tune', 'session'] as const;

export function RunsPage({ query }: { readonly query: Place['query'] }) {
  const { q, kind, verdict } = query;
  return (
    <>
      <h1>Runs</h1>
      <div class="tools-line">
        <FilterBox value={q} label="Filter runs" />
        <Choice label="Kind" name="kind" value={kind} options={choices(KINDS)} />
        <Choice label="Verdict" name="verdict" value={verdict} options={choices(VERDICTS_BY_URGENCY)} />
      </div>
      <Pages key={`${kind} ${verdict}`} query={query} />
    </>
  );
}

/** Pages one below the other; the filter works on what has been shown. */
function Pages({ query: { q, kind, verdict } }: { readonly query: Place['query'] }) {
  const [cursor, setCursor] = useState<string>();
  const [before, setBefore] = useState<readonly HistoryRun[]>([]);
  const asked = new URLSearchParams(
    Object.entries({ limit: '50', kinds: kind, verdicts: verdict, cursor }).flatMap(([name, value]) =>
      value ? [[name, value]] : [],
    ),
  );
  const loaded = useAnswer<Page<HistoryRun>>(`runs?${asked.toString()}`);
  useEffect(() => {
    setCursor(undefined);
    setBefore([]);
  }, [kind, verdict]);
  return (
    <>
      {before.length === 0 ? null : <RunsTable runs={before.filter((run) => isShown(run, q))} />}
      <Shown loaded={loaded} height={600}>
        {({ items, next }) => {
          if (items.length === 0 && before.length === 0) return <NoRuns />;
          const shown = items.filter(
            (run) =>
              (kind === undefined || run.kind === kind) &&
              (verdict === undefined || run.verdict === verdict) &&
              isShown(run, q),
          );
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
      Every command that measures records its run here, unless told not to.
    </Empty>
  );
}

function isShown(
  { id, kind, commit, base_commit, branch, host, device, verdict, pull_request }: HistoryRun,
  q: string | undefined,
): boolean {
  return matches(q, [
    id,
    kind,
    commit,
    base_commit,
    branch,
    host,
    device,
    verdict,
    pull_request === undefined ? '' : `#${pull_request}`,
  ]);
}

function choices(values: readonly string[]): readonly (readonly [string, string])[] {
  return [['', 'all'], ...values.map((value) => [value, value] as const)];
}
