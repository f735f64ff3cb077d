import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { WakeRecord } from '../../../src/model/server/wake-record.ts';
import { WakeJournal } from '../../../src/server/wake/wake-journal.ts';
import { temporaryFolder } from '../../device/temporary-folder.ts';

const NOW = new Date('2026-07-01T10:00:00Z');

function job(n: number, action: 'queued' | 'in_progress' | 'completed', at = NOW): WakeRecord {
  return {
    type: 'job',
    at: at.toISOString(),
    delivery: `${n}-${action}`,
    job: { key: `${n}/1`, repository: 'a/b', name: 'x', labels: ['gpu'], host: 'gpu', action },
    seen_up: false,
  };
}

describe('the journal of a wake server', () => {
  it('is the same state when it is opened again', async () => {
    const folder = join(await temporaryFolder(), 'state');
    const journal = new WakeJournal(folder);
    journal.add(job(1, 'queued'));
    journal.add({ type: 'begin', at: NOW.toISOString(), host: 'gpu', what: 'wake' });
    journal.add({ type: 'end', at: NOW.toISOString(), host: 'gpu', what: 'wake', ok: true, detail: 'ok' });
    journal.close();
    expect(new WakeJournal(folder).state).toEqual(journal.state);
  });

  it('is the same state after it was made shorter, and goes on', async () => {
    const folder = join(await temporaryFolder(), 'state');
    const journal = new WakeJournal(folder);
    for (let n = 0; n < 20; n += 1) journal.add(job(n, 'queued'));
    journal.compact(NOW, 20);
    const text = await readFile(join(folder, 'journal.jsonl'), 'utf8');
    expect(text.split('\n')).toHaveLength(2);
    journal.add(job(20, 'queued'));
    journal.close();
    const again = new WakeJournal(folder);
    expect(again.state).toEqual(journal.state);
    expect(again.state.jobs.size).toBe(21);
  });

  it('forgets what ended more than a month ago, and nothing that has not', async () => {
    const journal = new WakeJournal(undefined);
    const long = new Date(NOW.getTime() - 40 * 86_400_000);
    journal.add(job(1, 'queued', long));
    journal.add(job(1, 'completed', long));
    journal.add(job(2, 'in_progress', long));
    journal.add(job(3, 'completed'));
    journal.compact(NOW, 1);
    expect([...journal.state.jobs.keys()]).toEqual(['2/1', '3/1']);
    expect([...journal.state.deliveries.keys()]).toEqual(['3-completed']);
  });

  it('loses the line that a kill cut short, and no other', async () => {
    const folder = join(await temporaryFolder(), 'state');
    const journal = new WakeJournal(folder);
    journal.add(job(1, 'queued'));
    journal.close();
    await appendFile(join(folder, 'journal.jsonl'), '{"type":"job","at":"2026-07');
    const again = new WakeJournal(folder);
    expect(again.state.jobs.size).toBe(1);
    again.add(job(2, 'queued'));
    again.close();
    expect(new WakeJournal(folder).state.jobs.size).toBe(2);
  });

  it('that was spoiled is told of with its line', async () => {
    const folder = join(await temporaryFolder(), 'state');
    await mkdir(folder);
    await writeFile(join(folder, 'journal.jsonl'), 'nonsense\n');
    expect(() => new WakeJournal(folder)).toThrow(/Line 1 of .*journal\.jsonl is not a record/);
  });
});
