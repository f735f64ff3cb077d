import { defined } from '../../model/defined.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { addMoney, type RunCost } from '../../model/device/cost.ts';
import { ledgerPath, readLedger } from '../../rig/cost-ledger.ts';
import { processContext, type ProcessContext } from '../../os/run-context.ts';

/**
 * What runs cost while something was done: the lines that came into the project's ledger meanwhile, of the kernels
 * that it was about. Whatever measures writes there, so nothing has to be passed through.
 */
export async function withCost<T>(
  { root }: Pick<LoadedConfig, 'root'>,
  kernels: readonly string[],
  options: Partial<Pick<ProcessContext, 'env' | 'now'>>,
  work: () => Promise<T>,
): Promise<{ readonly done: T; readonly cost: RunCost }> {
  const { env, now } = processContext(options);
  const path = ledgerPath(root, env);
  const before = (await readLedger(path)).entries.length;
  const started = now();
  const done = await work();
  const wall_s = Math.max(0, (now().getTime() - started.getTime()) / 1000);
  const entries = (await readLedger(path)).entries
    .slice(before)
    .filter((entry) => entry.kernels.some((kernel) => kernels.includes(kernel)));
  const [money] = addMoney(entries.flatMap((entry) => entry.money ?? []));
  return {
    done,
    cost: {
      wall_s,
      device_s: entries.reduce((sum, { device_s }) => sum + device_s, 0),
      ...defined({ money }),
    },
  };
}
