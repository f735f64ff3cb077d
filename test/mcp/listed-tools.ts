import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, type Tool } from '@modelcontextprotocol/server';

import { createServer } from '../../src/mcp/server/create-server.ts';

/** `tools/list` as a client gets it, from a server that offers everything. */
export async function listedTools(): Promise<Tool[]> {
  const server = createServer({
    project: { root: '/nowhere', config: '/nowhere/pawl.yaml' },
    env: {},
    now: () => new Date(0),
    signal: new AbortController().signal,
    underWay: new Set(),
    onBug: () => undefined,
    allowDestructive: true,
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([server.connect(far), client.connect(near)]);
  const { tools } = await client.listTools();
  await client.close();
  return tools;
}

export function sizeOf(value: unknown): number {
  return (JSON.stringify(value) ?? '').length;
}

/** Characters of each tool, the largest first: all, description, input and output schema. */
export function sizesText(tools: readonly Tool[]): string {
  const row = (...cells: readonly (string | number)[]): string =>
    cells.map((cell, column) => (column === 0 ? String(cell).padEnd(24) : String(cell).padStart(8))).join('');
  const rows = tools
    .toSorted((one, other) => sizeOf(other) - sizeOf(one))
    .map((tool) =>
      row(
        tool.name,
        sizeOf(tool),
        sizeOf(tool.description),
        sizeOf(tool.inputSchema),
        sizeOf(tool.outputSchema),
      ),
    );
  return [row('tool', 'all', 'words', 'input', 'output'), ...rows, row('in all', sizeOf(tools))].join('\n');
}
