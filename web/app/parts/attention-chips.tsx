import { ATTENTION, ATTENTION_ORDER } from '../../../src/model/judge/attention.ts';
import type { Overview } from '../../../src/model/history/history.ts';
import { adjust } from '../common/router.ts';

/** How many cases need attention, and why; each shows only those. */
export function AttentionChips({
  keys,
  show,
}: {
  readonly keys: Overview['keys'];
  readonly show: string | undefined;
}) {
  const calm = keys.filter(({ attention }) => attention.length === 0).length;
  return (
    <div class="attention" role="group" aria-label="What needs attention">
      {ATTENTION_ORDER.map((kind) => {
        const { tone, meaning } = ATTENTION[kind];
        const count = keys.filter(({ attention }) => attention.includes(kind)).length;
        return (
          <button
            key={kind}
            type="button"
            class={`counter tone-${tone}`}
            title={meaning}
            aria-pressed={show === kind}
            disabled={count === 0 && show !== kind}
            onClick={() => adjust({ show: show === kind ? undefined : kind })}
          >
            <b>{count}</b> {kind}
          </button>
        );
      })}
      <span class="counter calm">
        <b>{calm}</b> need nothing
      </span>
    </div>
  );
}
