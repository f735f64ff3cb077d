import { diagnoseFile } from '../../../src/index.ts';

const { kernels } = await diagnoseFile({ file: 'rep.csv' });
for (const { name, limiter, findings } of kernels) console.log(name, limiter, findings[0]?.fix);
