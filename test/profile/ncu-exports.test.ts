import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { parseNcuProfile } from '../../src/profile/ncu/ncu-profile.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/ncu');
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');
const CAPTURES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.raw.csv'))
  .map((file) => file.replace('.raw.csv', ''));

/** The same file as a German locale prints it. */
function german(text: string): string {
  return text.replaceAll(/"-?\d[\d.,]*(?:e[+-]?\d+)?"/g, (number) =>
    number.replaceAll(/[.,]/g, (mark) => (mark === '.' ? ',' : '.')),
  );
}

describe('an export of a real capture', () => {
  it.each(CAPTURES)('of %s is read whole from both pages, and they agree', (capture) => {
    const raw = parseNcuProfile(read(`${capture}.raw.csv`));
    const details = parseNcuProfile(read(`${capture}.details.csv`));
    const [all, shown] = [raw.launches[0]!, details.launches[0]!];
    expect(raw.launches).toHaveLength(1);
    expect(details.problems).toEqual([]);
    expect(all).toMatchObject({
      name: shown.name,
      grid: shown.grid,
      block: shown.block,
      computeCapability: '9.0',
    });
    expect(all.metrics.size).toBeGreaterThan(2200);
    expect(shown.metrics.size).toBeGreaterThan(80);
    // Two digits after the point are printed, of units that may have been rescaled.
    for (const [name, { value, unit }] of shown.metrics) {
      if (name.includes(' / ')) continue;
      const metric = all.metrics.get(name);
      expect(metric?.unit, name).toBe(unit);
      expect(Math.abs((metric?.value ?? Number.NaN) - value), name).toBeLessThanOrEqual(
        capture === 'sdpa_flash' ? Math.max(0.00501, Math.abs(value) * 0.005) : 0,
      );
    }
    for (const [name, text] of shown.texts) expect(all.texts.get(name), name).toBe(text);
  });

  it.each(CAPTURES)('of %s says the same where decimal commas are in use', (capture) => {
    for (const page of ['raw', 'details']) {
      const text = read(`${capture}.${page}.csv`);
      const [english, other] = [parseNcuProfile(text), parseNcuProfile(german(text))];
      expect(other.launches[0]?.metrics).toEqual(english.launches[0]?.metrics);
      expect(other.launches[0]?.ncuRules).toEqual(english.launches[0]?.ncuRules);
    }
  });

  it('leaves out the one metric that ncu rescales wrongly, and nothing else', () => {
    const problems = CAPTURES.flatMap((capture) => parseNcuProfile(read(`${capture}.raw.csv`)).problems);
    expect(problems).toEqual([
      'line 3: derived__pct_occupancy_per_shared_mem_size left out: unknown unit "%/Kbyte"',
    ]);
  });

  it('keeps words apart from numbers, and has no number where ncu has no data', () => {
    const [launch] = parseNcuProfile(read('copy_ok.raw.csv')).launches;
    expect(launch?.device).toBe('NVIDIA H200');
    expect(launch?.texts.get('launch__func_cache_config')).toBe('CachePreferNone');
    expect(launch?.metrics.has('sass__inst_executed_register_spilling_mem_local')).toBe(false);
    expect(launch?.texts.has('sass__inst_executed_register_spilling_mem_local')).toBe(false);
  });

  it('carries what ncu’s rules said', () => {
    const [launch] = parseNcuProfile(read('small_grid.details.csv')).launches;
    expect(launch?.ncuRules).toHaveLength(15);
    expect(launch?.ncuRules.find(({ rule }) => rule === 'LaunchConfiguration')).toMatchObject({
      section: 'LaunchStats',
      type: 'OPT',
    });
  });
});
