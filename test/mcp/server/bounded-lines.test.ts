import { describe, expect, it } from 'vitest';

import { BoundedLines, type LineFault } from '../../../src/mcp/server/bounded-lines.ts';

async function through(chunks: readonly string[], limit_bytes = 64) {
  const faults: LineFault[] = [];
  const lines = new BoundedLines(limit_bytes, (fault) => faults.push(fault));
  for (const chunk of chunks) lines.write(chunk);
  lines.end();
  const parts: Buffer[] = [];
  for await (const part of lines) parts.push(part as Buffer);
  return { text: Buffer.concat(parts).toString(), faults };
}

describe('lines from a client', () => {
  it('pass where they are JSON, however they are cut into chunks', async () => {
    expect(await through(['{"a":', '1}\n{"b"', ':2}\r\n', '\n', '[3]\n'])).toEqual({
      text: '{"a":1}\n{"b":2}\r\n[3]\n',
      faults: [],
    });
  });

  it('cost only themselves where they are no JSON', async () => {
    expect(await through(['{nonsense\n{"a":1}\n'])).toEqual({ text: '{"a":1}\n', faults: ['not-json'] });
  });

  it('cost only themselves where they are too long', async () => {
    const long = `"${'x'.repeat(100)}"`;
    expect(await through([long.slice(0, 70), long.slice(70), '\n{"a":1}\n'])).toEqual({
      text: '{"a":1}\n',
      faults: ['too-long'],
    });
  });

  it('are nothing until they end', async () => {
    expect(await through(['{"a":1}'])).toEqual({ text: '', faults: [] });
  });
});
