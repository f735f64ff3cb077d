import { loadMethod } from '../../learn/method/load-method.ts';
import { ownHint, PawlError } from '../../model/pawl-error.ts';
import type { Session } from '../../model/learn/session.ts';
import { findAuthor } from '../../ratchet/author.ts';
import { inOrder, unknownGate } from './run-gates.ts';
import { changeSession } from '../../learn/session/open-session.ts';
import type { SessionTarget, Working } from '../../learn/session/session-options.ts';

export interface OverrideOptions extends SessionTarget, Working {
  readonly gate: string;
  readonly reason: string;
  readonly by?: string;
}

/**
 * Lets a session continue past a gate. Who did it, when and why stays in the session.
 *
 * @throws {PawlError} of kind `usage` if the gate does not exist or was not run, or no reason is given
 */
export async function overrideGate(options: OverrideOptions): Promise<Session> {
  return changeSession(options, async (opened) => {
    const gates = inOrder(await loadMethod(opened.loaded));
    if (!gates.some(({ id }) => id === options.gate)) throw unknownGate(options.gate, gates);
    const reason = options.reason.trim();
    if (reason === '') {
      throw new PawlError(
        'usage',
        'An override needs a reason.',
        `Give the reason: pawl session override ${options.gate} --reason "…"`,
      );
    }
    const found = opened.session.gates.find(({ gate }) => gate === options.gate);
    if (found === undefined || found.state === 'open') {
      throw new PawlError(
        'usage',
        `The gate ${options.gate} was not evaluated yet, so it cannot be overridden.`,
        ownHint('Evaluate it first: pawl session check', 'session check'),
      );
    }
    const by = options.by ?? (await findAuthor(opened.loaded.root, options.env));
    return opened.add({ type: 'overridden', gate: options.gate, reason, by });
  });
}
