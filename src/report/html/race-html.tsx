import type { Race, RaceCase } from '../../model/judge/race.ts';
import {
  caseTitle,
  RACE_COLUMNS,
  RACE_READING,
  raceFacts,
  raceNotices,
  raceReasons,
  raceRows,
  raceSentence,
  RESULT_LOOK,
} from '../text/race-text.ts';
import { COMPARISON_STYLE } from './comparison-style.ts';
import { htmlPage } from './html-page.tsx';
import { DataTable, FactsLine, Items } from './page-parts.tsx';

/** The race as one file: no scripts, nothing fetched. */
export function renderRaceHtml(race: Race): string {
  const { tone, mark } = RESULT_LOOK[race.result];
  return htmlPage({
    title: `Race · ${race.problem}`,
    style: COMPARISON_STYLE,
    body: (
      <>
        <header>
          <div class={`banner tone-${tone}`}>
            <h1>
              {mark} Race of {race.problem}
            </h1>
            <p>{raceSentence(race)}</p>
          </div>
          <FactsLine facts={raceFacts(race)} />
        </header>
        <Items
          class="notices"
          label="notices"
          items={raceNotices(race).map((notice) => (
            <li class={notice.tone}>{notice.text}</li>
          ))}
        />
        {race.cases.map((one) => (
          <Case one={one} race={race} />
        ))}
        <p class="quiet">{RACE_READING}</p>
      </>
    ),
  });
}

function Case({ one, race }: { readonly one: RaceCase; readonly race: Race }) {
  return (
    <section>
      <h2>{caseTitle(one)}</h2>
      <DataTable columns={RACE_COLUMNS}>
        {raceRows(one, race).map(({ cells, tone }) => (
          <tr class={`tone-${tone}`}>
            {cells.map((cell, index) => {
              const isVerdict = index === cells.length - 1;
              return (
                <td class={RACE_COLUMNS[index]?.[1]}>
                  {isVerdict ? <span class="chip">{cell}</span> : cell}
                </td>
              );
            })}
          </tr>
        ))}
      </DataTable>
      <Items
        class="reasons"
        items={raceReasons(one).map(({ kernel, reason, tone }) => (
          <li class={`tone-${tone}`}>
            <b>{kernel}</b> {reason}
          </li>
        ))}
      />
    </section>
  );
}
