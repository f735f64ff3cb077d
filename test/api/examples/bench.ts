import { bench } from '../../../src/index.ts';

const { result, report } = await bench({ only: ['softmax-cpu'] });
for (const one of report.measurements) {
  if (one.state === 'measured') console.log(one.kernel, one.case, one.median_ms, one.ci_ms);
}
console.log(result); // 'good', 'bad' or 'undecided'
