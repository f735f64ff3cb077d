import { adopt } from '../../../src/index.ts';

const asked = { path: 'scale.cpp', shapes: { x: 'n', y: 'n' }, sizes: { n: 4096 } };
const { missing, files } = await adopt({ ...asked, dryRun: true });
if (missing.length === 0) await adopt({ ...asked, out: 'scale' });
for (const { path } of files) console.log(path);
