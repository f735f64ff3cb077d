import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import type { Metric } from '../../src/model/profile/profile.ts';
import { compareProfiles } from '../../src/profile/compare-profiles.ts';
import { diagnose } from '../../src/profile/diagnose.ts';
import {
  isStandIn,
  KNOWN_CAPABILITIES,
  knownCapability,
  metricNames,
  SIGNALS,
} from '../../src/profile/facts/metric-names.ts';
import { metricSet } from '../../src/profile/metric-set.ts';
import { parseNcuProfile } from '../../src/profile/ncu/ncu-profile.ts';
import { launchOf } from './launch-of.ts';

/** A map that remembers every name that it was asked for. */
class Asked extends Map<string, Metric> {
  readonly names = new Set<string>();
  override get(name: string): Metric | undefined {
    this.names.add(name);
    return super.get(name);
  }
}

describe.each(KNOWN_CAPABILITIES)('on compute capability %s', (capability) => {
  const { metrics } = metricSet(capability);

  it('every metric that a rule or a comparison asks for is collected', () => {
    for (const known of [launchOf({}, capability).metrics, new Map<string, Metric>()]) {
      const asked = new Asked(known);
      const launch = { ...launchOf({}, capability), metrics: asked };
      diagnose(launch);
      compareProfiles(launch, launch);
      expect(asked.names.size).toBeGreaterThan(50);
      expect([...asked.names].filter((name) => !metrics.includes(name))).toEqual([]);
    }
  });

  it('nothing is collected that no rule reads', () => {
    const asked = new Asked();
    const launch = { ...launchOf({}, capability), metrics: asked };
    compareProfiles(launch, launch);
    expect(metrics.filter((name) => !asked.names.has(name))).toEqual([]);
  });

  it('every metric has the form that ncu names them by', () => {
    for (const name of metrics) expect(name).toMatch(/^[a-z][a-z0-9]*__?[a-z0-9_]+(?:\.[a-z0-9_]+)*$/u);
  });
});

it('on an H200, a capture of the full set holds the best name of every signal', () => {
  const text = readFileSync(new URL('../fixtures/ncu/copy_ok.raw.csv', import.meta.url), 'utf8');
  const [launch] = parseNcuProfile(text).launches;
  const best = SIGNALS.filter((signal) => !isStandIn(signal)).flatMap((signal) =>
    metricNames(signal, '9.0').slice(0, 1),
  );
  expect(best.filter((name) => launch?.metrics.has(name) !== true)).toEqual([]);
});

it('names differ where the hardware does', () => {
  expect(metricNames('tensor_pct', '8.9')[0]).toContain('_v2');
  expect(metricNames('async_mma_pct', '8.0')).toEqual([]);
  expect(metricNames('async_mma_pct', '9.0')[0]).toContain('gmma');
  expect(metricNames('dram_read_bytes', '10.0')[0]).toBe('dram__bytes_op_read.sum');
});

it.each([
  ['8.7', '8.6'],
  ['12.0', '10.0'],
  ['10.3', '10.0'],
  ['7.0', '7.5'],
  [undefined, '9.0'],
  ['?', '9.0'],
])('capability %s reads as %s', (capability, known) => {
  expect(knownCapability(capability)).toBe(known);
});
