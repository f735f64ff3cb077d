import { countText, timeText } from '../common/format.ts';
import { waitText } from '../../../src/model/device/wait-text.ts';
import type { Live } from '../source/live.ts';

/** What is under way, in one line; silent while nothing is. */
export function LiveLine({ live }: { readonly live: Live }) {
  const texts = [
    ...[...live.runs.values()].map(({ cases, waiting }) => {
      if (waiting !== undefined) return `A run is ${waitText(waiting)}`;
      const last = cases.at(-1);
      const now =
        last === undefined
          ? 'starting'
          : `${last.kernel ?? ''} / ${last.case}, ${countText(last.series, 'process', 'processes')}, ${countText(last.samples, 'sample')}`;
      return `A run of ${countText(cases.length, 'case')} so far: ${now}`;
    }),
    ...[...live.studies.values()].map(
      ({ kernel, trials, measured, rejected, best_ms }) =>
        `A study of ${kernel ?? 'a kernel'}: ${countText(trials, 'trial')}, ${measured} measured, ${rejected} rejected${best_ms === undefined ? '' : `, fastest trial ${timeText(best_ms)}`}`,
    ),
  ];
  return (
    <aside class="live" aria-label="Under way" hidden={texts.length === 0}>
      {texts.map((text) => (
        <p key={text}>
          <span class="pulse" aria-hidden="true" /> {text}
        </p>
      ))}
    </aside>
  );
}
