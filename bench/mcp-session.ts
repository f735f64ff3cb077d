/**
 * A recorded session over MCP, from an empty folder to a reached goal on a CPU kernel: every call of a tool with its
 * answer, in Markdown (docs/results/mcp-session.md).
 *
 *   npm run build && npx tsc -p tsconfig.bench.json && node .bench/bench/mcp-session.js > docs/results/mcp-session.md
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { playSession, type Answered, type Step } from './mcp-session/play-session.ts';

const PAWL = resolve('bin/pawl');
const PATIENCE = { timeout: 1_800_000 };
const LONGEST_ANSWER = 1200;

const folder = await mkdtemp(join(tmpdir(), 'pawl-mcp-session-'));
const project = join(folder, 'project');
await mkdir(project);
const transport = new StdioClientTransport({
  command: PAWL,
  args: ['mcp'],
  cwd: project,
  // Ceilings that are measured beside other work stay out of the user's own.
  env: { ...process.env, PAWL_CACHE_DIR: join(folder, 'cache/build') },
});
const client = new Client({ name: 'recorded-session', version: '1' });
await client.connect(transport);
const began_ms = performance.now();
const times_s: number[] = [];

async function callTool(name: string, given: Readonly<Record<string, unknown>>): Promise<Answered> {
  const from_ms = performance.now();
  const result = await client.callTool({ name, arguments: { ...given } }, PATIENCE);
  times_s.push((performance.now() - from_ms) / 1000);
  const [first] = result.content;
  return {
    isError: result.isError === true,
    text: first?.type === 'text' ? first.text : '',
    value: (result.structuredContent ?? {}) as Record<string, unknown>,
  };
}

/** What is told of an answer: its first line, and the part of its value that the next step rests on. */
function answerText({ text, value, isError }: Answered): string {
  if (isError) return JSON.stringify(JSON.parse(text), undefined, 1).replaceAll(project, 'PROJECT');
  const { try: tried, next, outcome, code_findings, fixes, written, not_kept, gates } = value;
  const stopped = (gates as { shown?: { items: { state: string }[] } } | undefined)?.shown?.items.filter(
    ({ state }) => state === 'failed' || state === 'unknown',
  );
  const told = { written, not_kept, stopped, try: tried, code_findings, fixes, outcome, next };
  const json = JSON.stringify(told, undefined, 1).replaceAll(project, 'PROJECT');
  const shown = json.length > LONGEST_ANSWER ? `${json.slice(0, LONGEST_ANSWER)}\n… (cut)` : json;
  return json === '{}' ? text : `${text}\n\n${shown}`;
}

let call = 0;
function stepText(step: Step): string {
  if (step.kind === 'word') return step.text;
  if (step.kind === 'edit') return `_Edits \`${step.file}\`: ${step.why}._`;
  const took = times_s[call++]?.toFixed(1) ?? '';
  const given = JSON.stringify(step.given);
  return `### ${step.tool} (${took} s)\n\n\`\`\`json\n${given}\n\`\`\`\n\n\`\`\`text\n${answerText(step.answered)}\n\`\`\``;
}

try {
  const steps = await playSession(project, callTool, { wait_s: 600 });
  const minutes = ((performance.now() - began_ms) / 60_000).toFixed(1);
  const calls = steps.filter(({ kind }) => kind === 'call').length;
  console.log(`# A session over MCP, from an empty folder

\`bench/mcp-session.ts\` is an assistant without a model: it follows the answers of \`pawl mcp\` and edits the kernel as an assistant would. Everything else is done by tools: no command line, no file of Pawl is read. It stands in for the user where an answer says that the user is to be asked. This is what it did and what it was told, ${calls} calls in ${minutes} minutes on ${availableParallelism()} shared CPUs. Answers are cut to their first line and to what the next step rests on. \`test/e2e/mcp-from-nothing.test.ts\` plays the same in CI.

\`\`\`sh
npm run build && npx tsc -p tsconfig.bench.json && node .bench/bench/mcp-session.js
\`\`\`

${steps.map(stepText).join('\n\n')}
`);
} finally {
  await client.close();
  await rm(folder, { recursive: true, force: true });
}
