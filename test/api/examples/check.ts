import { check } from '../../../src/index.ts';

const { report } = await check({ out: 'pawl-report' });
console.log(report.verdict, report.files['markdown']);
if (report.verdict === 'regressed' || report.verdict === 'incorrect') process.exitCode = 1;
