import { loadMethod } from '../learn/method/load-method.ts';
import type { Method } from '../model/gate.ts';
import { PawlError } from '../model/pawl-error.ts';
import { tryProject } from '../config/try-project.ts';

/** The method that the project's sessions follow; Pawl's own where there is no project. */
export async function projectMethod(config: string | undefined): Promise<Method> {
  const project = await tryProject(config);
  if (project instanceof PawlError) throw project;
  return loadMethod(project);
}
