import { describe, expect, it } from 'vitest';

import {
  commonProtections,
  demandProtections,
  missingProtections,
  sandboxMode,
} from '../../src/model/device/sandbox.ts';

const ALL = [
  'no-new-privs',
  'landlock-7',
  'seccomp',
  'pidns',
  'netns',
  'mountns',
  'ipcns',
  'rlimits',
  'clean-env',
];

describe('sandboxMode', () => {
  it('is auto where nothing is said, and a usage error where nonsense is', () => {
    expect([sandboxMode({}), sandboxMode({ PAWL_SANDBOX: '' })]).toEqual(['auto', 'auto']);
    expect(sandboxMode({ PAWL_SANDBOX: 'require' })).toBe('require');
    expect(() => sandboxMode({ PAWL_SANDBOX: 'maybe' })).toThrow(/"maybe"/);
  });
});

describe('what --sandbox require demands', () => {
  it('is met by every version of Landlock, and without a user namespace', () => {
    expect(missingProtections(ALL)).toEqual([]);
    expect(() => demandProtections(ALL, 'this machine')).not.toThrow();
  });

  it('is missed by a container without namespaces, and says which', () => {
    const container = ['no-new-privs', 'landlock-3', 'seccomp', 'rlimits', 'clean-env'];
    expect(missingProtections(container)).toEqual(['pidns', 'netns', 'mountns', 'ipcns']);
    expect(() => demandProtections(container, 'this machine')).toThrow(/lacks pidns, netns, mountns, ipcns/);
  });
});

describe('commonProtections', () => {
  it('are those that every process had', () => {
    const series = [{ protections: ['seccomp', 'pidns'] }, { protections: ['pidns'] }];
    expect(commonProtections(series)).toEqual(['pidns']);
  });

  it('are not known where they are not known of one', () => {
    expect(commonProtections([{ protections: ['seccomp'] }, {}])).toBeUndefined();
    expect(commonProtections([])).toBeUndefined();
  });
});
