import type { Rates as Figures } from '../../../src/model/device/rates.ts';
import { ratesTexts } from '../../../src/report/text/rates-text.ts';

/** What a time means for the work of its case; a case that declares none has a dash. */
export function Rates({ rates }: { readonly rates: Figures | undefined }) {
  const texts = rates === undefined ? [] : ratesTexts(rates);
  if (texts.length === 0) return <span class="quiet">–</span>;
  return (
    <span class="stack">
      {texts.map((text, at) =>
        at === 0 ? <span key={text}>{text}</span> : <small key={text}>{text}</small>,
      )}
    </span>
  );
}
