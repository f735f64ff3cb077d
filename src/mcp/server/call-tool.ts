import { setMaxListeners } from 'node:events';

import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';

import { defined } from '../../model/defined.ts';
import { ownHint, PawlError } from '../../model/pawl-error.ts';
import { fitResult } from '../bounded.ts';
import { ProgressNotifier } from './progress-notifier.ts';
import type { Answer, AnyTool, Project } from '../tool.ts';
import { toolCall } from '../tool-call.ts';
import { own, untrusted, untrustedLines } from '../untrusted.ts';
import type { ProcessContext } from '../../os/run-context.ts';

/** What all calls of a server share. */
export interface Calls extends Pick<ProcessContext, 'now' | 'env'> {
  readonly project: Project;
  /** Aborted when the server ends. */
  readonly signal: AbortSignal;
  /** Those under way: closing the server waits for them, so that no process is left behind. */
  readonly underWay: Set<Promise<unknown>>;
  /** What this server offers: a hint names no tool that is not there. */
  readonly toolNames: readonly string[];
  readonly onBug: (error: unknown) => void;
}

/** Calls that measure wait for each other at the device; the rest is bounded here. */
const MOST_CALLS = 16;

/** Runs a tool for a client: progress, cancellation, limits, and failures that an assistant can act on. */
export async function callTool(
  tool: AnyTool,
  input: unknown,
  context: ServerContext,
  calls: Calls,
): Promise<CallToolResult> {
  if (calls.underWay.size >= MOST_CALLS) {
    return failure(
      new PawlError(
        'try-again',
        `${MOST_CALLS} calls are already running.`,
        ownHint('Wait until one of them ends.'),
      ),
      calls.toolNames,
    );
  }
  const running = run(tool, input, context, calls);
  calls.underWay.add(running);
  try {
    return await running;
  } finally {
    calls.underWay.delete(running);
  }
}

async function run(
  tool: AnyTool,
  input: unknown,
  { mcpReq: { _meta: meta, signal: cancelled, notify }, http }: ServerContext,
  calls: Calls,
): Promise<CallToolResult> {
  const gone = http?.req?.signal;
  const signal = AbortSignal.any([cancelled, calls.signal, ...(gone === undefined ? [] : [gone])]);
  // Many compilers listen at once.
  setMaxListeners(0, signal);
  const progressToken = meta?.progressToken;
  const notifier =
    progressToken === undefined
      ? undefined
      : new ProgressNotifier(
          (update) => {
            const params = { progressToken, ...update };
            // A client that is gone is told by the signal.
            notify({ method: 'notifications/progress', params }).catch(() => undefined);
          },
          () => performance.now(),
        );
  try {
    const answer = await tool.run(input as never, {
      project: calls.project,
      env: calls.env,
      now: calls.now,
      signal,
      onProgress: (progress) => notifier?.handle(progress),
    });
    return resultOf(tool, answer);
  } catch (error) {
    if (signal.aborted)
      return failure(new PawlError('try-again', 'The call was cancelled.'), calls.toolNames);
    if (!(error instanceof PawlError)) calls.onBug(error);
    return failure(error, calls.toolNames);
  } finally {
    notifier?.stop();
  }
}

/** What a client gets of an answer. */
export function resultOf({ output }: Pick<AnyTool, 'output'>, answer: Answer<object>): CallToolResult {
  const told = fitResult(output.parse(answer.value), answer.limit_bytes);
  return {
    // The same twice: clients older than structured results read the text only.
    content: [
      { type: 'text', text: answer.summary },
      { type: 'text', text: JSON.stringify(told) },
    ],
    structuredContent: told,
  };
}

/**
 * Sentences of failures hold names, paths and what compilers said: they are data like everything else. A hint that is
 * Pawl's own may be followed, and comes with the call that does it.
 */
export function failure(error: unknown, toolNames: readonly string[]): CallToolResult {
  const { kind, message, hint, isOwnHint, command } =
    error instanceof PawlError ? error : new PawlError('internal', 'A bug in Pawl; its log says more.');
  const call = command === undefined ? undefined : toolCall(command, toolNames);
  const detail = {
    kind,
    message: message.includes('\n') ? untrustedLines(message) : untrusted(message),
    ...(hint === undefined ? {} : { hint: isOwnHint ? own(hint) : untrusted(hint) }),
    ...defined({ call }),
  };
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify({ error: detail }) }],
  };
}
