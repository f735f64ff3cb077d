import { askGit } from '../../os/git/run-git.ts';
import type { Release } from './trend-marks.ts';

const FIELD = '\u001F';
const PATIENCE = { timeout_ms: 10_000 };
/** More marks than a line has room for; the latest. */
const MOST = 200;

/** The tags of the project in `root`, latest first; none where it has no git. */
export async function findReleases(root: string): Promise<readonly Release[]> {
  // Of an annotated tag the starred fields are those of its commit.
  const fields = [
    'refname:strip=2',
    'objectname',
    '*objectname',
    'committerdate:iso-strict',
    '*committerdate:iso-strict',
  ];
  const format = fields.map((field) => `%(${field})`).join(FIELD);
  const args = ['for-each-ref', '--sort=-creatordate', `--count=${MOST}`, `--format=${format}`, 'refs/tags'];
  const text = await askGit(root, args, PATIENCE);
  return (text ?? '').split('\n').flatMap((line) => {
    const [name = '', own = '', target = '', ownTime = '', targetTime = ''] = line.split(FIELD);
    const [commit, at] = target === '' ? [own, ownTime] : [target, targetTime];
    const time = Date.parse(at);
    // A tag may be of a file or a tree.
    return Number.isNaN(time) ? [] : [{ name, commit, time: new Date(time).toISOString() }];
  });
}
