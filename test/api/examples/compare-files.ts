import { compareFiles } from '../../../src/index.ts';

const { comparison } = await compareFiles({ baseline: 'before.json', candidate: 'after.json' });
console.log(comparison.verdict);
