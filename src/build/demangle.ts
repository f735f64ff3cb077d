import { runCommand } from '../os/run-command.ts';
import type { KernelResources } from '../model/reports/build-report.ts';

/** Names as people write them, where c++filt is there; the symbols stay where it is not. */
export async function demangle(
  resources: readonly KernelResources[],
  env: NodeJS.ProcessEnv,
): Promise<KernelResources[]> {
  if (resources.length === 0) return [];
  const input = resources.map(({ symbol }) => `${symbol}\n`).join('');
  const answer = await runCommand('c++filt', [], { env, input, timeout_ms: 10_000 });
  if (answer.status !== 'exited' || answer.code !== 0) return [...resources];
  const names = answer.stdout.split('\n');
  return resources.map((entry, index) => ({ ...entry, function: names[index] ?? entry.symbol }));
}
