import { describe, expect, it } from 'vitest';

import { baseUnit, countsWhole, unitByName } from '../../../src/profile/ncu/ncu-units.ts';

describe('a unit of ncu', () => {
  it.each([
    ['', '', 0],
    ['%', '%', 0],
    ['ns', 'ns', 0],
    ['nsecond', 'ns', 0],
    ['us', 'ns', 3],
    ['usecond', 'ns', 3],
    ['msecond', 'ns', 6],
    ['second', 'ns', 9],
    ['byte', 'byte', 0],
    ['Kbyte', 'byte', 3],
    ['Gbyte', 'byte', 9],
    ['Mbyte/s', 'byte/s', 6],
    ['Gbyte/second', 'byte/s', 9],
    ['byte/nsecond', 'byte/s', 9],
    ['Ghz', 'hz', 9],
    ['hz', 'hz', 0],
    ['cycle/second', 'hz', 0],
    ['cycle/nsecond', 'hz', 9],
    ['cycle/usecond', 'hz', 6],
    ['sector/ms', 'sector/s', 3],
    ['Ksector', 'sector', 3],
    ['sectors', 'sector', 0],
    ['branches', 'branch', 0],
    ['Minst', 'inst', 6],
    ['inst/cycle', 'inst/cycle', 0],
    ['Kbyte/block', 'byte/block', 3],
    ['register/thread', 'register/thread', 0],
    ['sector/request', 'sector/request', 0],
    ['SM', 'SM', 0],
  ])('"%s" is "%s" times ten to a power', (printed, unit, shift) => {
    expect(baseUnit(printed)).toEqual({ unit, shift });
  });

  it.each(['Kbyt', 'foo', 'byte/s/s', '/', 'byte/', 'K', 'Xbyte', '12', '%/Kbyte', '"', 'constructor'])(
    '"%s" is not understood',
    (printed) => {
      expect(baseUnit(printed)).toBeUndefined();
    },
  );

  it('is demanded by some names', () => {
    expect(unitByName('sm__throughput.avg.pct_of_peak_sustained_elapsed')).toBe('%');
    expect(unitByName('lts__t_sector_hit_rate.pct')).toBe('%');
    expect(unitByName('gpu__time_duration.sum')).toBe('ns');
    expect(unitByName('dram__bytes_read.sum')).toBe('byte');
    expect(unitByName('dram__bytes.sum.per_second')).toBeUndefined();
  });

  it('tells what is counted in whole things', () => {
    const counts = (metric: string, unit: string) =>
      countsWhole(metric, baseUnit(unit) ?? { unit: '?', shift: 0 });
    expect(counts('smsp__inst_executed.sum', 'inst')).toBe(true);
    expect(counts('gpu__time_duration.sum', 'nsecond')).toBe(true);
    expect(counts('gpu__time_duration.sum', 'us')).toBe(false);
    expect(counts('smsp__inst_executed.avg', 'inst')).toBe(false);
    expect(counts('launch__grid_size', '')).toBe(true);
  });
});
