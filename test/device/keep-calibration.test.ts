import { describe, expect, it } from 'vitest';

import { CalibrationStore } from '../../src/device/calibration-store.ts';
import { believedCeilings, doubtAbout } from '../../src/model/device/believed-ceilings.ts';
import { CALIBRATION_SCHEMA, type Calibration } from '../../src/model/device/calibration.ts';
import { keepCalibration } from '../../src/device/keep-calibration.ts';
import { temporaryFolder } from './temporary-folder.ts';

const GOOD: Calibration = {
  schema: CALIBRATION_SCHEMA,
  device: { kind: 'cpu', name: 'A CPU', cpus: [0] },
  threads: 1,
  pawl: '0.1.0',
  measured_at: '2026-01-02T03:04:05.000Z',
  copy: { per_second: 2e10, median_ms: 1, samples: 15 },
};
const DISTURBED: Calibration = {
  ...GOOD,
  measured_at: '2026-02-03T04:05:06.000Z',
  copy: { per_second: 1e10, median_ms: 2, samples: 15 },
  disturbed: ['other work kept 2.0 of 2 CPUs busy'],
};

describe('a calibration', () => {
  it('that load disturbed is not kept, and says so', async () => {
    const store = new CalibrationStore(await temporaryFolder());
    expect(await keepCalibration(store, DISTURBED, { acceptLoad: false })).toEqual({
      isKept: false,
      notes: [
        'the ceilings of 1 thread were disturbed (other work kept 2.0 of 2 CPUs busy): they are not kept. Calibrate again when the machine is idle, or keep them with --accept-load',
      ],
    });
    expect(await store.find(GOOD.device)).toBeUndefined();
  });

  it('that load disturbed does not replace a good one', async () => {
    const store = new CalibrationStore(await temporaryFolder());
    expect(await keepCalibration(store, GOOD, { acceptLoad: false })).toEqual({ isKept: true, notes: [] });
    const { notes } = await keepCalibration(store, DISTURBED, { acceptLoad: false });
    expect(notes.join()).toContain('those of 2026-01-02 stay');
    expect(await store.find(GOOD.device)).toEqual(GOOD);
  });

  it('that load disturbed is kept with a mark and judged by where that is accepted', async () => {
    const store = new CalibrationStore(await temporaryFolder());
    expect(await keepCalibration(store, DISTURBED, { acceptLoad: true })).toMatchObject({ isKept: true });
    const kept = (await store.find(GOOD.device))!;
    expect(kept).toEqual({ ...DISTURBED, load_accepted: true });
    expect(believedCeilings(kept)).toEqual({ copy: 1e10 });
    expect(doubtAbout(kept)).toContain('disturbed (other work kept 2.0 of 2 CPUs busy), which was accepted');
    expect(believedCeilings(DISTURBED)).toEqual({});
  });

  it('replaces one that was disturbed, or exceeded since', async () => {
    const store = new CalibrationStore(await temporaryFolder());
    await store.save(DISTURBED);
    await keepCalibration(store, GOOD, { acceptLoad: false });
    expect(await store.find(GOOD.device)).toEqual(GOOD);
    const exceeded = { ceiling: 'copy', per_second: 3e10, kernel: 'k', case: 'c', verified: true } as const;
    await store.addExceeded(GOOD.device, { ...exceeded, at: GOOD.measured_at });
    await store.addExceeded(GOOD.device, { ...exceeded, verified: false, at: GOOD.measured_at });
    expect((await store.find(GOOD.device))?.exceeded).toMatchObject([{ verified: true }]);
    await keepCalibration(store, GOOD, { acceptLoad: false });
    expect((await store.find(GOOD.device))?.exceeded).toBeUndefined();
  });
});
