import type { Limiter } from '../../model/profile/diagnosis-words.ts';

/** What a kernel waits for, in words that follow its name. */
export const LIMITED_BY: Readonly<Record<Limiter, string>> = {
  dram: 'limited by DRAM bandwidth',
  l2: 'limited by the L2 cache',
  'l1-shared': 'limited by L1 and shared memory',
  compute: 'limited by arithmetic',
  tensor: 'limited by the tensor cores',
  'special-function': 'limited by the special-function unit',
  latency: 'limited by latency: no unit is near its peak',
  launch: 'limited by the launch: its work does not fill the device evenly',
  none: 'the collected metrics do not show what limits it',
};
