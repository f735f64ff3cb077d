import { applyStudy, tune } from '../../../src/index.ts';

const { studies } = await tune({ kernel: 'softmax-cpu', cases: ['small'], budget_s: 300 });
const [study] = studies;
console.log(study?.result, study?.best?.variant, study?.reason);
if (study?.result === 'improved') await applyStudy({ id: study.id });
