import { trend } from '../../../src/index.ts';

const { trends } = await trend({ names: ['softmax-cpu'] });
for (const { key, points, changes } of trends) {
  console.log(key.case, points.length);
  for (const { commit, change_pct } of changes) console.log(commit, change_pct);
}
