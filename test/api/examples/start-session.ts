import { endSession, startSession, tryChange } from '../../../src/index.ts';

await startSession({ kernel: 'softmax-cpu', goal: '1.2x on small' });
// Edit the kernel, or set its tunables, and say what you expect.
const tried = await tryChange({ hypothesis: 'Larger blocks', predict: 10, set: { BLOCK: 1024 } });
// A flag, such as no profile before the change, stops a try unless `anyway` gives a reason.
console.log(tried.measured ? tried.try.outcome : tried.try.flags);
const { outcome } = await endSession({});
console.log(outcome?.summary);
