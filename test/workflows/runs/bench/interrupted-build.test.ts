import { expect, it } from 'vitest';

import { bench } from '../../../../src/workflows/runs/bench.ts';
import { gateProject } from '../../session/gate-project.ts';

it('a bench that is interrupted while it builds says so, and blames no kernel', async () => {
  const config = await gateProject();
  const measured = bench({ config, only: ['even'], signal: AbortSignal.abort() });
  await expect(measured).rejects.toMatchObject({
    kind: 'try-again',
    message: 'Interrupted before anything was measured.',
  });
});
