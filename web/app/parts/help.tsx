import type { RefObject } from 'preact';

import { KEYS } from '../common/keyboard.ts';

export function Help({ dialog }: { readonly dialog: RefObject<HTMLDialogElement | null> }) {
  return (
    <dialog ref={dialog} class="help panel" aria-labelledby="help-title">
      <h2 id="help-title">Keys</h2>
      <dl>
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">
        Positive changes are faster. Ranges are 95 % intervals. Times of day are UTC. Drag over a chart to
        zoom; double-click to reset.
      </p>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
