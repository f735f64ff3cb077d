import { compare } from '../../../src/index.ts';

const { report } = await compare({ what: 'revisions', base: 'main', head: 'worktree' });
for (const one of report.comparison.cases) console.log(one.kernel, one.case, one.verdict, one.reason);
