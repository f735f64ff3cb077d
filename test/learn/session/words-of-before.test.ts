import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { openStore } from '../../../src/history/store/open-store.ts';
import { foldSession } from '../../../src/learn/session/fold-session.ts';
import { newAnnotations, parseAnnotated } from '../../../src/learn/session/read-annotations.ts';
import { readJournal } from '../../../src/learn/session/session-journal.ts';
import type { Warning } from '../../../src/model/learn/lesson.ts';
import { sessionSchema } from '../../../src/model/learn/session.ts';
import { temporaryFolder } from '../../device/temporary-folder.ts';
import { started } from './session-records.ts';

const WARNING = { kind: 'lesson', id: 'x', text: 'beware', matched: 'x' } as const;
/** What `other-kind` was called. */
const BEFORE = started({ warnings: [{ ...WARNING, nearness: 'other-device' as Warning['nearness'] }] });
const NOW = { ...BEFORE, warnings: [{ ...WARNING, nearness: 'other-kind' as const }] };

describe('a session that was written when another kind of kernel was called another device', () => {
  it('is read from its journal', async () => {
    const folder = join(await temporaryFolder(), 'session');
    await mkdir(folder);
    await appendFile(join(folder, 'journal.jsonl'), `${JSON.stringify(BEFORE)}\n`);
    expect(await readJournal(folder)).toEqual([NOW]);
  });

  it('is read from history, and from a file', async () => {
    const store = await openStore(join(await temporaryFolder(), 'history.db'));
    try {
      const { id } = await store.putSession(foldSession([BEFORE]));
      expect(await store.session(id)).toEqual(foldSession([NOW]));
      expect(await store.allSessions()).toEqual([foldSession([NOW])]);
    } finally {
      await store.close();
    }
    expect(sessionSchema.parse(foldSession([BEFORE]))).toEqual(foldSession([NOW]));
  });

  it('is taken back from an expert', () => {
    const annotation = { about: 'session', comment: 'profile first', by: 'Ada' };
    const exported = JSON.stringify({ ...foldSession([BEFORE]), annotations: [annotation] });
    const file = parseAnnotated(exported, 'session.json');
    const taken = { by: undefined, at: new Date(), label: 'session.json' };
    expect(newAnnotations(file, foldSession([NOW]), taken)).toMatchObject([annotation]);
  });
});
