import type { ProfileComparison } from '../../model/profile/diagnosis.ts';
import { DataTable } from './page-parts.tsx';
import { movedSense, movedText } from '../text/moved-text.ts';
import { signalLabel, signalValue } from '../text/signal-text.ts';

type Moved = ProfileComparison['moved'][number];

/** The largest moves come first; the others are for those who look for one. */
const SHOWN = 14;

interface Shown {
  readonly moved: readonly Moved[];
}

export function MovedSignals({ moved }: Shown) {
  if (moved.length === 0) return <p class="quiet">No signal moved by more than noise.</p>;
  const rest = moved.slice(SHOWN);
  return (
    <>
      <MovedTable moved={moved.slice(0, SHOWN)} />
      {rest.length > 0 && (
        <details>
          <summary>and {rest.length} more</summary>
          <MovedTable moved={rest} />
        </details>
      )}
    </>
  );
}

function MovedTable({ moved }: Shown) {
  return (
    <DataTable columns={[['signal', 'left'], ['before'], ['after'], ['change']]}>
      {moved.map(({ metric, unit, before, after }) => {
        const sense = movedSense(metric, before, after);
        return (
          <tr>
            <td class="left">{signalLabel(metric)}</td>
            <td>{signalValue(metric, before, unit)}</td>
            <td>{signalValue(metric, after, unit)}</td>
            <td class={sense}>
              {`${movedText(before, after, unit)}${sense === 'moved' ? '' : `, ${sense}`}`}
            </td>
          </tr>
        );
      })}
    </DataTable>
  );
}
