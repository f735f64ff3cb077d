import { profileKernel } from '../../../src/index.ts';

const { skipped, summary, folder } = await profileKernel({
  kernel: 'softmax-cpu',
  case: 'wide',
  base: 'main',
});
console.log(skipped?.message ?? summary, folder);
