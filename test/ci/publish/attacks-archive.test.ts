import { randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { downloadArtifact } from '../../../src/ci/artifact/download-artifact.ts';
import type { GitHub } from '../../../src/ci/github/github.ts';
import { GitHubError } from '../../../src/ci/github/github.ts';
import { FORK, goodRun, HEAD_SHA, plant, publish, REPO, reportZip, RUN } from './hostile-runs.ts';
import { makeZip, type MadeEntry } from './make-zip.ts';
import { Stage } from './stage.ts';

const REPORT = JSON.stringify(goodRun());
const REPORT_ENTRY: MadeEntry = { name: 'ci.json', data: REPORT };

/** With an entry besides the report. */
const beside = (entry: MadeEntry): Buffer => makeZip([REPORT_ENTRY, entry]);

describe('attacks with the archive', () => {
  const stage = new Stage();

  it('zip slip: a path with .. is refused', () =>
    stage.expectZipRefused(beside({ name: '../../.bashrc', data: 'x' }), /leads out of its folder/u));

  it('zip slip in the middle: a/../../b is refused', () =>
    stage.expectZipRefused(beside({ name: 'a/../../b', data: 'x' }), /leads out of its folder/u));

  it('absolute path: /etc/passwd is refused', () =>
    stage.expectZipRefused(beside({ name: '/etc/passwd', data: 'x' }), /absolute/u));

  it('backslashes: ..\\..\\x is refused', () =>
    stage.expectZipRefused(beside({ name: '..\\..\\x', data: 'x' }), /backslash/u));

  it('drive letter: C:x is refused', () =>
    stage.expectZipRefused(beside({ name: 'C:x', data: 'x' }), /drive/u));

  it('symlink: an entry that is a link is refused', () =>
    stage.expectZipRefused(
      makeZip([{ name: 'ci.json', data: '/proc/self/environ', mode: 0o120777 }]),
      /link or a special file/u,
    ));

  it('device: an entry that is a device is refused', () =>
    stage.expectZipRefused(beside({ name: 'null', mode: 0o020666 }), /link or a special file/u));

  it('NUL in a name: ci.json\\0.png is refused', () =>
    stage.expectZipRefused(beside({ name: 'ci.json\0.png', data: 'x' }), /characters that no name needs/u));

  it('bidirectional characters in a name are refused', () =>
    stage.expectZipRefused(beside({ name: 'nosj\u202E.txt', data: 'x' }), /characters that no name needs/u));

  it('name that is not UTF-8 is refused', () =>
    stage.expectZipRefused(beside({ name: Buffer.from([0xff, 0xfe]), data: 'x' }), /not UTF-8/u));

  it('huge names are refused', () =>
    stage.expectZipRefused(beside({ name: 'n'.repeat(60_000), data: 'x' }), /too long/u));

  it('deep folders are refused', () =>
    stage.expectZipRefused(beside({ name: 'a/'.repeat(400), mode: 0o040755 }), /too deeply/u));

  it('duplicate names: two ci.json are refused', () =>
    stage.expectZipRefused(makeZip([REPORT_ENTRY, REPORT_ENTRY]), /same name/u));

  it('names that collide by case are refused', () =>
    stage.expectZipRefused(beside({ name: 'CI.JSON', data: '{}' }), /same name/u));

  it('bomb: a report that unpacks to far more than it says is not unpacked', () =>
    stage.expectZipRefused(
      makeZip([{ name: 'ci.json', data: Buffer.alloc(2 ** 26), bytes: 1000 }]),
      /not what the directory says/u,
    ));

  it('honest bomb: a report that grows a thousand times is refused', () =>
    stage.expectZipRefused(
      makeZip([{ name: 'ci.json', data: Buffer.alloc(2 ** 23) }]),
      /more than 200 times/u,
    ));

  it('large report: more than the limit is refused before it is unpacked', () =>
    stage.expectZipRefused(
      makeZip([{ name: 'ci.json', data: Buffer.alloc(2 ** 24 + 1, ' '), method: 0 }]),
      /report is larger/u,
    ));

  it('total size: entries that claim gigabytes are refused', () =>
    stage.expectZipRefused(
      beside({ name: 'a', data: randomBytes(2 ** 22), bytes: 2 ** 29 }),
      /unpacks to more/u,
    ));

  it('nested bomb: an archive within the archive is not opened', async () => {
    const inner = makeZip([{ name: 'bomb', data: Buffer.alloc(2 ** 24) }]);
    plant(stage.standIn, beside({ name: 'inner.zip', data: inner, method: 0 }));
    expect(await publish(stage.standIn)).toMatchObject({ state: 'published' });
  });

  it('many files: more entries than the limit are refused', () =>
    stage.expectZipRefused(
      makeZip(Array.from({ length: 5001 }, (_, index) => ({ name: `f${index}`, data: '' }))),
      /more than 5000 entries/u,
    ));

  it('overlap: entries that share their bytes are refused', () =>
    stage.expectZipRefused(
      makeZip([
        { name: 'a', data: 'x' },
        { name: 'b', data: 'x', localName: 'a', offsetOf: 0 },
      ]),
      /overlap|other things/u,
    ));

  it('truncated: an archive that is cut off is refused', () =>
    stage.expectZipRefused(reportZip(REPORT).subarray(0, -30), /not the end of an archive/u));

  it('not an archive: other bytes are refused', () =>
    stage.expectZipRefused(Buffer.from('<html>404</html>'), /not the end of an archive/u));

  it('empty archive: one without a report is refused', () =>
    stage.expectZipRefused(makeZip([]), /has no ci\.json/u));

  it('two central directories: an archive within the bytes before it is refused', () =>
    stage.expectZipRefused(makeZip([REPORT_ENTRY], { prefix: reportZip(REPORT) }), /overlap or leave gaps/u));

  it('hidden entry: bytes between entries and directory are refused', () =>
    stage.expectZipRefused(makeZip([REPORT_ENTRY], { gap: Buffer.alloc(40) }), /overlap or leave gaps/u));

  it('trailing bytes: what follows the end is refused', () =>
    stage.expectZipRefused(makeZip([REPORT_ENTRY], { suffix: Buffer.from('x') }), /not the end/u));

  it('comment that looks like another end is refused', () =>
    stage.expectZipRefused(
      makeZip([REPORT_ENTRY], { comment: makeZip([]).toString('latin1') }),
      /directory is not where|not the end/u,
    ));

  it('local and central name differ: refused', () =>
    stage.expectZipRefused(
      makeZip([{ ...REPORT_ENTRY, localName: 'x.json' }]),
      /other things about itself/u,
    ));

  it('local and central size differ: refused', () =>
    stage.expectZipRefused(makeZip([{ ...REPORT_ENTRY, localBytes: 1 }]), /other things about itself/u));

  it('count of entries is a lie: refused', () =>
    stage.expectZipRefused(
      makeZip([REPORT_ENTRY, { name: 'a', data: 'x' }], { count: 1 }),
      /more than it counts/u,
    ));

  it('checksum is a lie: refused', () =>
    stage.expectZipRefused(makeZip([{ ...REPORT_ENTRY, crc: 1 }]), /not what the directory says/u));

  it('ZIP64: sizes in an extra field are refused', () =>
    stage.expectZipRefused(
      makeZip([{ ...REPORT_ENTRY, extra: Buffer.from('010010000000000000000000ffffffffffffffff', 'hex') }]),
      /another size/u,
    ));

  it('second name: a Unicode path field is refused', () =>
    stage.expectZipRefused(
      makeZip([{ ...REPORT_ENTRY, extra: Buffer.from('757006000100000000ff', 'hex') }]),
      /another size, name/u,
    ));

  it('encrypted: an entry with a password is refused', () =>
    stage.expectZipRefused(makeZip([{ ...REPORT_ENTRY, flags: 0x801 }]), /encrypted/u));

  it('exotic compression is refused', () =>
    stage.expectZipRefused(makeZip([{ ...REPORT_ENTRY, method: 14 }]), /compressed in a way/u));

  it('artifact of more bytes than the API says is cut off while it is read', async () => {
    plant(stage.standIn, Buffer.alloc(1000), { artifact: { size_in_bytes: 10 } });
    const run = { repo: REPO, id: RUN, head_sha: HEAD_SHA, repository_id: 4242, head_repository_id: FORK.id };
    const asked: number[] = [];
    const github: GitHub = {
      request: () => Promise.reject(new Error('not asked')),
      async *pages() {
        yield {
          id: 55,
          name: 'pawl-ci',
          size_in_bytes: 10,
          expired: false,
          workflow_run: { id: RUN },
        };
      },
      download: (_, maxBytes) => {
        asked.push(maxBytes);
        return Promise.reject(new GitHubError(200, `there are more than ${maxBytes} bytes`));
      },
    };
    const whole = {
      ...run,
      attempt: 1,
      started_at: undefined,
      conclusion: 'success',
      head_branch: 'gift',
      head_owner: 'mallory',
      isFork: true,
    } as const;
    await expect(downloadArtifact(github, whole, 'pawl-ci', 500)).rejects.toThrow(/larger than 500 bytes/u);
    expect(asked).toEqual([500]);
  });

  it('artifact that the API says is huge is not downloaded', async () => {
    await stage.expectZipRefused(reportZip(REPORT), /larger than/u, { artifact: { size_in_bytes: 2 ** 40 } });
    expect(stage.standIn.requests.some(({ path }) => path.endsWith('/zip'))).toBe(false);
  });

  it('artifact whose bytes are not those uploaded is refused', () =>
    stage.expectZipRefused(reportZip(REPORT), /not the one that was uploaded/u, {
      artifact: { digest: `sha256:${'0'.repeat(64)}` },
    }));
});
