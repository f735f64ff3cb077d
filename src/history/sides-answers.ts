import type { SidesComparison } from '../model/history/sides-comparison.ts';
import { hashOf } from '../os/canonical-json.ts';
import { judgeSides, pairSides, type ComparedSides, type PairedSides } from './compare-sides.ts';
import type { CodeHost } from './code-host.ts';
import type { History } from './history.ts';

/** A page of thousands of cases is looked at several times, by several people. */
const MOST_KEPT = 8;

/** Comparisons of sides, judged once as long as they are of the same measurements. */
export class SidesAnswers {
  readonly #known = new Map<string, Promise<SidesComparison>>();

  async compare(history: History, asked: ComparedSides, host?: CodeHost): Promise<SidesComparison> {
    const sides = await pairSides(history, asked);
    const name = nameOf(sides);
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const found = judgeSides(history, sides, host);
    this.#known.set(name, found);
    // Who asks for the same meanwhile waits for the same; who asks after a failure tries again.
    found.catch(() => this.#known.delete(name));
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KEPT && oldest !== undefined) this.#known.delete(oldest);
    return found;
  }
}

/** Retention changes what is left of a measurement, and so what can be said of it. */
function nameOf({ before, after, pairs }: PairedSides): string {
  const facts = ({ commit, branch, device, driver }: PairedSides['before']) => [
    commit,
    branch,
    device,
    driver,
  ];
  const ids = pairs.map(({ a, b }) => [a?.id, a?.samples_of, a?.thin, b?.id, b?.samples_of, b?.thin]);
  return hashOf({ sides: [facts(before), facts(after)], ids });
}
