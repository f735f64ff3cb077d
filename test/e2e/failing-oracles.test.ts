import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { fixtureProject, pawl } from './pawl-cli.ts';

function oracle(body: string): string {
  return `#include "pawl_kernel.h"
PAWL_EXPORT int pawl_oracle(const pawl_call *call) {
  const double *x = static_cast<const double *>(call->tensors[0].data);
  double *y = static_cast<double *>(call->tensors[1].data);
  const int64_t n = call->tensors[0].shape[0];
  ${body}
  return 0;
}
`;
}

it.each([
  ['crashes', '__builtin_trap();', /the oracle crashed: .* SIG(?:ILL|TRAP)/],
  ['hangs', 'for (volatile bool on = true; on;) {}', /the oracle hangs/],
  ['refuses', 'if (n > 0) return 7;', /the oracle .*returned 7/],
  [
    'leaves elements unwritten',
    'for (int64_t i = 0; i < n - 3; ++i) y[i] = 2 * x[i];',
    /the oracle .*left 3 of 1000 elements of 'y' unwritten/,
  ],
])('an oracle that %s is named, and the kernel is not called wrong', async (_, body, words) => {
  const folder = await fixtureProject(['right']);
  await writeFile(join(folder, 'src/oracle.cpp'), oracle(body));
  const short = ['--wait', '300', '--mode', 'hot', '--samples', '5', '--processes', '1', '--timeout', '5'];
  const { code, stdout } = await pawl(folder, 'bench', '--quiet', '--json', ...short);
  expect(stdout).toMatch(words);
  expect(stdout).toContain('"oracle-failed"');
  expect(code).toBe(2);
});

it('an oracle is linked with the libraries that it names, and with no file of the project', async () => {
  const folder = await fixtureProject(['right']);
  const code = oracle('for (int64_t i = 0; i < n; ++i) y[i] = 2 * x[i] + (crypt("a", "ab") == nullptr);');
  await writeFile(join(folder, 'src/oracle.cpp'), `#include <crypt.h>\n${code}`);
  const written = await readFile(join(folder, 'pawl.yaml'), 'utf8');
  const linkedWith = (links: string): Promise<void> =>
    writeFile(
      join(folder, 'pawl.yaml'),
      written.replace(/oracle: \{ source: ([^ ]+) \}/u, `oracle: { source: $1, links: [${links}] }`),
    );
  const bench = () => pawl(folder, 'bench', '--check-only', '--quiet', '--wait', '300');
  await linkedWith('');
  const without = await bench();
  expect(without.stdout).toMatch(/right-oracle does not build: .*undefined reference to\s+`crypt'/su);
  await linkedWith('-lcrypt');
  expect((await bench()).code).toBe(0);
  await linkedWith('-L.');
  const refused = await bench();
  expect(refused.stderr).toMatch(/oracle\.links.*expected a library of the machine, like -lcublas/su);
  expect(refused.code).toBe(78);
});
