import { completable, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

import { clip, plainText } from '../../report/text/plain-text.ts';
import type { Project } from '../tool.ts';
import { explainRegression } from './explain-regression.ts';
import { optimiseKernel } from './optimise-kernel.ts';
import { reviewSession } from './review-session.ts';

const MOST_SUGGESTIONS = 50;

/** What a person can start with one choice. Arguments come from that person; they are made one line anyway. */
export function registerPrompts(server: McpServer, { project }: { readonly project: Project }): void {
  const kernel = completable(z.string().min(1).max(80).describe('A kernel of pawl.yaml.'), (begun) =>
    namesBeginning(project, begun ?? '', 'kernels'),
  );
  server.registerPrompt(
    'optimise-kernel',
    {
      title: 'Optimise a kernel systematically',
      description:
        'Follows the method with the tools: pre-flight, assessment, build, baseline, profile and optimise, validate, ratchet.',
      argsSchema: z.object({
        kernel,
        case: z.string().max(80).optional().describe('The case that counts (default: the session asks).'),
        goal: z.string().max(200).optional().describe('For example: 1.2x on training_512.'),
      }),
    },
    (args) => message(optimiseKernel(oneLine(args))),
  );
  server.registerPrompt(
    'explain-regression',
    {
      title: 'Explain a regression',
      description: 'Finds the commit that made a case slower, what changed in it, and what to do.',
      argsSchema: z.object({ kernel, case: z.string().max(80).optional() }),
    },
    (args) => message(explainRegression(oneLine(args))),
  );
  server.registerPrompt(
    'review-session',
    {
      title: 'Review a session',
      description: 'Reviews a session: what went wrong, what went right, what to learn from it.',
      argsSchema: z.object({
        session: z.string().max(120).optional().describe('Its id (default: the latest).'),
      }),
    },
    (args) => message(reviewSession(oneLine(args))),
  );
}

function message(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}

function oneLine<Args extends Readonly<Record<string, string | undefined>>>(args: Args): Args {
  const entries = Object.entries(args).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, clip(plainText(value), 200)]],
  );
  return Object.fromEntries(entries) as Args;
}

async function namesBeginning(project: Project, begun: string, what: 'kernels'): Promise<string[]> {
  const { tryProject } = await import('../../workflows/project.ts');
  const loaded = await tryProject(project.config);
  if (loaded === undefined || loaded instanceof Error) return [];
  return Object.keys(loaded.config[what])
    .filter((name) => name.startsWith(begun))
    .slice(0, MOST_SUGGESTIONS);
}
