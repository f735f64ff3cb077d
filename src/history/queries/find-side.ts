import type { AskedSide, FoundSide } from '../../model/history/sides-comparison.ts';
import { defined } from '../../model/defined.ts';
import type { TrendSetting } from '../../model/history/history.ts';
import { PawlError } from '../../model/pawl-error.ts';
import type { Db } from '../database.ts';

/** What a side's words mean in this store. */
export interface ResolvedSide extends Omit<FoundSide, 'cases'> {
  readonly commit_n?: number;
  /** Of the keys on its device and under its driver; undefined: all of them. */
  readonly keys?: ReadonlySet<number>;
}

/** @throws {PawlError} of kind `usage` where the words mean nothing, or more than one thing */
export async function resolveSide(db: Db, asked: AskedSide): Promise<ResolvedSide> {
  const { revision, device, driver } = asked;
  if (revision === undefined && device === undefined && driver === undefined) {
    throw new PawlError('usage', 'No commit, branch, device or driver given.');
  }
  const where = await resolveKeys(db, asked);
  if (revision === undefined) return where;
  const commit = await findCommit(db, revision);
  if (commit !== undefined) return { ...where, commit: commit.sha, commit_n: commit.n };
  const branch = await db.selectFrom('runs').select('n').where('branch', '=', revision).executeTakeFirst();
  if (branch !== undefined) return { ...where, branch: revision };
  throw new PawlError(
    'usage',
    `The history has no commit or branch "${revision}".`,
    'pawl history lists the measured runs.',
  );
}

async function findCommit(
  db: Db,
  revision: string,
): Promise<{ readonly n: number; readonly sha: string } | undefined> {
  const exact = await db
    .selectFrom('commits')
    .select(['n', 'sha'])
    .where('sha', '=', revision)
    .executeTakeFirst();
  if (exact !== undefined || !/^[0-9a-f]{4,64}$/.test(revision)) return exact;
  // `g` is after every digit of a hash. Parents are commits too, and only what was measured is meant.
  const found = await db
    .selectFrom('commits')
    .select(['n', 'sha'])
    .where('sha', '>=', revision)
    .where('sha', '<', `${revision}g`)
    .where((eb) =>
      eb.exists(
        eb.selectFrom('measurements').select('n').whereRef('measurements.commit_n', '=', 'commits.n'),
      ),
    )
    .limit(2)
    .execute();
  if (found.length > 1) {
    throw new PawlError('usage', `More than one commit begins with "${revision}".`, 'Give more digits.');
  }
  return found[0];
}

async function resolveKeys(
  db: Db,
  { device, driver }: Pick<AskedSide, 'device' | 'driver'>,
): Promise<Pick<ResolvedSide, 'device' | 'driver' | 'keys'>> {
  if (device === undefined && driver === undefined) return {};
  const rows = await db
    .selectFrom('keys')
    .innerJoin('lines', 'lines.n', 'keys.line_n')
    .select(['keys.n', 'keys.setting', 'lines.device'])
    .execute();
  const name = device === undefined ? undefined : oneDevice(device, new Set(rows.map((row) => row.device)));
  const settings = rows.map(({ n, setting, device: on }) => ({
    n,
    device: on,
    driver: (JSON.parse(setting) as TrendSetting).driver,
  }));
  const under = settings.filter(
    (row) => (name === undefined || row.device === name) && (driver === undefined || row.driver === driver),
  );
  if (under.length === 0) {
    const known = [...new Set(settings.flatMap((row) => row.driver ?? []))].toSorted().slice(-8);
    const on = name === undefined ? '' : ` on ${name}`;
    throw new PawlError(
      'usage',
      `Nothing was measured with the driver "${driver ?? ''}"${on}.`,
      known.length === 0 ? undefined : `Drivers in the history: ${known.join(', ')}.`,
    );
  }
  return { ...defined({ device: name, driver }), keys: new Set(under.map(({ n }) => n)) };
}

/** By its name, or by a part that only one has. */
function oneDevice(asked: string, devices: ReadonlySet<string>): string {
  if (devices.has(asked)) return asked;
  const alike = [...devices].filter((name) => name.toLowerCase().includes(asked.toLowerCase()));
  const [only] = alike;
  if (only !== undefined && alike.length === 1) return only;
  const listed = (alike.length === 0 ? [...devices] : alike).toSorted().slice(0, 8).join(', ');
  throw new PawlError(
    'usage',
    alike.length === 0
      ? `Nothing was measured on a device "${asked}".`
      : `More than one device has "${asked}" in its name.`,
    listed === '' ? undefined : `Devices in the history: ${listed}.`,
  );
}
