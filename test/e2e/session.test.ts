import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, describe, expect, it } from 'vitest';

import type { Session } from '../../src/model/learn/session.ts';
import { SessionProject } from '../workflows/session/session-project.ts';
import { pawl, startPawl } from './pawl-cli.ts';

const children: ReturnType<typeof startPawl>[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const TRY = [
  'session',
  'try',
  '--hypothesis',
  'fewer turns',
  '--anyway',
  'no counters here',
  '--wait',
  '600',
];

async function status(project: SessionProject): Promise<Session> {
  const { stdout } = await pawl(project.folder, 'session', 'status', '--json');
  return JSON.parse(stdout) as Session;
}

describe('pawl session', () => {
  it('loses a measurement that is killed and nothing else, and goes on with the same try', async () => {
    const project = await SessionProject.create();
    const started = await pawl(project.folder, 'session', 'start', '--goal', '1.5x on small', '--json');
    expect(started.code, started.stderr).toBe(0);
    const { id } = JSON.parse(started.stdout) as Session;
    await pawl(project.folder, 'session', 'note', 'before', 'the', 'try');

    await project.kernel({ turns: 5_000 });
    const child = startPawl(project.folder, ...TRY, '--processes', '1000');
    children.push(child);
    const journal = join(project.folder, '.pawl/sessions', id, 'journal.jsonl');
    while (!(await readFile(journal, 'utf8')).includes('"type":"tried"')) {
      if (child.exitCode !== null) throw new Error(child.text());
      await sleep(20);
    }
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;

    const killed = await status(project);
    expect(killed).toMatchObject({ state: 'open', notes: [{ text: 'before the try' }] });
    expect(killed.tries).toMatchObject([{ number: 1, hypothesis: 'fewer turns' }]);
    expect(killed.tries[0]?.outcome).toBeUndefined();
    expect(killed.next).toBe('pawl session try --hypothesis "fewer turns"');

    const again = await pawl(project.folder, ...TRY, '--json');
    expect(again.code, again.stderr).toBe(0);
    const session = await status(project);
    expect(session.tries).toMatchObject([{ number: 1, outcome: 'improved', kept: true }]);
    expect(session.revision).toBeGreaterThan(killed.revision);
  });

  it('says what comes next, and ends with an exit code that a script can read', async () => {
    const project = await SessionProject.create();
    const none = await pawl(project.folder, 'session', 'status');
    expect(none.code).toBe(64);
    expect(none.stderr).toContain('→ Start one: pawl session start');
    const start = await pawl(project.folder, 'session', 'start', '--goal', '1.5x on small', '--by', 'Ann');
    expect(start.stdout).toContain('→ pawl session check');
    const held = await pawl(project.folder, 'session', 'try', '--hypothesis', 'nothing');
    expect(held.code).toBe(1);
    expect(held.stdout).toContain('✗ no-change');
    expect(held.stdout).toContain('--anyway');
    const shown = await pawl(project.folder, 'session', 'status');
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('Pre-flight');
    const end = await pawl(project.folder, 'session', 'end', '--summary', 'nothing came of it');
    expect(end.code).toBe(0);
    expect(end.stdout).toMatch(/\.pawl\/sessions\/.*\/report\.md/);
    const list = await pawl(project.folder, 'session', 'list');
    expect(list.stdout).toContain('ended');
    const report = await pawl(project.folder, 'session', 'show', list.stdout.split(' ')[0]!, '--markdown');
    expect(report.stdout).toContain('1 doubtful try was held back before measuring');
  });

  it('does not end well where validation is not known', async () => {
    const project = await SessionProject.create();
    const config = await project.read('pawl.yaml');
    await project.write('pawl.yaml', config.replace(/^ *oracle: .*\n/mu, ''));
    await pawl(project.folder, 'session', 'start', '--goal', '1.5x on small');
    const check = await pawl(project.folder, 'session', 'check', 'matrix-correct', '--wait', '600');
    expect(check.code, check.stderr).toBe(1);
    const end = await pawl(project.folder, 'session', 'end', '--json');
    const { gates } = JSON.parse(end.stdout) as Session;
    expect(gates.find(({ gate }) => gate === 'matrix-correct')?.state).toBe('unknown');
    expect(end.code, end.stderr).toBe(1);
  });
});
