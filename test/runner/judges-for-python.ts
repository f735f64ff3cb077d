import { afterEach, beforeAll } from 'vitest';

import { RawClient, type RunnerCommand } from '../contract/raw-client.ts';
import { builtForPython } from './native-build.ts';

/** Starts judges that run Python, for the tests of a file: built before the first test, ended after each. */
export function judgesForPython(): () => RawClient {
  let runner: RunnerCommand;
  const clients: RawClient[] = [];
  beforeAll(async () => {
    runner = await builtForPython();
  }, 600_000);
  afterEach(() => Promise.all(clients.splice(0).map((client) => client.kill())));
  return () => {
    const client = new RawClient(runner);
    clients.push(client);
    return client;
  };
}
