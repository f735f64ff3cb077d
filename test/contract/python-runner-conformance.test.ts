import { join } from 'node:path';

import { describeRunner } from './runner-conformance.ts';

const ROOT = join(import.meta.dirname, '../..');
const KERNELS = join(ROOT, 'test/fixtures/conformance/kernels.py');

describeRunner('Python', () =>
  Promise.resolve({
    runner: { command: 'python3', args: ['-B', '-X', 'utf8', join(ROOT, 'runner/python/pawl_runner')] },
    identity: 'python',
    dtypes: ['f64', 'f32', 'f16', 'i64', 'i32', 'i16', 'i8', 'u8'],
    kernel: (name) => ({ module: KERNELS, function: name }),
    oracle: (name) => ({ module: KERNELS, function: name }),
    unloadable: {
      'no such file': { module: join(ROOT, 'test/fixtures/conformance/absent.py'), function: 'rowsum' },
      'no such function': { module: KERNELS, function: 'absent' },
    },
  }),
);
