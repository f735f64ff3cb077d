import { describe, expect, it } from 'vitest';

import { loadMethod } from '../../src/learn/method/load-method.ts';
import type { GateResult, Method } from '../../src/model/learn/gate.ts';
import { phasesOf } from '../../web/app/common/session-gates.ts';
import type { Session } from '../../web/app/source/shapes.ts';
import { sessionOf } from '../history/session-of.ts';

describe('the command after a gate that was not looked at', () => {
  it('has what was measured as one word, and leaves what was not to the reader', async () => {
    const after = await commandOf(
      'pawl fuzz --only {kernel} --case {smallest} --share {room%} --by {nobody} --at-most {tries_per_idea}',
      { smallest: 'x; rm -rf ~', room: 0.5 },
    );
    expect(after).toBe("pawl fuzz --only attention --case 'x; rm -rf ~' --share 0.5 --by NOBODY --at-most 3");
  });
});

describe('the command after a gate of a session that is over', () => {
  it('is not told with places that nobody will fill', async () => {
    const shipped = await loadMethod(undefined);
    const session = sessionOf({ at: 0 });
    expect(session.state).toBe('ended');
    const open = shipped.gates.map(({ id, phase }): GateResult => ({
      ...session.gates[0]!,
      gate: id,
      phase,
      state: 'open',
      next: undefined,
    }));
    const shown = phasesOf({ ...session, gates: open }, shipped).flatMap(({ gates }) => gates);
    expect(shown.map(({ after }) => after).filter((after) => after !== undefined)).toEqual([]);
  });
});

async function commandOf(next: string, facts: Record<string, string | number>): Promise<string | undefined> {
  const shipped = await loadMethod(undefined);
  const session = sessionOf({ at: 0, how: 'open' });
  const [first, second] = session.gates;
  const open: GateResult = { ...first!, state: 'open', next: undefined, evidence: undefined };
  const measured: GateResult = { ...second!, evidence: { ...second!.evidence!, facts } };
  const method: Method = { ...shipped, gates: [{ ...shipped.gates[0]!, id: open.gate, next }] };
  const asked: Session = { ...session, kernel: 'attention', gates: [open, measured] };
  return phasesOf(asked, method)
    .flatMap(({ gates }) => gates)
    .find(({ gate }) => gate === open.gate)?.after;
}
