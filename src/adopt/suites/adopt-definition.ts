import type { Draft } from '../draft.ts';
import type { Inspector } from '../python/inspect.ts';
import type { SuiteRequest } from './adopt-task.ts';

export async function adoptDefinition(_request: SuiteRequest, _inspector: Inspector): Promise<Draft> {
  throw new Error('not yet');
}
