import { setMaxListeners } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { cpuUsage, env } from 'node:process';

import { configureGlobal } from 'fast-check';
import { TestRunner } from 'vitest';

import { readJournal } from './journal.js';

/** A mutant that asks this much more than the test without it is in a loop that does not end. */
const PATIENCE = { times: 20, more: 100_000 };

const plan = JSON.parse(readFileSync(env.PAWL_MUTATE_PLAN, 'utf8'));
const { killed, lived } = readJournal(plan.journal, plan.versions);
const note = (line) => appendFileSync(plan.journal, `${JSON.stringify(line)}\n`);

const state = { active: -1, asked: 0, limit: Infinity, reached: new Uint8Array(plan.count) };
globalThis.pawlMutants = {
  ask(id) {
    state.asked += 1;
    if (state.active === -1) state.reached[id] = 1;
    else if (state.asked > state.limit) throw new Error('the mutant does not end');
    return state.active === id;
  },
};
// That a property fails is enough to know, and the same values every time make the score repeatable.
configureGlobal({ endOnFailure: true, seed: 1 });

// A test function listens for its own abort each time it is called.
setMaxListeners(0);

/** Runs each test once as it is, and then once with each mutant of its room that it reaches and nothing has killed. */
export default class MutationRunner extends TestRunner {
  async runTask(test) {
    const run = TestRunner.getTestFn(test);
    const file = test.file.name;
    const name = `${file} > ${test.name}#${test.id}`;
    const atLoad = takeReached();
    if (atLoad.length > 0) note({ loaded: atLoad.map(({ key }) => key) });
    state.asked = 0;
    // Not by the clock on the wall: this runs at the lowest priority, on machines that do something else.
    const before = cpuUsage();
    await run();
    const took_ms = Math.round(cpuUsage(before).user / 1000);
    state.limit = state.asked * PATIENCE.times + PATIENCE.more;
    const room = file.split('/')[1];
    const mutants = takeReached().filter((mutant) => mutant.room === room);
    if (took_ms > plan.slow_ms) {
      console.log(`${name}: ${took_ms} ms is too slow to repeat`);
      note({ test: name, slow: mutants.map(({ key }) => key) });
      return;
    }

    const waiting = mutants.filter(({ key }) => !killed.has(key) && !lived.get(name)?.has(key));
    if (waiting.length === 0) return;
    let kills = 0;
    for (const { id, key } of waiting) {
      const isKilled = await fails(run, id);
      if (isKilled) {
        killed.add(key);
        kills += 1;
      }
      note({ test: name, version: plan.versions[file], [isKilled ? 'killed' : 'lived']: key });
    }
    // What a mutant leaves behind (a table that is kept, a file) must not count as a kill of the next.
    await run();
    takeReached();
    console.log(`${file} > ${test.name}: ${kills} of ${waiting.length} killed`);
  }
}

/** The mutants to try that were reached since this was asked last. */
function takeReached() {
  const reached = plan.mutants.filter(({ id }) => state.reached[id] === 1);
  state.reached.fill(0);
  return reached;
}

async function fails(run, id) {
  state.active = id;
  state.asked = 0;
  try {
    await run();
    return false;
  } catch {
    return true;
  } finally {
    state.active = -1;
  }
}
