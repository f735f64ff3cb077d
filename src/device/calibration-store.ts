import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { calibrationSchema, type Calibration, type Exceeded } from '../model/device/calibration.ts';
import type { DeviceInfo } from '../model/device/device.ts';

/** The measured ceilings of this user's devices, a file each. */
export class CalibrationStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async save(calibration: Calibration): Promise<string> {
    await mkdir(this.#folder, { recursive: true });
    const path = join(this.#folder, fileName(calibration.device, calibration.threads));
    // Renamed into place: a reader never sees half of it.
    await writeFile(`${path}.${process.pid}`, `${JSON.stringify(calibration, undefined, 2)}\n`);
    await rename(`${path}.${process.pid}`, path);
    return path;
  }

  /** Of the device that a runner found itself on; undefined where it was not calibrated. */
  async find(device: DeviceInfo): Promise<Calibration | undefined> {
    return this.#read(fileName(device, threadsOf(device)));
  }

  /** Writes down that a kernel was faster than a ceiling of this device; once for a kernel and a ceiling. */
  async addExceeded(device: DeviceInfo, found: Exceeded): Promise<void> {
    const known = await this.find(device);
    if (known === undefined) return;
    const { exceeded = [] } = known;
    const isSame = (one: Exceeded) => one.ceiling === found.ceiling && one.kernel === found.kernel;
    // What was verified once is not forgotten for a later run that was not.
    if (exceeded.some((one) => isSame(one) && (one.verified || !found.verified))) return;
    await this.save({ ...known, exceeded: [...exceeded.filter((one) => !isSame(one)), found] });
  }

  /** All of this device's: a CPU has one for each number of threads. */
  async all(device: DeviceInfo): Promise<Calibration[]> {
    const names = (await readdir(this.#folder).catch(() => [])).filter((name) => name.endsWith('.json'));
    const read = await Promise.all(names.toSorted().map((name) => this.#read(name)));
    return read
      .filter((one) => one !== undefined)
      .filter((one) => identity(one.device) === identity(device))
      .toSorted((one, other) => (one.threads ?? 0) - (other.threads ?? 0));
  }

  /** A file that is damaged, or of another version, is as good as none: measuring again replaces it. */
  async #read(name: string): Promise<Calibration | undefined> {
    try {
      const parsed = calibrationSchema.safeParse(
        JSON.parse(await readFile(join(this.#folder, name), 'utf8')),
      );
      return parsed.success ? parsed.data : undefined;
    } catch (error) {
      if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT')
        return undefined;
      throw error;
    }
  }
}

/** A kernel's threads are pinned to one CPU each. */
function threadsOf({ kind, cpus }: DeviceInfo): number | undefined {
  return kind === 'cpu' ? cpus?.length : undefined;
}

function identity({ uuid, name = 'unknown' }: DeviceInfo): string {
  return uuid ?? name;
}

function fileName(device: DeviceInfo, threads: number | undefined): string {
  const id = createHash('sha256').update(identity(device)).digest('hex').slice(0, 16);
  return `${device.kind ?? 'device'}-${id}${threads === undefined ? '' : `-${threads}`}.json`;
}
