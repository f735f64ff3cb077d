import { MISSING_TEXTS } from '../learn/gates/missing-texts.ts';
import { loadMethod } from '../learn/method/load-method.ts';
import type { Method } from '../model/learn/gate.ts';
import { optionalProject } from '../config/try-project.ts';

/** What gates say that ship with Pawl, and what is said of facts that are missing: templates. */
export async function shippedTexts() {
  const { gates } = await loadMethod(undefined);
  return {
    gates: gates.map(({ id, title, why, applies, passed, failed }) => ({
      id,
      title,
      texts: [
        why,
        ...(passed === undefined ? [] : [passed]),
        failed,
        ...(applies === undefined ? [] : [`Does not apply: ${applies}.`]),
        ...NOT_EVALUATED,
      ],
    })),
    missing: Object.values(MISSING_TEXTS),
  };
}

/** Of gates that are open. */
const NOT_EVALUATED = ['not evaluated yet', 'the kernel changed since it was evaluated'];

/** The method that the project's sessions follow; Pawl's own where there is no project. */
export async function projectMethod(config: string | undefined): Promise<Method> {
  return loadMethod(await optionalProject(config));
}
