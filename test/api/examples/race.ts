import { race } from '../../../src/index.ts';

const { reference, kernels } = await race({ problem: 'softmax' });
for (const { kernel, rank, speedup } of kernels) console.log(kernel, rank, speedup?.estimate, reference);
