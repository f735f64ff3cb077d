import { describe, expect, it } from 'vitest';

import { parseSqueue } from '../../src/engine/slurm/parse-squeue.ts';
import { jobScript } from '../../src/engine/slurm/job-script.ts';
import { spawnSync } from 'node:child_process';

describe('parseSqueue', () => {
  it('reads tasks of arrays and single jobs', () => {
    const text = '12|0|RUNNING|gpu1|None\n12|1|PENDING||Resources\n7|N/A|COMPLETED|gpu[1-2]|None\n';
    expect(parseSqueue(text)).toEqual([
      { id: '12_0', state: 'running', word: 'RUNNING', node: 'gpu1', reason: undefined },
      { id: '12_1', state: 'waiting', word: 'PENDING', node: undefined, reason: 'Resources' },
      { id: '7', state: 'done', word: 'COMPLETED', node: 'gpu[1-2]', reason: undefined },
    ]);
  });

  it('takes a lost node for a failure and a requeued job for one that waits', () => {
    const text = '1|0|NODE_FAIL|gpu1|NodeDown\n1|1|REQUEUED|gpu2|None\n1|2|PREEMPTED|gpu2|None\n';
    expect(parseSqueue(text).map(({ state }) => state)).toEqual(['failed', 'waiting', 'failed']);
  });

  it('keeps a reason that holds the separator', () => {
    expect(parseSqueue('1|0|PENDING||(ReqNodeNotAvail, a|b)')[0]?.reason).toBe('(ReqNodeNotAvail, a|b)');
  });

  it('refuses what it cannot read instead of guessing', () => {
    expect(() => parseSqueue('JOBID PARTITION NAME')).toThrow(/cannot read/);
    expect(() => parseSqueue('1|0|SLEEPING|gpu1|None')).toThrow(/cannot read/);
  });
});

describe('jobScript', () => {
  const nasty = `it's; $(touch /tmp/never) "quoted" \`x\` \\ line\nbreak`;

  it('gives the program exactly the arguments it was given', () => {
    const print = {
      program: process.execPath,
      args: ['-p', 'JSON.stringify(process.argv.slice(1))', nasty, ''],
    };
    const run = spawnSync('/bin/sh', { input: jobScript([print]), encoding: 'utf8' });
    expect(JSON.parse(run.stdout)).toEqual([nasty, '']);
  });

  it('runs the command of the task, with its settings', () => {
    const say = (word: string) => ({
      program: 'printenv',
      args: ['WORD'],
      env: { WORD: `${word} ${nasty}` },
    });
    const env = { ...process.env, SLURM_ARRAY_TASK_ID: '1' };
    const run = spawnSync('/bin/sh', { input: jobScript([say('a'), say('b')]), env, encoding: 'utf8' });
    expect(run.stdout).toBe(`b ${nasty}\n`);
  });

  it('refuses a zero byte, which no argument can hold', () => {
    expect(() => jobScript([{ program: 'echo', args: ['a\0b'] }])).toThrow(/zero byte/);
  });
});
