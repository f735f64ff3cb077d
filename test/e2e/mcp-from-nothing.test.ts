import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { playSession, type Answered, type Step } from '../../bench/mcp-session/play-session.ts';
import { temporaryFolder } from '../device/temporary-folder.ts';
import { call, overStdio, type Connected } from './mcp-client.ts';

type Called = Extract<Step, { kind: 'call' }>;

/** The session of docs/results/mcp-session.md. */
describe('an assistant with nothing but tools, in an empty folder', () => {
  let server: Connected;
  let calls: readonly Called[];

  beforeAll(async () => {
    const folder = await temporaryFolder();
    server = await overStdio(folder);
    const callTool = (tool: string, given: object): Promise<Answered> => call(server.client, tool, given);
    const steps = await playSession(folder, callTool, { wait_s: 600 });
    calls = steps.filter((step): step is Called => step.kind === 'call');
  }, 900_000);
  afterAll(() => server.client.close());

  const answersOf = (tool: string) =>
    calls.filter((one) => one.tool === tool).map(({ answered }) => answered);

  it('is told how to begin', () => {
    expect(calls.slice(0, 2).map(({ tool }) => tool)).toEqual(['pawl_session_start', 'pawl_init']);
    expect(calls[1]!.answered.value).toMatchObject({ template: 'cpu', repository: 'made' });
    expect(calls.slice(1).filter(({ answered }) => answered.isError)).toEqual([]);
  });

  it('is never kept waiting by a gate whose remedy is not a call', () => {
    for (const { value } of answersOf('pawl_session_check')) {
      if (value['state'] === 'stopped') expect(value['next']).toHaveProperty('tool');
    }
  });

  it('does not keep what is wrong in a case that is not the goal’s', () => {
    const [wrong] = answersOf('pawl_session_try');
    expect(wrong!.text).toMatch(/^Try 1: incorrect\. Not kept\./);
    expect(wrong!.value).toMatchObject({
      try: { outcome: 'incorrect', kept: false, measured: { case: 'ragged' } },
    });
  });

  it('follows a finding of the compiled code, which is no guess, and reads the gain in the first line', () => {
    const [advice] = answersOf('pawl_advise');
    const { items } = advice!.value['fixes'] as { items: { rule: string }[] };
    expect(items[0]).toMatchObject({ rule: 'math-calls' });
    const tried = answersOf('pawl_session_try')[1]!;
    expect(tried.text).toMatch(/^Try 2: improved, [\d.]+(?: %|×) faster \(.*\), .* → .*\. Kept\./);
    expect(tried.value).toMatchObject({ try: { kept: true, flags: [] } });
  });

  it('reaches its goal, validated, and remembers the gain', async () => {
    const [ended] = answersOf('pawl_session_end');
    expect(ended!.text).toMatch(/The goal of 1\.5\d*× is reached and validated: /);
    expect(ended!.value).toMatchObject({ state: 'ended', outcome: { reached: true } });
    const { value } = await call(server.client, 'pawl_lessons', { kind: 'softmax', limit: 50 });
    const ids = (value.lessons.items as { id: string }[]).map(({ id }) => id);
    expect(ids).toContain('softmax-math-calls-math-calls');
    const gpus = (value.lessons.items as { scope: { hardware?: string[] } }[]).filter(
      ({ scope }) => scope.hardware?.includes('cuda') === true,
    );
    expect(gpus).toEqual([]);
  });
});
