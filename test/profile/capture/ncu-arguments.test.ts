import { describe, expect, it } from 'vitest';

import { ncuArguments } from '../../../src/profile/capture/ncu-arguments.ts';

const launch = (name: string) => ({ name, grid: [1, 1, 1], block: [32, 1, 1], count: 1 });

function filterOf(...names: string[]): string | undefined {
  const args = ncuArguments({
    set: 'full',
    metrics: [],
    cold: true,
    report: '/tmp/head',
    launches: names.map(launch),
  });
  const at = args.indexOf('--kernel-name');
  return at === -1 ? undefined : args[at + 1];
}

describe('the filter for ncu', () => {
  it('names every function that a call launches, once', () => {
    expect(filterOf('scale(float*, int)', 'reduce(float*)', 'scale(float*, int)')).toBe(
      'regex:(^|::)(scale|reduce)$',
    );
  });

  it('leaves namespaces, template arguments and return types to the profiler', () => {
    expect(filterOf('void ns::(anonymous namespace)::softmax<float, (int)4>(float const*)')).toBe(
      'regex:(^|::)(softmax)$',
    );
  });

  it('is left out where a name is none, since it would hide the kernel', () => {
    expect(filterOf('a function without a name')).toBeUndefined();
    expect(filterOf()).toBeUndefined();
  });

  it('matches the name with and without its namespace, and no other name', () => {
    const pattern = new RegExp(filterOf('ns::softmax(float*)')?.replace('regex:', '') ?? '', 'u');
    expect(['softmax', 'ns::softmax'].every((name) => pattern.test(name))).toBe(true);
    expect(['softmax2', 'log_softmax'].some((name) => pattern.test(name))).toBe(false);
  });
});
