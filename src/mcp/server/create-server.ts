import { McpServer, type ToolAnnotations } from '@modelcontextprotocol/server';

import { PAWL_VERSION } from '../../model/version.ts';
import { callTool, type Calls } from './call-tool.ts';
import { INSTRUCTIONS, UNTRUSTED_NOTE } from '../instructions.ts';
import { listedInput, listedOutput } from './listed-schemas.ts';
import { registerPrompts } from '../prompts/register-prompts.ts';
import { registerResources } from '../resources/register-resources.ts';
import type { AnyTool } from '../tool.ts';
import { TOOLS } from '../tools/tools.ts';

export interface ServerSetup extends Omit<Calls, 'toolNames'> {
  /** Also the tools that change what others rely on. */
  readonly allowDestructive: boolean;
}

/** Made once: over HTTP there is a server for every request. */
const LISTED = new Map(
  TOOLS.map((tool) => [
    tool,
    { inputSchema: listedInput(tool.input), outputSchema: listedOutput(tool.output) },
  ]),
);

/** Numbers and names that a call may hold, all lists together. */
const MOST_INPUT_ELEMENTS = 2000;

/** A server for one connection, or for one request where there are no connections. */
export function createServer(setup: ServerSetup): McpServer {
  const server = new McpServer(
    { name: 'pawl', title: 'Pawl, the performance ratchet for GPU kernels', version: PAWL_VERSION },
    { instructions: INSTRUCTIONS, maxToolInputElements: MOST_INPUT_ELEMENTS },
  );
  const offered = offeredTools(setup.allowDestructive);
  const calls = { ...setup, toolNames: offered.map(({ name }) => name) };
  for (const tool of offered) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: `${tool.description} ${UNTRUSTED_NOTE}`,
        ...LISTED.get(tool),
        annotations: annotationsOf(tool),
      },
      (input, context) => callTool(tool, input, context, calls),
    );
  }
  registerResources(server, setup);
  registerPrompts(server, setup);
  return server;
}

export function offeredTools(allowDestructive: boolean): readonly AnyTool[] {
  return TOOLS.filter(({ effect }) => allowDestructive || effect !== 'changes');
}

export function annotationsOf({ effect, isIdempotent = false }: AnyTool): ToolAnnotations {
  return {
    readOnlyHint: effect === 'reads',
    destructiveHint: effect === 'changes',
    idempotentHint: effect === 'reads' || isIdempotent,
    // Kernels, files and the history of this project: nothing is fetched from elsewhere.
    openWorldHint: false,
  };
}
