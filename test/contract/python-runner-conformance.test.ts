import { join } from 'node:path';

import { builtForPython } from '../runner/native-build.ts';
import { describeRunner } from './runner-conformance.ts';

const ROOT = join(import.meta.dirname, '../..');
const KERNELS = join(ROOT, 'test/fixtures/conformance/kernels.py');

describeRunner('Python', async () => ({
  runner: await builtForPython(),
  identity: 'python',
  dtypes: ['f64', 'f32', 'f16', 'i64', 'i32', 'i16', 'i8', 'u8'],
  kernel: (name) => ({ module: KERNELS, function: name }),
  oracle: (name) => ({ module: KERNELS, function: name }),
  unloadable: {
    'no such file': { module: join(ROOT, 'test/fixtures/conformance/absent.py'), function: 'rowsum' },
    'no such function': { module: KERNELS, function: 'absent' },
  },
}));
