import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { buildRunners, defaultStreamJob } from '../../src/build/runner-recipes.ts';
import { findCompiler } from '../../src/build/find-compiler.ts';
import { runCommand } from '../../src/os/run-command.ts';
import { RawClient } from '../contract/raw-client.ts';
import { openRequest } from '../contract/runner-conformance.ts';
import { compiledOnce } from '../services/compiled-once.ts';
import { builtForPython, compile } from './native-build.ts';

const HERE = import.meta.dirname;
const nvcc = await findCompiler('cuda', process.env);

async function library(): Promise<string> {
  const [outcome] = await buildRunners([defaultStreamJob()]);
  if (outcome === undefined || !('artifact' in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.artifact;
}

describe('launches on the default stream', () => {
  it.skipIf(nvcc.status === 'missing')(
    'go to the stream that captures while it does, and nowhere else otherwise',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'pawl-default-stream-'));
      const launches = join(folder, 'launches.o');
      await compiledOnce({
        compiler: 'nvcc',
        args: ['-arch=sm_90', '-c', join(HERE, 'check-default-stream.cu')],
        to: launches,
      });
      const before = await library();
      const program = join(folder, 'program');
      await compile([join(HERE, 'check-default-stream.cpp'), launches, before, '-ldl'], program);
      const run = await runCommand(program, [], { timeout_ms: 10_000 });
      const LAUNCH = '3,4,5 6,7,1 8';
      expect(run).toMatchObject({
        code: 0,
        stdout: `${LAUNCH} (nil)
${LAUNCH} 0x1000
${LAUNCH} 0x1
${LAUNCH} 0x1000
${LAUNCH} 0x2
${LAUNCH} 0x1000
${LAUNCH} 0x2000
${LAUNCH} 0x2000
1,1,1 2,1,1 3 0x2000
9,1,1 10,1,1 11 0x2000
52
`,
      });
    },
    120_000,
  );

  it('of a kernel in Python go there too, also after a capture that failed', async () => {
    const runner = await builtForPython();
    const command = [...runner.candidate.command, await library()];
    const client = new RawClient({ ...runner, candidate: { command } });
    try {
      const module = join(HERE, '../fixtures/python-kernels/default_stream.py');
      await client.result(openRequest(client, { module, function: 'rowsum' }));
      expect(client.printed).toContain('streams: [None, 4096, None]');
    } finally {
      await client.kill();
    }
  });
});
