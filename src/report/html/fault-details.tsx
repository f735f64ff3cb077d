import type { Fault } from '../../model/measure/fault.ts';
import { ELEMENT_HEADERS, faultView } from '../fault-view.ts';
import { DataTable } from './page-parts.tsx';

/** A fault in a page, to stand below the sentence that names it. */
export function FaultDetails({ fault }: { readonly fault: Fault }) {
  const { headline, caption, elements, printed, reproduce, locate } = faultView(fault);
  return (
    <>
      <p class="quiet">{headline}</p>
      {elements.length > 0 && (
        <DataTable class="table" caption={caption} columns={ELEMENT_HEADERS.map((name) => [name])}>
          {elements.map(({ index, got, want, error, isWorst }) => (
            <tr class={isWorst ? 'worst' : undefined}>
              {[index, got, want, error].map((cell) => (
                <td>{cell}</td>
              ))}
            </tr>
          ))}
        </DataTable>
      )}
      {printed.length > 0 && <pre>{printed.join('\n')}</pre>}
      {reproduce !== undefined && (
        <p>
          Reproduce: <code>{reproduce}</code>
        </p>
      )}
      {locate !== undefined && (
        <p>
          Find the line: <code>{locate}</code>
        </p>
      )}
    </>
  );
}
