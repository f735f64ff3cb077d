import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { AuditedRunner, PREPARE } from './audited-runner.ts';
import { RefusedRequest } from './raw-runner.ts';

let fixtures: AuditedRunner;
beforeAll(async () => {
  fixtures = await AuditedRunner.build();
}, 600_000);
afterEach(() => fixtures.stop());
afterAll(() => fixtures.remove());

const SAMPLE = { mode: 'cold', count: 40, budget_ms: 60_000, timing: 'blocked' };

async function sampled(kernel: string, fields: object = {}, requests = 1) {
  const runner = await fixtures.prepared(await fixtures.kernel(kernel));
  const request = { ...SAMPLE, verify: await fixtures.rules(), ...fields };
  let result = await runner.result('sample', request);
  for (let i = 1; i < requests; ++i) result = await runner.result('sample', request);
  return result;
}

describe('timed repetitions', () => {
  it.each(['cold', 'hot'])(
    'of a right kernel are verified in %s mode, one of those that were taken',
    async (mode) => {
      const result = await sampled('kernels/right', { mode });
      expect(result.tampering).toEqual([]);
      expect(result.verified?.tensors).toMatchObject([{ name: 'y', mismatches: 0 }]);
      expect(result.verified?.repetition).toBeLessThan(result.samples_ms.length);
    },
  );

  it('are verified at a repetition that differs from request to request', async () => {
    const runner = await fixtures.prepared(await fixtures.kernel('kernels/right'));
    const request = { ...SAMPLE, count: 200, verify: await fixtures.rules() };
    const chosen = new Set<number | undefined>();
    for (let i = 0; i < 8; ++i) chosen.add((await runner.result('sample', request)).verified?.repetition);
    expect(chosen.size).toBeGreaterThan(1);
  });

  it('show a kernel that gives old results once it has been checked', async () => {
    const { tampering } = await sampled('stale-later', {}, 2);
    expect(tampering).toContainEqual(
      expect.objectContaining({ detector: 'timed-result-wrong', tensor: 'y' }),
    );
  });

  it('show a kernel that leaves its work out in a few calls, since its fastest call is compared', async () => {
    for (let process = 0; process < 4; ++process) {
      const { tampering } = await sampled('seldom-wrong', { count: 100, budget_ms: 5000 });
      expect(tampering).toContainEqual(
        expect.objectContaining({ detector: 'timed-result-wrong', tensor: 'y' }),
      );
    }
  });

  it('show a kernel whose thread writes the output after the call', async () => {
    const { tampering } = await sampled('writes-later');
    // The judge looks right after each call. By the end of the request the last one may be written.
    expect(tampering).toContainEqual(expect.objectContaining({ detector: 'unwritten-output', tensor: 'y' }));
  });

  it('show a kernel that brings a clock of its own', async () => {
    const { tampering } = await sampled('defines-clock');
    expect(tampering.map(({ detector }) => detector)).toEqual(['timer-tampered']);
  });

  it.skipIf(process.arch !== 'x64')('show a clock that the kernel slowed down (x86-64)', async ({ skip }) => {
    const result = await sampled('slows-clock').catch((error: unknown) => {
      if (error instanceof RefusedRequest && error.code === 'busy') return undefined;
      throw error;
    });
    // Nobody is accused then, and no number is given either.
    if (result === undefined) return skip('this machine stayed too busy to measure');
    expect(result.tampering).toContainEqual(
      expect.objectContaining({
        detector: 'clock-mismatch',
        message: expect.stringContaining("by the judge's own"),
      }),
    );
  });

  it('are neither changed nor looked at when they are not guarded', async () => {
    const result = await sampled('stale-later', { guarded: false }, 2);
    expect(result.tampering).toEqual([]);
    expect(result.verified).toBeUndefined();
    expect(result.samples_ms).toHaveLength(40);
  });

  it('stay verifiable where a tensor is input and output, unless a sample is a batch of calls', async () => {
    const tensors = [{ ...PREPARE.tensors[0], role: 'inout' }, PREPARE.tensors[1]];
    const runner = await fixtures.prepared(await fixtures.kernel('kernels/right'), { ...PREPARE, tensors });
    const cold = await runner.result('sample', { ...SAMPLE, verify: await fixtures.rules() });
    expect(cold.tampering).toEqual([]);
    expect(cold.verified?.tensors).toHaveLength(2);
    const request = { ...SAMPLE, mode: 'hot', verify: await fixtures.rules() };
    // A busy machine can make one call look long enough to be a sample; the next request looks again.
    let hot = await runner.result('sample', request);
    for (let i = 0; i < 9 && hot.batch === 1; ++i) hot = await runner.result('sample', request);
    expect(hot.batch).toBeGreaterThan(1);
    expect(hot.verified).toBeUndefined();
    expect(hot.notes).toContainEqual(expect.stringContaining('every call of a batch'));
  });
});
