import { judge } from '../../../src/index.ts';

const { verdict, reward, findings } = await judge('softmax', ['candidate.cpp'], { budget_s: 30 });
console.log(verdict, reward, findings);
