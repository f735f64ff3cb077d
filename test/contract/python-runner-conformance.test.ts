import { join } from 'node:path';

import { DTYPES, type Dtype } from '../../src/model/problem/tensor.ts';
import { builtForPython } from '../runner/native-build.ts';
import { describeRunner } from './runner-conformance.ts';

const ROOT = join(import.meta.dirname, '../..');
const KERNELS = join(ROOT, 'test/fixtures/conformance/kernels.py');

describeRunner('Python', async () => ({
  runner: await builtForPython(),
  identity: 'python',
  // 8-bit floats as bytes.
  dtypes: (Object.keys(DTYPES) as Dtype[]).filter((dtype) => dtype !== 'bf16'),
  kernel: (name) => ({ module: KERNELS, function: name }),
  oracle: (name) => ({ module: KERNELS, function: name }),
  unloadable: {
    'no such file': { module: join(ROOT, 'test/fixtures/conformance/absent.py'), function: 'rowsum' },
    'no such function': { module: KERNELS, function: 'absent' },
  },
}));
